import { useRef, useState } from 'preact/hooks';
import { StartApiImportInput } from '../api/generated/constraints.ts';
import type { ImportSource } from '../api/generated/graphql.ts';
import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { withScheme } from '../links/address.ts';
import { onDemand } from '../shell/lazy.tsx';
import { Select } from '../ui/field.tsx';
import { Field, Form } from '../ui/form.tsx';
import { Segments } from '../ui/segments.tsx';
import { check } from './check.ts';
import { encodingOf } from './encoding.ts';
import { fileProblem, formatBytes, MAX_BYTES } from './file.ts';
import { FileField } from './file-field.tsx';
import { COLUMNS, columnsOf, type Look, lookAgain, lookAt, remember } from './preview.ts';
import { begin, type Origin } from './sending.ts';
import { sourceName } from './shown.tsx';
import { ALL_SOURCES, API_SOURCES } from './sources.ts';

const Mapping = onDemand(() => import('./mapping.tsx'), (mapping) => mapping.default);

const ORIGINS = ['file', 'api'] as const;
/** As the input of the API calls it, which tells what is wrong with it. */
const FILE = 'data';
const ACCEPTED = '.csv,.tsv,.txt,.json,.jsonl';

const sourceOption = (value: ImportSource) => ({ value, label: value === 'TABLE' ? t.imports.anyTable : sourceName(value) });

/** The form's values; null for an empty field. `look`: what is known of the file. */
async function originIn(values: FormData, look: Look | undefined): Promise<Origin> {
  const text = (name: string) => String(values.get(name) ?? '').trim() || null;
  // A space may be a part of it.
  const password = String(values.get('password') ?? '') || null;
  const [source, domain, file] = [text('source') as ImportSource | null, text('domain'), values.get(FILE)];
  if (file instanceof File) {
    const encoding = look?.encoding ?? (await encodingOf(file)) ?? 'utf-8';
    return { file, password, source: look?.isTable ? 'TABLE' : source, domain, encoding, columns: look && columnsOf(look), dateFormat: look?.dateFormat };
  }
  return { source: source!, domain, password, url: withScheme(text('url')!), key: text('key')! };
}

interface ImportFormProps {
  /** Where links can be, once that is known. */
  hosts: { value: string; label: string }[];
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
  // Of the file that is chosen; looks at one that was chosen before come to nothing.
  const [look, setLook] = useState<Look>();
  const chosen = useRef<File | undefined>(undefined);
  const looks = useRef(0);
  const { origins, ...its } = t.imports;
  async function show(asked: Promise<Look | undefined>) {
    looks.current += 1;
    const number = looks.current;
    const found = await asked.catch(() => undefined);
    if (number === looks.current) setLook(found);
  }
  const choose = (file: File | undefined, as = source) => {
    chosen.current = file;
    setLook(undefined);
    void show(file ? lookAt(file, (as as ImportSource) || null) : Promise.resolve(undefined));
  };
  const sources =
    from === 'file'
      ? [{ value: '', label: its.anySource }, ...ALL_SOURCES.map(sourceOption)]
      : API_SOURCES.map(sourceOption);

  async function send(values: FormData): Promise<Problem | undefined> {
    const file = values.get(FILE);
    const wrong = file instanceof File ? await check(file, FILE, look?.encoding) : undefined;
    if (wrong) return wrong;
    if (file instanceof File && look?.isTable) {
      if (!look.fields.includes('DESTINATION_URL')) return fileProblem(its.columns.none, COLUMNS);
      const kept = look.fields.filter((field) => field !== null);
      if (new Set(kept).size < kept.length) return fileProblem(its.columns.twice, COLUMNS);
      remember(look);
    }
    const origin = await originIn(values, look);
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
        onChange={(value) => {
          setFrom(value);
          choose(undefined);
        }}
      />
      {from === 'file' ? (
        <FileField
          key="file"
          name={FILE}
          label={its.file}
          hint={its.fileHint(formatBytes(MAX_BYTES))}
          accept={ACCEPTED}
          onChoose={choose}
        />
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
          onChange={(value) => {
            setSource(value);
            if (chosen.current) choose(chosen.current, value);
          }}
          options={sources}
        />
        {hosts.length > 1 && (
          <Select
            name="domain"
            label={t.links.domain}
            value={domain}
            onChange={setDomain}
            options={[{ value: '', label: its.keepDomain }, ...hosts]}
          />
        )}
      </div>
      <Field name="password" label={its.password} hint={its.passwordHint} rule={StartApiImportInput.password} isOptional />
      {look && chosen.current && (
        <Mapping
          look={look}
          onEncoding={(encoding) => void show(lookAt(chosen.current!, look.preview.source, encoding))}
          onChoice={(choice) => {
            setLook(choice);
            void show(lookAgain(chosen.current!, choice));
          }}
        />
      )}
    </Form>
  );
}
