// Whether another link has a path, for whoever types it.
import { useEffect } from 'preact/hooks';
import { fetchOnce } from '../api/client.ts';
import { CreateLinkInput } from '../api/generated/constraints.ts';
import { graphql } from '../api/generated/gql.ts';
import { t } from '../i18n/index.ts';
import { useTyped } from '../ui/typed.ts';

/** There is no filter for a path: a search finds it, among those that contain it. */
const TAKEN = graphql(`
  query TakenPaths($search: String!, $domain: String!) {
    links(search: $search, domain: $domain, isArchived: null, pageSize: 100) {
      data {
        id
        slug
      }
    }
  }
`);

const TYPING_MS = 300;
const PATH = new RegExp(`^(?:${CreateLinkInput.slug.pattern})$`);

/** The error at the field of a path that a link of the account has on the host. The links of others are known to the service alone. */
export function useTaken(slug: string, domain: string | undefined, own?: { slug: string; domain: string }): string | undefined {
  const { answer, type, forget } = useTyped(async (search: string) => {
    const { data } = await fetchOnce(TAKEN, { search, domain: domain! });
    return data?.links.data.some((link) => link.slug === search);
  }, TYPING_MS);
  const isOwn = slug === own?.slug && domain === own.domain;
  useEffect(() => {
    forget();
    if (domain && !isOwn && slug.length <= CreateLinkInput.slug.maxLength && PATH.test(slug)) type(slug);
  }, [slug, domain]);
  return answer ? t.linkForms.taken : undefined;
}
