// Whether a link can get a path, for whoever types it.
import { useEffect } from 'preact/hooks';
import { fetchOnce } from '../api/client.ts';
import { CreateLinkInput } from '../api/generated/constraints.ts';
import { graphql } from '../api/generated/gql.ts';
import { t } from '../i18n/index.ts';
import { useTyped } from '../ui/typed.ts';

const AVAILABILITY = graphql(`
  query SlugAvailability($slug: String!, $domain: String!, $linkId: ID) {
    slugAvailability(slug: $slug, domain: $domain, linkId: $linkId) {
      state
    }
  }
`);

const TYPING_MS = 300;
const PATH = new RegExp(`^(?:${CreateLinkInput.slug.pattern})$`);

/** The error at the field of a path that no link can get on the host, but the link `own` that has it. */
export function useTaken(slug: string, domain: string | undefined, own?: { id: string; slug: string; domain: string }): string | undefined {
  const { answer, type, forget } = useTyped(async (typed: string) => {
    const { data } = await fetchOnce(AVAILABILITY, { slug: typed, domain: domain!, linkId: own?.id });
    return data?.slugAvailability.state;
  }, TYPING_MS);
  const isOwn = slug === own?.slug && domain === own.domain;
  useEffect(() => {
    forget();
    if (domain && !isOwn && slug.length <= CreateLinkInput.slug.maxLength && PATH.test(slug)) type(slug);
  }, [slug, domain]);
  if (answer === 'TAKEN') return t.linkForms.taken;
  return answer === 'RESERVED' ? t.linkForms.reserved : undefined;
}
