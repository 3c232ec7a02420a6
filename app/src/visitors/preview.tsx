import type { HostPagesQuery } from '../api/generated/graphql.ts';
import { t } from '../i18n/index.ts';
import { lettersOn } from '../links/contrast.ts';

type Look = Pick<HostPagesQuery['hostPages'], 'accentColor' | 'backgroundColor' | 'logoUrl'>;
export type Text = HostPagesQuery['hostPages']['texts'][number];

/** Pages on which the visitor sends a form. */
const ASKING = ['PASSWORD', 'CONFIRMATION', 'NOTICE'];

/** A page as visitors see it. */
export function Preview({ look: { accentColor, backgroundColor, logoUrl }, text }: { look: Look; text?: Text }) {
  const words = t.visitors;
  const ground = backgroundColor ? { background: backgroundColor, color: lettersOn(backgroundColor) } : undefined;
  const button = accentColor ? { background: accentColor, color: lettersOn(accentColor), borderColor: accentColor } : undefined;
  const title = text ? text.title || words.pages[text.page] : words.sample.title;
  const below = text?.page === 'NOTICE' ? words.noticeHint : text?.text;
  return (
    <section class="card visitor-page" aria-label={words.preview} style={ground}>
      {logoUrl && <img src={logoUrl} alt="" />}
      <h2 lang={text?.title ? text.language : undefined} dir="auto">
        {title}
      </h2>
      <p dir="auto">{below ?? (text ? words.ofService : words.sample.text)}</p>
      {(!text || ASKING.includes(text.page)) && (
        <span class="button primary" aria-hidden="true" style={button}>
          {words.button}
        </span>
      )}
    </section>
  );
}
