// The link that an address was shortened to before, for those who are about to shorten it again.
import { useEffect } from 'preact/hooks';
import { fetchOnce } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import type { KnownLinksQuery, KnownLinksQueryVariables } from '../api/generated/graphql.ts';
import { t } from '../i18n/index.ts';
import { Check } from '../ui/form.tsx';
import { useTyped } from '../ui/typed.ts';
import { isUrl, readableShort } from './address.ts';

/** A few, as those that end are none that the service would answer. */
const KNOWN = graphql(`
  query KnownLinks($destinationUrl: String!, $domain: String!) {
    links(destinationUrl: $destinationUrl, domain: $domain, state: ACTIVE, isArchived: null, sort: OLDEST, pageSize: 20) {
      data {
        id
        title
        shortUrl
        expiresAt
        maxClicks
      }
    }
  }
`);

type Known = KnownLinksQuery['links']['data'][number];

const TYPING_MS = 300;

/** The link that `ifExists: RETURN` answers, as far as is known. Nothing is said where that can't be told. */
export function useKnown(destinationUrl: string, domain: string | undefined): Known | undefined {
  const { answer, type, forget } = useTyped(async (typed: KnownLinksQueryVariables) => {
    const { data } = await fetchOnce(KNOWN, typed);
    return data?.links.data.find((link) => link.expiresAt === null && link.maxClicks === null);
  }, TYPING_MS);
  useEffect(() => {
    forget();
    if (domain && isUrl(destinationUrl)) type({ destinationUrl, domain });
  }, [destinationUrl, domain]);
  return answer;
}

export const USE_KNOWN = 'useKnown';

export function KnownHint({ known }: { known: Known | undefined }) {
  const words = t.linkForms.known;
  return (
    <>
      <p role="status" class={known ? 'hint' : 'hidden'}>
        {known && (
          <>
            {words.there} <a href={`/app/links/${known.id}`} dir="auto">{known.title ?? readableShort(known.shortUrl)}</a>
          </>
        )}
      </p>
      {known && <Check name={USE_KNOWN} label={words.use} hint={words.useHint} />}
    </>
  );
}
