// Changes of many links: in parts that the service takes, and taken back.
import { fetchOnce, mutate, type Outcome } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import type { ChangeLinksInput, ChosenLinksQuery, ChosenLinksQueryVariables, LinkRowFragment, WhyNotFragment } from '../api/generated/graphql.ts';
import type { Problem } from '../api/problem.ts';
import { waitFor } from '../api/service.ts';
import { isSame } from '../tags/name.ts';

/** What has to be known of a link to change it among others, and to take that back. */
export type Chosen = Pick<LinkRowFragment, 'id' | 'shortUrl' | 'tags' | 'isActive' | 'isArchived'>;

/** The filters of the list, as the API has them. */
export type Choice = Omit<ChosenLinksQueryVariables, 'page'>;

export type Results = { linkId: string; error: WhyNotFragment | null }[];

export const WHY_NOT = graphql(`
  fragment WhyNot on ErrorPayload {
    code
    message
    validationErrors {
      path
      message
    }
  }
`);

const CHOSEN = graphql(`
  query ChosenLinks(
    $page: Int!
    $search: String
    $state: LinkState
    $isArchived: Boolean
    $domain: String
    $destinationUrl: String
    $externalId: String
    $tags: [String!]
  ) {
    links(
      page: $page
      pageSize: 100
      search: $search
      state: $state
      isArchived: $isArchived
      domain: $domain
      destinationUrl: $destinationUrl
      externalId: $externalId
      tags: $tags
      sort: OLDEST
    ) {
      totalPages
      data {
        id
        shortUrl
        tags
        isActive
        isArchived
      }
    }
  }
`);

const UPDATE_ALL = graphql(`
  mutation UpdateLinks($input: UpdateLinksInput!) {
    updateLinks(input: $input) {
      results {
        linkId
        error {
          ...WhyNot
        }
      }
    }
  }
`);

export const DELETE_ALL = graphql(`
  mutation DeleteLinks($input: DeleteLinksInput!) {
    deleteLinks(input: $input) {
      results {
        linkId
        error {
          ...WhyNot
        }
      }
    }
  }
`);

/** Types whose queries are fetched again after a change: lists and counts. */
const TYPES = ['Link', 'LinkPageResult'];

/** Links that one request may name. */
export const PART = 100;

export function partsOf<Item>(items: Item[], length = PART): Item[][] {
  const parts: Item[][] = [];
  for (let at = 0; at < items.length; at += length) parts.push(items.slice(at, at + length));
  return parts;
}

/** Makes a call again once the service takes more of them. */
export async function patiently<Data>(call: () => Promise<Outcome<Data>>): Promise<Outcome<Data>> {
  for (;;) {
    const outcome = await call();
    const wait = outcome.problem?.code === 'RATE_LIMITED' && outcome.problem.retryAfter;
    if (!wait) return outcome;
    await waitFor(wait * 1000);
  }
}

/** All links of a choice, the oldest first, so that those that are made meanwhile move none. */
export async function linksOf(choice: Choice): Promise<Outcome<Chosen[]>> {
  const found: ChosenLinksQuery['links']['data'] = [];
  for (let page = 1; ; page += 1) {
    const { data, problem } = await patiently(() => fetchOnce(CHOSEN, { ...choice, page }));
    if (!data) return { problem };
    found.push(...data.links.data);
    if (page >= data.links.totalPages) return { data: found };
  }
}

export async function updateAll(ids: string[], change: ChangeLinksInput): Promise<Outcome<Results>> {
  const { data, problem } = await patiently(() => mutate(UPDATE_ALL, { input: { ids, change } }, TYPES));
  return data ? { data: data.updateLinks.results } : { problem };
}

export async function deleteAll(ids: string[]): Promise<Outcome<Results>> {
  const { data, problem } = await patiently(() => mutate(DELETE_ALL, { input: { ids } }, TYPES));
  return data ? { data: data.deleteLinks.results } : { problem };
}

/** What takes a change back for a link: nothing if it changed nothing. Undefined: that can't be told. */
function reverse(change: ChangeLinksInput, link: Chosen): ChangeLinksInput | undefined {
  const { isActive, isArchived, addTags = [], removeTags = [], ...others } = change;
  if (Object.keys(others).length > 0) return undefined;
  const has = (names: string[], tag: string) => names.some((name) => isSame(name, tag));
  const added = (addTags ?? []).filter((tag) => !has(link.tags, tag));
  const taken = link.tags.filter((tag) => has(removeTags ?? [], tag));
  return {
    ...(typeof isActive === 'boolean' && isActive !== link.isActive && { isActive: link.isActive }),
    ...(typeof isArchived === 'boolean' && isArchived !== link.isArchived && { isArchived: link.isArchived }),
    ...(added.length > 0 && { removeTags: added }),
    ...(taken.length > 0 && { addTags: taken }),
  };
}

/** Takes a change of links back, as they were before it. Undefined: it can't be. */
export function reversal(change: ChangeLinksInput, links: Chosen[]): (() => Promise<Problem | undefined>) | undefined {
  const groups = new Map<string, { back: ChangeLinksInput; ids: string[] }>();
  for (const link of links) {
    const back = reverse(change, link);
    if (!back) return undefined;
    if (Object.keys(back).length === 0) continue;
    const key = JSON.stringify(back);
    const group = groups.get(key) ?? { back, ids: [] };
    group.ids.push(link.id);
    groups.set(key, group);
  }
  return async () => {
    for (const { back, ids } of groups.values()) {
      for (const part of partsOf(ids)) {
        const { problem } = await updateAll(part, back);
        if (problem) return problem;
      }
    }
    return undefined;
  };
}
