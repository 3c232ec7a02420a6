import { useRef, useState } from 'preact/hooks';
import { mutate } from '../api/client.ts';
import { HostPageTextInput } from '../api/generated/constraints.ts';
import { graphql } from '../api/generated/gql.ts';
import type { HostPage, HostPagesQuery } from '../api/generated/graphql.ts';
import { IMAGES, type Image } from '../api/upload.ts';
import { formatLanguage, formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { may } from '../session/role.ts';
import { Button } from '../ui/button.tsx';
import { FieldFrame, Select } from '../ui/field.tsx';
import { Field, Form, TextArea } from '../ui/form.tsx';
import { say } from '../ui/toast.tsx';
import { useUpload } from '../ui/upload.ts';
import { useVersion } from '../ui/version.ts';
import { Preview, type Text } from './preview.tsx';

const SET_HOST_PAGES = graphql(`
  mutation SetHostPages($host: String!, $input: SetHostPagesInput!) {
    setHostPages(host: $host, input: $input) {
      updatedAt
    }
  }
`);

/** Languages that the field proposes; others can be typed. */
const PROPOSED = ['en', 'de', 'fr', 'es', 'it', 'pt-BR', 'nl', 'pl', 'tr', 'ar', 'zh', 'ja'];
const PAGES: HostPage[] = ['NOT_FOUND', 'EXPIRED', 'PASSWORD', 'CONFIRMATION', 'NOTICE'];
/** The service's own colours, with which a choice begins. */
const FIRST = { accent: '#1f5fd0', ground: '#ffffff' };

type Pages = HostPagesQuery['hostPages'];

/** The text at a place of the form, as it is typed. */
function typed(values: FormData, place: number): Text {
  const text = (name: string) => String(values.get(`texts.${place}.${name}`) ?? '').trim();
  return { page: text('page') as HostPage, language: text('language'), title: text('title'), text: text('text') || null };
}

function Color({ label, value, first, onChange }: { label: string; value: string | null; first: string; onChange(value: string | null): void }) {
  return (
    <div class="own-color">
      <label class="switch-label">
        <input type="checkbox" role="switch" class="switch" checked={value !== null} onChange={() => onChange(value === null ? first : null)} />
        {label}
      </label>
      {value !== null && (
        <input type="color" aria-label={t.visitors.colorOf(label)} value={value} onInput={(event) => onChange(event.currentTarget.value)} />
      )}
    </div>
  );
}

/** The image above the title of the pages. */
function LogoField({ logo, onChange }: { logo?: Image; onChange(logo?: Image): void }) {
  const words = t.visitors;
  const { isUploading, error, choose } = useUpload(words, onChange);
  const file = useRef<HTMLInputElement>(null);
  const remove = () => {
    file.current!.value = '';
    file.current!.focus();
    onChange();
  };
  return (
    <>
      <FieldFrame name="logo" label={words.logo} hint={isUploading ? words.uploading : words.logoHint} error={error} isOptional>
        {(shared) => (
          <input
            {...shared}
            ref={file}
            type="file"
            accept={IMAGES}
            aria-busy={isUploading}
            onChange={(event) => void choose(event.currentTarget.files![0])}
          />
        )}
      </FieldFrame>
      {logo && (
        <div>
          <Button onClick={remove}>{words.removeLogo}</Button>
        </div>
      )}
    </>
  );
}

/** Changes the look and the texts of a host's pages. */
export function PagesForm({ pages }: { pages: Pages }) {
  const words = t.visitors;
  const version = useVersion(pages.updatedAt ?? undefined);
  const [accentColor, setAccent] = useState<string | null>(pages.accentColor ?? null);
  const [backgroundColor, setGround] = useState<string | null>(pages.backgroundColor ?? null);
  const { logoImageId, logoUrl } = pages;
  const [logo, setLogo] = useState<Image | undefined>(logoImageId && logoUrl ? { id: logoImageId, url: logoUrl } : undefined);
  const [rows, setRows] = useState(() => pages.texts.map((text, key) => ({ key, text })));
  const [shown, setShown] = useState<Text | undefined>(pages.texts[0]);
  const next = useRef(rows.length);
  const list = useRef<HTMLDivElement>(null);

  async function store(values: FormData) {
    const texts = rows.map((_row, place) => typed(values, place));
    const input = version.of({ accentColor, backgroundColor, logoImageId: logo?.id ?? null, texts });
    const { data, problem } = await mutate(SET_HOST_PAGES, { host: pages.host, input });
    if (problem) return version.told(problem);
    version.now(data.setHostPages.updatedAt ?? '');
    say(words.saved(pages.host));
    return undefined;
  }
  const add = () => {
    const text: Text = { page: 'NOT_FOUND', language: document.documentElement.lang, title: '', text: null };
    setRows([...rows, { key: next.current++, text }]);
    setShown(text);
  };
  const remove = (key: number) => {
    setRows(rows.filter((row) => row.key !== key));
    setShown(undefined);
    say(words.removed);
    list.current!.querySelector<HTMLElement>('.add button')!.focus();
  };
  // The preview shows the text that is written or read at the time.
  const follow = (element: Element, form: HTMLFormElement) => {
    const place = element.closest<HTMLElement>('[data-place]')?.dataset.place;
    if (place) setShown(typed(new FormData(form), Number(place)));
  };

  return (
      <Form submit={words.save} onSubmit={store} onInput={(form) => follow(document.activeElement!, form)}>
        <Color label={words.accent} value={accentColor} first={FIRST.accent} onChange={setAccent} />
        <Color label={words.ground} value={backgroundColor} first={FIRST.ground} onChange={setGround} />
        {may('LINKS_WRITE') && <LogoField logo={logo} onChange={setLogo} />}
        <Preview look={{ accentColor, backgroundColor, logoUrl: logo?.url ?? null }} text={shown} />
        <div ref={list} class="visitor-texts">
          <h2>{words.texts}</h2>
          <p class="hint">{words.textsHint}</p>
          {rows.map(({ key, text }, place) => {
            const name = (field: string) => `texts.${place}.${field}`;
            const number = formatNumber(place + 1);
            return (
              <fieldset key={key} class="card" data-place={place} onFocusIn={({ currentTarget }) => follow(currentTarget, currentTarget.form!)}>
                <legend class="hidden">{words.text(number)}</legend>
                <Select name={name('page')} label={words.page} value={text.page} options={PAGES.map((value) => ({ value, label: words.pages[value] }))} />
                <Field
                  name={name('language')}
                  label={words.language}
                  hint={words.languageHint}
                  value={text.language}
                  rule={HostPageTextInput.language}
                  list="page-languages"
                />
                <Field name={name('title')} label={words.heading} value={text.title} rule={HostPageTextInput.title} isProse />
                <TextArea name={name('text')} label={words.below} hint={words.belowHint} value={text.text ?? ''} rule={HostPageTextInput.text} isOptional />
                <div>
                  <Button icon="trash" onClick={() => remove(key)}>
                    {words.remove(number)}
                  </Button>
                </div>
              </fieldset>
            );
          })}
          <div class="add">
            <Button icon="plus" onClick={add}>
              {words.add}
            </Button>
          </div>
        </div>
        <datalist id="page-languages">
          {PROPOSED.map((tag) => (
            <option key={tag} value={tag}>
              {formatLanguage(tag)}
            </option>
          ))}
        </datalist>
      </Form>
  );
}
