import { useState } from 'preact/hooks';
import { StartApiImportInput } from '../api/generated/constraints.ts';
import type { ImportSource } from '../api/generated/graphql.ts';
import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { withScheme } from '../links/address.ts';
import { Select } from '../ui/field.tsx';
import { Field, Form } from '../ui/form.tsx';
import { Segments } from '../ui/segments.tsx';
import { check, formatBytes, MAX_BYTES } from './file.ts';
import { FileField } from './file-field.tsx';
import { begin, type Origin } from './sending.ts';
import { API_SOURCES, SOURCES } from './sources.ts';

const ORIGINS = ['file', 'api'] as const;
/** As the input of the API calls it, which tells what is wrong with it. */
const FILE = 'data';
const ACCEPTED = '.csv,.tsv,.txt,.json,.jsonl';

const sourceOption = (value: ImportSource) => ({ value, label: SOURCES[value] });

/** The form's values; null for an empty field. */
function originIn(values: FormData): Origin {
  const text = (name: string) => String(values.get(name) ?? '').trim() || null;
  const [source, domain, file] = [text('source') as ImportSource | null, text('domain'), values.get(FILE)];
  if (file instanceof File) return { file, source, domain };
  return { source: source!, domain, url: withScheme(text('url')!), key: text('key')! };
}

interface ImportFormProps {
  /** Where links can be, once that is known. */
  hosts: string[];
  /** Nothing is created yet. */
  isDryRun: boolean;
  /** The choice before. */
  source?: string;
  domain?: string;
  onBegun(id: string): void;
  /** Another import has not ended. */
  onConflict(): void;
}

export function ImportForm({ hosts, isDryRun, onBegun, onConflict, ...given }: ImportFormProps) {
  const [from, setFrom] = useState<(typeof ORIGINS)[number]>('file');
  const [source, setSource] = useState(given.source ?? '');
  const [domain, setDomain] = useState(given.domain ?? '');
  const { origins, ...its } = t.imports;
  const sources =
    from === 'file'
      ? [{ value: '', label: its.anySource }, ...(Object.keys(SOURCES) as ImportSource[]).map(sourceOption)]
      : API_SOURCES.map(sourceOption);

  async function send(values: FormData): Promise<Problem | undefined> {
    const origin = originIn(values);
    const wrong = 'file' in origin ? await check(origin.file, FILE) : undefined;
    if (wrong) return wrong;
    const { id, problem } = await begin(origin, isDryRun);
    if (id) onBegun(id);
    if (problem?.code === 'CONFLICT') onConflict();
    return problem;
  }

  return (
    <Form
      submit={isDryRun ? its.submit.check : its.submit.import}
      onSubmit={send}
      explain={({ code }) => (code === 'CONFLICT' ? its.conflict : undefined)}
      class="form card"
    >
      <p>{isDryRun ? its.hint : its.again}</p>
      <Segments
        label={its.from}
        name="from"
        value={from}
        options={ORIGINS.map((value) => ({ value, label: origins[value] }))}
        onChange={setFrom}
      />
      {from === 'file' ? (
        <FileField key="file" name={FILE} label={its.file} hint={its.fileHint(formatBytes(MAX_BYTES))} accept={ACCEPTED} />
      ) : (
        <>
          <Field
            name="url"
            label={its.url}
            hint={its.urlHint}
            inputMode="url"
            placeholder="https://s.example.com"
            rule={StartApiImportInput.url}
          />
          <Field name="key" type="password" label={its.key} hint={its.keyHint} rule={StartApiImportInput.key} />
        </>
      )}
      <div class="field-row">
        <Select
          name="source"
          label={its.source}
          value={sources.some(({ value }) => value === source) ? source : sources[0]!.value}
          onChange={setSource}
          options={sources}
        />
        {hosts.length > 1 && (
          <Select
            name="domain"
            label={t.links.domain}
            value={domain}
            onChange={setDomain}
            options={[{ value: '', label: its.keepDomain }, ...hosts.map((host) => ({ value: host, label: host }))]}
          />
        )}
      </div>
    </Form>
  );
}
