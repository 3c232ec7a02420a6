import { graphql } from '../api/generated/gql.ts';
import { useData } from '../api/use.ts';
import { t } from '../i18n/index.ts';
import { ShortName } from '../links/short-name.tsx';

const LINK_NAME = graphql(`
  query ConditionLink($id: ID!) {
    link(id: $id) {
      id
      slug
      shortUrl
      title
    }
  }
`);

/** A link of a condition, which the list of the most clicked ones may not have. */
export function LinkName({ id }: { id: string }) {
  const { data, problem } = useData(LINK_NAME, { id });
  if (problem) return t.analytics.deleted;
  return data ? (data.link.title ?? <ShortName link={data.link} />) : null;
}
