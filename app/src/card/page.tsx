import { useRef, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import { fetchOnce, mutate } from '../api/client.ts';
import { LinkCardInput } from '../api/generated/constraints.ts';
import { graphql } from '../api/generated/gql.ts';
import type { CardPageQuery } from '../api/generated/graphql.ts';
import { IMAGES } from '../api/upload.ts';
import { useData } from '../api/use.ts';
import { t } from '../i18n/index.ts';
import { readableShort, withScheme } from '../links/address.ts';
import { may } from '../session/role.ts';
import { useTitle } from '../shell/title.ts';
import { Button } from '../ui/button.tsx';
import { FieldFrame } from '../ui/field.tsx';
import { Field, Form, TextArea } from '../ui/form.tsx';
import { useWarning } from '../ui/leaving.ts';
import { Panel } from '../ui/states.tsx';
import { complain, say } from '../ui/toast.tsx';
import { useUpload } from '../ui/upload.ts';
import { useTyped } from '../ui/typed.ts';
import { useVersion } from '../ui/version.ts';
import { Previews } from './preview.tsx';

export const CARD_TEXTS = graphql(`
  fragment CardTexts on Link {
    card {
      title
      description
      imageUrl
    }
  }
`);

const PAGE = graphql(`
  query CardPage($id: ID!) {
    link(id: $id) {
      id
      domain
      shortUrl
      destinationUrl
      updatedAt
      ...CardTexts
    }
  }
`);

const METADATA = graphql(`
  query PageMetadata($url: String!) {
    fetchMetadata(url: $url) {
      title
      description
      imageUrl
    }
  }
`);

const SET_CARD = graphql(`
  mutation SetCard($id: ID!, $input: UpdateLinkInput!) {
    updateLink(id: $id, input: $input) {
      id
      updatedAt
      ...CardTexts
    }
  }
`);

type Link = CardPageQuery['link'];
type Card = NonNullable<Link['card']>;
type Texts = Record<keyof Card, string>;

/** No image is fetched while its address is being typed, in milliseconds after the last letter. */
const TYPED_MS = 600;
const NAMES = ['title', 'description', 'imageUrl'] as const;
/** As fields have them: browsers end each line with one character. */
const textsOf = (card: Partial<Card> | null): Texts => {
  const text = (name: keyof Card) => (card?.[name] ?? '').replaceAll(/\r\n?/g, '\n').trim();
  return { title: text('title'), description: text('description'), imageUrl: text('imageUrl') };
};
const cardOf = ({ title, description, imageUrl }: Texts) => ({
  title,
  description: description || null,
  imageUrl: imageUrl === '' ? null : withScheme(imageUrl),
});

function CardForm({ link }: { link: Link }) {
  const words = t.card;
  const version = useVersion(link.updatedAt);
  const [saved, setSaved] = useState(link.card);
  const [typed, setTyped] = useState(textsOf(link.card));
  // What the fields begin with, and how often they began anew: what is typed is theirs.
  const [[first, edition], setFirst] = useState<readonly [Texts, number]>([typed, 0]);
  const [imageUrl, setImageUrl] = useState(typed.imageUrl);
  const image = useTyped(async (text: string) => setImageUrl(text), TYPED_MS);
  const [isBusy, setBusy] = useState(false);
  // An upload takes its time, in which more may be typed.
  const latest = useRef(typed);
  latest.current = typed;
  const before = textsOf(saved);
  const isChanged = NAMES.some((name) => textsOf(typed)[name] !== before[name]);
  useWarning(isChanged);

  function begin(texts: Texts) {
    setTyped(texts);
    setFirst([texts, edition + 1]);
    setImageUrl(texts.imageUrl);
  }

  const { isUploading, error: uploadError, choose } = useUpload(words, ({ url }) => begin({ ...latest.current, imageUrl: url }));

  async function fill() {
    setBusy(true);
    const { data, problem } = await fetchOnce(METADATA, { url: link.destinationUrl });
    setBusy(false);
    if (problem) {
      complain(problem);
      return;
    }
    const found = data.fetchMetadata;
    const isEmpty = NAMES.every((name) => found[name] === null);
    if (!isEmpty) begin(textsOf({ ...typed, ...Object.fromEntries(NAMES.filter((name) => found[name] !== null).map((name) => [name, found[name]])) }));
    say(isEmpty ? words.foundNothing : words.filled);
  }

  async function store(card: ReturnType<typeof cardOf> | null, told: string) {
    const { data, problem } = await mutate(SET_CARD, { id: link.id, input: version.of({ card }) });
    if (problem) return version.told(problem);
    version.now(data.updateLink.updatedAt);
    setSaved(data.updateLink.card);
    begin(textsOf(data.updateLink.card));
    say(told);
    return undefined;
  }

  async function remove() {
    const problem = await store(null, words.removed);
    if (problem) complain(problem);
  }

  const field = (name: keyof Card) => ({
    name: `card.${name}`,
    label: words.fields[name],
    value: first[name],
    rule: LinkCardInput[name],
    onInput(text: string) {
      setTyped((now) => ({ ...now, [name]: text }));
      if (name === 'imageUrl') image.type(text.trim());
    },
  });
  return (
    <div class="card-page">
      <Form submit={words.save} onSubmit={() => store(cardOf(textsOf(typed)), words.saved)}>
        <div>
          <Button onClick={() => void fill()} isBusy={isBusy} isWrite>
            {words.fill}
          </Button>
        </div>
        <Field key={`title${edition}`} {...field('title')} isProse />
        <TextArea key={`description${edition}`} {...field('description')} isOptional />
        <Field key={`image${edition}`} {...field('imageUrl')} hint={words.fields.imageHint} inputMode="url" isOptional />
        <FieldFrame name="upload" label={words.upload} hint={words.uploadHint} error={uploadError} isOptional>
          {(shared) => (
            <input {...shared} type="file" accept={IMAGES} aria-busy={isUploading} onChange={(event) => void choose(event.currentTarget.files![0])} />
          )}
        </FieldFrame>
        {saved && (
          <div>
            <Button onClick={() => void remove()} isWrite>
              {words.remove}
            </Button>
          </div>
        )}
        <p role="status" class="muted">
          {isUploading ? words.uploading : isChanged && words.unsaved}
        </p>
      </Form>
      <Shown card={NAMES.every((name) => typed[name] === '') ? null : cardOf({ ...typed, imageUrl })} link={link} />
    </div>
  );
}

function Shown({ card, link }: { card: Card | null; link: Link }) {
  return (
    <section aria-labelledby="looks">
      <h2 id="looks">{t.card.looks}</h2>
      {card ? <Previews card={card} host={link.domain} /> : <p>{t.card.none}</p>}
    </section>
  );
}

function CardPage({ id }: { id: string }) {
  const loaded = useData(PAGE, { id });
  useTitle(t.card.title);
  return (
    <>
      <header class="page-head">
        {loaded.data && (
          <a class="crumb" href={`/app/links/${id}`} dir="auto">
            {readableShort(loaded.data.link.shortUrl)}
          </a>
        )}
        <h1 tabIndex={-1}>{t.card.title}</h1>
      </header>
      <p class="muted">{t.card.lead}</p>
      <Panel loaded={loaded} missing={t.card.missing}>
        {({ link }) => (may('LINKS_WRITE') ? <CardForm link={link} /> : <Shown card={link.card} link={link} />)}
      </Panel>
    </>
  );
}

export default function CardRoute() {
  const { params } = useRoute();
  const id = params.id ?? '';
  return <CardPage key={id} id={id} />;
}
