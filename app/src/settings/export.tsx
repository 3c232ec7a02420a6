import { download } from '../api/download.ts';
import { graphql } from '../api/generated/gql.ts';
import type { ExportLinksFragment } from '../api/generated/graphql.ts';
import type { Problem } from '../api/problem.ts';
import { formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { readableShort } from '../links/address.ts';
import { Select } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { say } from '../ui/toast.tsx';

export const EXPORT_LINKS = graphql(`
  fragment ExportLinks on LinkPageResult {
    total
    data {
      id
      shortUrl
      clickCount
    }
  }
`);

const FORMATS = ['csv', 'jsonl'] as const;

async function save(linkId: string, format: string): Promise<Problem | undefined> {
  const name = `clicks-${linkId}.${format}`;
  const problem = await download(`/analytics/${linkId}/export?format=${format}`, name);
  if (!problem) say(t.saved(name));
  return problem;
}

export function ExportForm({ links }: { links: ExportLinksFragment }) {
  const words = t.settings.exports;
  if (links.total === 0) return <p class="muted">{words.none}</p>;
  return (
    <>
      <p>{words.text}</p>
      <Form submit={words.download} onSubmit={(values) => save(String(values.get('link')), String(values.get('format')))}>
        <div class="field-row">
          <Select
            name="link"
            label={words.link}
            options={links.data.map(({ id, shortUrl, clickCount }) => ({
              value: id,
              label: words.option(readableShort(shortUrl), t.clicks(clickCount, formatNumber(clickCount))),
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
