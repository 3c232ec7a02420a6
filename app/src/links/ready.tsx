// A link that was just created.
import { useState } from 'preact/hooks';
import { graphql } from '../api/generated/gql.ts';
import type { LinkCoreFragment } from '../api/generated/graphql.ts';
import { useLive } from '../api/use.ts';
import { formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { Icon } from '../ui/icons.tsx';
import { QrCode } from '../ui/qr.tsx';
import { scanned } from './address.ts';
import { LifeFacts } from './life.tsx';

const CLICKED = graphql(`
  subscription NewLinkClicked($linkId: ID!) {
    clickRecorded(linkId: $linkId) {
      id
    }
  }
`);

export interface Created {
  link: LinkCoreFragment;
  /** It was there before. */
  isKnown: boolean;
  isCopied: boolean;
}

export function Ready({ link, isKnown, isCopied, again }: Created & { again(): void; onClose?(): void }) {
  const [clicks, setClicks] = useState(0);
  // Opened by its author, a link that waits would answer 404, and one with a limit would lose a click.
  const canWatch = link.state === 'ACTIVE' && link.maxClicks === null;
  useLive(CLICKED, { linkId: link.id }, () => setClicks((count) => count + 1), canWatch);
  return (
    <section class="card ready" aria-label={t.linkForms.create.ready}>
      <div class="ready-main">
        <h2>{isKnown ? t.linkForms.known.isReady : t.linkForms.create.ready}</h2>
        {link.title && <p dir="auto">{link.title}</p>}
        <div class="input-group">
          <input
            class="short-url"
            aria-label={t.linkForms.create.ready}
            value={link.shortUrl}
            readOnly
            ref={(input) => {
              if (!input || input.dataset.focused) return;
              input.dataset.focused = 'true';
              input.focus();
              input.select();
            }}
          />
          <CopyButton text={link.shortUrl} label={t.links.row.copy(link.shortUrl)} />
        </div>
        <p class="muted destination">
          {isCopied ? (
            <span class="done">
              <Icon name="check" /> {t.linkForms.create.isCopied}
            </span>
          ) : (
            t.copyByHand
          )}
        </p>
        <LifeFacts link={link} />
        {canWatch && (
          <>
            <div class="ready-watch">
              <LinkButton kind="primary" icon="open" href={link.shortUrl} isExternal>
                {t.linkForms.create.watch}
              </LinkButton>
              <p role="status">
                <strong key={clicks} class={clicks > 0 ? 'count fresh' : 'count'}>
                  {t.clicks(clicks, formatNumber(clicks))}
                </strong>
              </p>
            </div>
            <p class="muted small">{t.linkForms.create.watching}</p>
          </>
        )}
        <div class="form-actions start">
          <Button onClick={again} icon="plus">
            {t.linkForms.create.another}
          </Button>
          <LinkButton href={`/app/links/${link.id}`}>{t.linkForms.create.details}</LinkButton>
        </div>
      </div>
      <QrCode text={scanned(link.shortUrl)} label={t.links.qr.alt(link.shortUrl)} name={link.slug} />
    </section>
  );
}
