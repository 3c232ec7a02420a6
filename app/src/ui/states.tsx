import type { ComponentChildren } from 'preact';
import { Component } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Loaded } from '../api/use.ts';
import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { formatNumber, formatWait } from '../i18n/format.ts';
import { home, workspace } from '../session/role.ts';
import { Button, LinkButton } from './button.tsx';
import { Icon, type IconName } from './icons.tsx';
import { naming } from './naming.tsx';

/** Seconds left, counting down once a second from `seconds`. */
function useCountdown(seconds: number | undefined, of: unknown): number {
  const [left, setLeft] = useState(seconds ?? 0);
  useEffect(() => {
    const until = Date.now() + (seconds ?? 0) * 1000;
    const tick = () => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)));
    tick();
    const timer = setInterval(tick, 500);
    return () => clearInterval(timer);
  }, [of]);
  return left;
}

function words({ code, message, details, violations }: Problem): string {
  if (code === 'FORBIDDEN') {
    if (details.scope) return t.problem.scope(details.scope);
    if (details.reason === 'ACCOUNT_SUSPENDED') return t.problem.suspended;
    if (details.reason === 'REGISTRATION_CLOSED') return t.problem.registrationClosed;
    if (details.reason === 'PROOF_REQUIRED') return t.problem.proofRequired;
  }
  if (violations.length > 0) return violations.map(({ path, message: why }) => `${path} ${why}`).join('; ');
  const known = (t.problem as unknown as Record<string, string>)[code];
  return known ?? message;
}

const limited = (left: number): string => (left > 0 ? t.problem.rateLimited(formatWait(left)) : t.problem.limitOver);

/** An error, and the actions against it, on any page. */
export function ProblemText({ problem }: { problem: Problem }) {
  const { code, details, requestId, retryAfter, isUncertain } = problem;
  const left = useCountdown(retryAfter, problem);
  if (code === 'PLAN_LIMIT_REACHED') {
    const { used = 0, limit = 0, resource = '' } = details;
    const what = t.problem.resources[resource]?.(limit) ?? resource;
    return (
      <>
        <p>{t.problem.planLimit(formatNumber(used), formatNumber(limit), what)}</p>
        <LinkButton href="/app/billing">{t.problem.upgrade}</LinkButton>
      </>
    );
  }
  const isOurs = code === 'INTERNAL_ERROR' || code === 'UNREADABLE' || code === 'UNAVAILABLE';
  return (
    <>
      <p>{code === 'RATE_LIMITED' && retryAfter ? limited(left) : words(problem)}</p>
      {isUncertain && <p>{t.problem.uncertain}</p>}
      {isOurs && requestId && (
        <p class="muted small">
          {t.problem.request} <code>{requestId}</code>
        </p>
      )}
    </>
  );
}

/** The address of the list in which a page would be that has nothing to show. */
const listAbove = (): string => location.pathname.replace(/\/[^/]*$/, '');

/** In the place of what the user's role in the workspace does not have. */
export function Shut() {
  return (
    <div class="state" role="alert">
      <Icon name="info" />
      <h2>{naming(t.problem.shut, workspace.value ?? t.problem.here)}</h2>
      <p>{t.problem.shutHint}</p>
      <LinkButton href={home()}>{home() === '/app' ? t.shell.toOverview : t.shell.billing}</LinkButton>
    </div>
  );
}

interface ErrorProps {
  problem: Problem;
  retry?: () => void;
  isBusy?: boolean;
  /** What is said where the page's address leads to nothing. */
  missing?: string;
}

/** In the place of what could not be loaded. Comes back by itself when the service said when. */
export function ErrorPanel({ problem, retry, isBusy, missing = t.problem.missing }: ErrorProps) {
  const left = useCountdown(problem.retryAfter, problem);
  const waits = problem.retryAfter !== undefined;
  useEffect(() => {
    if (!waits || !retry) return undefined;
    const timer = setTimeout(retry, problem.retryAfter! * 1000);
    return () => clearTimeout(timer);
  }, [problem]);
  // To try again would change nothing.
  if (problem.code === 'FORBIDDEN' && problem.details.scope) return <Shut />;
  if (problem.code === 'NOT_FOUND') {
    return (
      <div class="state error" role="alert">
        <Icon name="info" />
        <h2>{missing}</h2>
        <p>{t.problem.missingHint}</p>
        <LinkButton href={listAbove()}>{t.problem.back}</LinkButton>
      </div>
    );
  }
  return (
    <div class="state error" role="alert">
      <Icon name="alert" />
      <h2>{t.problem.title}</h2>
      <ProblemText problem={problem} />
      {retry && (
        <div>
          <Button onClick={retry} isBusy={isBusy}>
            {t.action.retry}
          </Button>
          {waits && left > 0 && <span class="muted small">{t.problem.retryIn(formatWait(left))}</span>}
        </div>
      )}
    </div>
  );
}

interface EmptyProps {
  icon: IconName;
  title: string;
  hint?: string;
  children?: ComponentChildren;
}

export function EmptyState({ icon, title, hint, children }: EmptyProps) {
  return (
    <div class="state">
      <Icon name={icon} />
      <h2>{title}</h2>
      {hint && <p>{hint}</p>}
      {children}
    </div>
  );
}

/** Grey bars in the place of what is being loaded; CSS shows them after 200 ms, so that fast answers do not flicker. */
export function Skeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div class="skeleton" aria-busy="true">
      <p class="hidden" role="status">
        {t.loading}
      </p>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} />
      ))}
    </div>
  );
}

interface BannerProps {
  icon: IconName;
  kind?: 'warning' | 'info';
  /** It can be put away. */
  onClose?: () => void;
  children: ComponentChildren;
}

export function Banner({ icon, kind = 'warning', onClose, children }: BannerProps) {
  return (
    <div class={`banner ${kind}`} role="status">
      <Icon name={icon} />
      <div>{children}</div>
      {onClose && <Button kind="quiet" icon="close" label={t.action.close} onClick={onClose} />}
    </div>
  );
}

interface PanelProps<Data> {
  loaded: Loaded<Data>;
  rows?: number;
  /** What is said where the page's address leads to nothing. */
  missing?: string;
  children: (data: Data) => ComponentChildren;
}

/** The loaded data, or the state of loading it. Older data stays in sight when loading it again fails. */
export function Panel<Data>({ loaded, rows, missing, children }: PanelProps<Data>) {
  const { data, problem, isLoading, reload } = loaded;
  return (
    <>
      {problem && <ErrorPanel problem={problem} retry={reload} isBusy={isLoading} missing={missing} />}
      {data ? <div aria-busy={isLoading}>{children(data)}</div> : !problem && <Skeleton rows={rows} />}
    </>
  );
}

/** Keeps a failure of the code below it from taking the page along. */
export class Boundary extends Component<{ children: ComponentChildren }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  override componentDidCatch() {
    this.setState({ hasFailed: true });
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <>
        <h1 class="hidden">{t.problem.title}</h1>
        <div class="state error" role="alert">
          <Icon name="alert" />
          <h2>{t.shell.crashed}</h2>
          <Button onClick={() => this.setState({ hasFailed: false })}>{t.action.retry}</Button>
        </div>
      </>
    );
  }
}
