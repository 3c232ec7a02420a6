import { useState } from 'preact/hooks';
import { mutate } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import type { SessionRowFragment } from '../api/generated/graphql.ts';
import { formatAgo, formatCountry, formatMoment } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { signOut } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Icon } from '../ui/icons.tsx';
import { complain, say } from '../ui/toast.tsx';

export const SESSION_ROW = graphql(`
  fragment SessionRow on Session {
    id
    browser
    os
    country
    createdAt
    lastSeenAt
    isCurrent
  }
`);

const END = graphql(`
  mutation EndSession($id: ID!) {
    endSession(id: $id)
  }
`);

const END_OTHERS = graphql(`
  mutation EndOtherSessions {
    endOtherSessions {
      endedCount
    }
  }
`);

const HANDHELD = ['iOS', 'Android'];
const TYPES = ['Session', 'SessionListResult'];

function deviceOf({ browser, os }: SessionRowFragment): string {
  const name = browser ?? t.settings.sessions.unknownBrowser;
  return os ? t.settings.sessions.device(name, os) : name;
}

function SessionRow({ session }: { session: SessionRowFragment }) {
  const words = t.settings.sessions;
  const [isBusy, setBusy] = useState(false);
  const device = deviceOf(session);
  async function end() {
    setBusy(true);
    const { problem } = await mutate(END, { id: session.id }, TYPES);
    setBusy(false);
    // Somebody else ended it, which is as good.
    if (problem && problem.code !== 'NOT_FOUND') complain(problem);
    else say(words.ended(device));
  }
  return (
    <li class="session" data-row={session.isCurrent ? undefined : ''}>
      <Icon name={HANDHELD.includes(session.os ?? '') ? 'phone' : 'system'} />
      <div>
        <p class="session-name">
          <strong dir="auto">{device}</strong>
          {session.isCurrent && <span class="chip accent">{words.current}</span>}
        </p>
        <p class="muted small facts">
          {session.country && <span>{formatCountry(session.country)}</span>}
          <span title={formatMoment(session.createdAt)}>{words.began(formatAgo(session.createdAt))}</span>
          {!session.isCurrent && <span title={formatMoment(session.lastSeenAt)}>{words.seen(formatAgo(session.lastSeenAt))}</span>}
        </p>
      </div>
      {!session.isCurrent && (
        <Button isWrite isOpener label={words.endLabel(device)} isBusy={isBusy} onClick={() => void end()}>
          {words.end}
        </Button>
      )}
    </li>
  );
}

type Asked = 'others' | 'everywhere';

export function Sessions({ sessions }: { sessions: SessionRowFragment[] }) {
  const words = t.settings.sessions;
  const [asked, setAsked] = useState<Asked>();
  const isAlone = sessions.every(({ isCurrent }) => isCurrent);

  async function endOthers() {
    const { data, problem } = await mutate(END_OTHERS, {}, TYPES);
    if (data) say(words.othersEnded(data.endOtherSessions.endedCount));
    return problem;
  }
  async function endAll() {
    const { problem } = await mutate(END_OTHERS, {});
    if (!problem) await signOut();
    return problem;
  }

  return (
    <>
      <ol class="sessions" tabIndex={-1} aria-label={words.label}>
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ol>
      {isAlone && <p class="muted small">{words.alone}</p>}
      <div class="form-actions start">
        {!isAlone && (
          <Button isWrite onClick={() => setAsked('others')}>
            {words.endOthers}
          </Button>
        )}
        <Button isWrite icon="signOut" onClick={() => setAsked('everywhere')}>
          {words.everywhere}
        </Button>
      </div>
      {asked === 'others' && (
        <Confirm
          title={words.endOthersTitle}
          text={words.endOthersText}
          confirm={words.endOthers}
          onConfirm={endOthers}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked === 'everywhere' && (
        <Confirm
          title={words.everywhereTitle}
          text={words.everywhereText}
          confirm={words.everywhere}
          onConfirm={endAll}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
