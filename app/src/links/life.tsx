// When a link begins and ends, and how often it can be followed.
import type { LinkCoreFragment, LinkState } from '../api/generated/graphql.ts';
import { formatMinute, formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { readable } from './address.ts';
import type { Fields } from './fields.ts';

type Life = Pick<Fields, 'startsAt' | 'expiresAt' | 'expiredUrl' | 'maxClicks'>;

const hasLife = ({ startsAt, expiresAt, expiredUrl, maxClicks }: Life): boolean =>
  startsAt !== null || expiresAt !== null || expiredUrl !== null || maxClicks !== null;

const CHIPS: Partial<Record<LinkState, string>> = {
  SCHEDULED: 'chip accent',
  EXPIRED: 'chip warning',
  USED_UP: 'chip warning',
  BLOCKED: 'chip danger',
};

/** Why a link does not lead to its destination, unless its switch says so, and whether lists leave it out. */
export function LinkChips({ link: { state, isArchived } }: { link: LinkCoreFragment }) {
  return (
    <>
      {state !== 'ACTIVE' && CHIPS[state] && <span class={CHIPS[state]}>{t.links.states[state]}</span>}
      {isArchived && <span class="chip">{t.links.archive.chip}</span>}
    </>
  );
}

/** The state of a link and its limits in words; nothing of one that redirects for ever. The word of its state is a chip. */
export function LifeFacts({ link }: { link: LinkCoreFragment }) {
  const { state, startsAt, expiresAt, expiredUrl, maxClicks, usedClicks, isArchived, hasPassword, asksFirst, notice } = link;
  const isGated = hasPassword || asksFirst || notice !== null;
  if (state === 'ACTIVE' && !hasLife(link) && !isArchived && !isGated) return null;
  const words = t.links.life;
  const isPast = (at: string) => Date.parse(at) <= Date.now();
  const used = usedClicks ?? 0;
  const chipIf = (its: LinkState) => (state === its ? CHIPS[its] : undefined);
  return (
    <p class="muted small facts">
      {(state === 'INACTIVE' || state === 'BLOCKED') && <span class={CHIPS[state]}>{t.links.states[state]}</span>}
      {startsAt && <span class={chipIf('SCHEDULED')}>{(isPast(startsAt) ? words.started : words.starts)(formatMinute(startsAt))}</span>}
      {expiresAt && <span class={chipIf('EXPIRED')}>{(isPast(expiresAt) ? words.expired : words.expires)(formatMinute(expiresAt))}</span>}
      {maxClicks && (
        <span class={chipIf('USED_UP')}>
          {(used < maxClicks ? words.used : words.usedUp)(formatNumber(used), formatNumber(maxClicks), maxClicks)}
        </span>
      )}
      {expiredUrl && (
        <span>
          {words.afterwards}{' '}
          <a href={expiredUrl} dir="auto" target="_blank" rel="noreferrer">
            {readable(expiredUrl)}
          </a>
        </span>
      )}
      {hasPassword && <span class="chip">{t.links.gate.hasPassword}</span>}
      {(asksFirst || notice !== null) && <span class="chip">{t.links.gate.asks}</span>}
      {notice !== null && <span dir="auto">{notice}</span>}
      {isArchived && (
        <>
          <span class="chip">{t.links.archive.chip}</span>
          <span>{t.links.archive.hint}</span>
        </>
      )}
    </p>
  );
}
