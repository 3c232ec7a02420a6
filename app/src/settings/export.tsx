import { graphql } from '../api/generated/gql.ts';
import type { ExportLinksFragment } from '../api/generated/graphql.ts';
import { type Problem, problemOfResponse, unreachable } from '../api/problem.ts';
import { formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { accessToken, isStale, renew } from '../session/session.ts';
import { Form, Select } from '../ui/form.tsx';
import { save } from '../ui/save.ts';
import { say } from '../ui/toast.tsx';

export const EXPORT_LINKS = graphql(`
  fragment ExportLinks on LinkPageResult {
    total
    data {
      id
      slug
      domain
      clickCount
    }
  }
`);

const FORMATS = ['csv', 'jsonl'] as const;

const request = (linkId: string, format: string): Promise<Response> =>
  fetch(`/analytics/${linkId}/export?format=${format}`, { headers: { authorization: `Bearer ${accessToken()}` } });

/** Fetches the file with the token, which a plain link could not carry, and saves it. */
async function download(linkId: string, format: string): Promise<Problem | undefined> {
  const name = `clicks-${linkId}.${format}`;
  try {
    if (isStale()) await renew();
    let response = await request(linkId, format);
    if (response.status === 401) {
      await renew();
      response = await request(linkId, format);
    }
    if (!response.ok) return await problemOfResponse(response);
    save(await response.blob(), name);
    say(t.settings.exports.done(name));
    return undefined;
  } catch {
    return unreachable();
  }
}

export function ExportForm({ links }: { links: ExportLinksFragment }) {
  const words = t.settings.exports;
  if (links.total === 0) return <p class="muted">{words.none}</p>;
  return (
    <>
      <p>{words.text}</p>
      <Form submit={words.download} onSubmit={(values) => download(String(values.get('link')), String(values.get('format')))}>
        <div class="field-row">
          <Select
            name="link"
            label={words.link}
            options={links.data.map(({ id, slug, domain, clickCount }) => ({
              value: id,
              label: words.option(`${domain}/${slug}`, t.clicks(clickCount, formatNumber(clickCount))),
            }))}
          />
          <Select name="format" label={words.format} options={FORMATS.map((value) => ({ value, label: words.formats[value] }))} />
        </div>
        {links.total > links.data.length && (
          <p class="hint">{words.mostClicked(formatNumber(links.data.length), formatNumber(links.total))}</p>
        )}
      </Form>
    </>
  );
}
