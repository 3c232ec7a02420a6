import { useEffect, useState } from 'preact/hooks';
import { mutate } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import type { DeliveryLineFragment, DeliveryStatus } from '../api/generated/graphql.ts';
import type { Problem } from '../api/problem.ts';
import { formatAgo, formatMoment, formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { List } from '../ui/list.tsx';
import { EmptyState, ErrorPanel, Skeleton } from '../ui/states.tsx';
import { complain, say } from '../ui/toast.tsx';
import { Code } from './shown-once.tsx';
import type { Place } from './payload.ts';

export const LINE = graphql(`
  fragment DeliveryLine on Delivery {
    id
    messageId
    event
    batchSize
    status
    attemptCount
    nextAttemptAt
    createdAt
    completedAt
    attempts {
      attemptedAt
      statusCode
      durationMs
      responseStart
      error
    }
  }
`);

const REDELIVER = graphql(`
  mutation Redeliver($webhookId: ID!, $deliveryId: ID!) {
    redeliver(webhookId: $webhookId, deliveryId: $deliveryId) {
      id
    }
  }
`);

export type Delivery = DeliveryLineFragment;
type Attempt = Delivery['attempts'][number];

const TONES: Record<DeliveryStatus, string> = { PENDING: '', RETRYING: 'warning', SUCCEEDED: 'good', FAILED: 'danger' };

async function redeliver(webhookId: string, deliveryId: string): Promise<void> {
  const { problem } = await mutate(REDELIVER, { webhookId, deliveryId });
  if (problem) complain(problem);
  else say(t.developers.deliveries.redelivered);
}

const isGood = (statusCode: number | null | undefined): boolean =>
  statusCode != null && statusCode >= 200 && statusCode < 300;

function Answer({ attempt }: { attempt: Attempt }) {
  const { statusCode, error } = attempt;
  return (
    <span class={isGood(statusCode) && !error ? 'answer' : 'answer bad'}>
      {statusCode != null && <code>HTTP {statusCode}</code>}
      {error ? <bdi>{error}</bdi> : (statusCode == null && t.developers.deliveries.noAnswer)}
    </span>
  );
}

function Status({ delivery: { status, nextAttemptAt } }: { delivery: Delivery }) {
  const next = nextAttemptAt ? t.developers.deliveries.next(formatMoment(nextAttemptAt)) : undefined;
  return (
    <span class={`chip ${TONES[status]}`} title={next}>
      {t.developers.deliveries.status[status]}
    </span>
  );
}

interface LineProps {
  delivery: Delivery;
  webhookId: string;
  isActive: boolean;
  isFresh: boolean;
  open(): void;
}

function Line({ delivery, webhookId, isActive, isFresh, open }: LineProps) {
  const words = t.developers.deliveries;
  const { id, event, batchSize, attemptCount, attempts, createdAt } = delivery;
  const last = attempts.at(-1);
  return (
    <tr data-row class={isFresh ? 'fresh-row' : undefined}>
      <td class="cell-link">
        <button type="button" class="slug plain" data-open aria-haspopup="dialog" onClick={open}>
          {event}
        </button>
        {batchSize != null && <span class="muted small"> {words.batchOf(batchSize)}</span>}
        <div class="destination narrow-only">{last && <Answer attempt={last} />}</div>
      </td>
      <td>
        <Status delivery={delivery} />
      </td>
      <td class="wide-cell number">{formatNumber(attemptCount)}</td>
      <td class="wide-cell cell-answer">{last ? <Answer attempt={last} /> : <span class="muted">–</span>}</td>
      <td class="wide-cell muted">
        <time dateTime={createdAt} title={formatMoment(createdAt)}>
          {formatAgo(createdAt)}
        </time>
      </td>
      <td class="cell-actions">
        <div>
          <Button
            kind="quiet"
            icon="redo"
            label={`${words.redeliver}: ${event}`}
            dataKey="r"
            needs="WEBHOOKS_MANAGE"
            isWrite
            isDisabled={!isActive}
            onClick={() => void redeliver(webhookId, id)}
          />
        </div>
      </td>
    </tr>
  );
}

function Attempts({ attempts }: { attempts: Attempt[] }) {
  const words = t.developers.deliveries;
  if (attempts.length === 0) return <p class="muted small">{words.noAttempts}</p>;
  return (
    <ol class="attempts">
      {attempts.map((attempt, index) => (
        <li key={attempt.attemptedAt}>
          <div>
            <strong>{words.attempt(index + 1)}</strong>
            <Answer attempt={attempt} />
            <span class="muted small">
              <time dateTime={attempt.attemptedAt}>{formatMoment(attempt.attemptedAt)}</time> ·{' '}
              {words.duration(formatNumber(attempt.durationMs))}
            </span>
          </div>
          {attempt.responseStart && (
            <details>
              <summary>{words.body}</summary>
              <pre dir="auto">{attempt.responseStart}</pre>
            </details>
          )}
        </li>
      ))}
    </ol>
  );
}

function Payload({ place }: { place: Place }) {
  const [body, setBody] = useState<{ text?: string; problem?: Problem }>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    setBody(undefined);
    void import('./payload.ts').then(({ fetchBody }) => fetchBody(place)).then(setBody);
  }, [place.deliveryId, tries]);
  if (!body) return <Skeleton rows={3} />;
  if (body.problem) return <ErrorPanel problem={body.problem} retry={() => setTries(tries + 1)} />;
  if (body.text === undefined) return <p class="muted">{t.developers.deliveries.moved}</p>;
  return <Code text={body.text} copyLabel={t.developers.deliveries.copyPayload} />;
}

interface DeliveryDialogProps {
  delivery: Delivery;
  place: Place;
  isActive: boolean;
  onClose(): void;
}

export function DeliveryDialog({ delivery, place, isActive, onClose }: DeliveryDialogProps) {
  const words = t.developers.deliveries;
  const { event, messageId, attempts, nextAttemptAt, completedAt } = delivery;
  return (
    <Dialog title={words.open(event)} onClose={onClose} class="wide">
      <p class="delivery-facts small">
        <Status delivery={delivery} />
        {nextAttemptAt && <span class="muted">{words.next(formatMoment(nextAttemptAt))}</span>}
        {completedAt && <span class="muted">{words.finished(formatMoment(completedAt))}</span>}
      </p>
      <p class="delivery-facts small">
        <span class="muted">{words.message}</span>
        <code>{messageId}</code>
        <CopyButton text={messageId} label={words.copyId} />
      </p>
      <section class="field" aria-live="polite">
        <h3>{words.attempts}</h3>
        <Attempts attempts={attempts} />
      </section>
      <section class="field">
        <h3>{words.payload}</h3>
        <Payload place={place} />
      </section>
      <div class="form-actions">
        <Button icon="redo" needs="WEBHOOKS_MANAGE" isWrite isDisabled={!isActive} onClick={() => void redeliver(place.webhookId, place.deliveryId)}>
          {words.redeliver}
        </Button>
      </div>
    </Dialog>
  );
}

interface DeliveriesProps {
  list: { deliveries: Delivery[]; total: number; page: number; pageSize: number; totalPages: number };
  webhookId: string;
  isActive: boolean;
  isFiltered: boolean;
  fresh: ReadonlySet<string>;
  href(page: number): string;
  open(delivery: Delivery): void;
}

export function Deliveries({ list, webhookId, isActive, isFiltered, fresh, href, open }: DeliveriesProps) {
  const words = t.developers.deliveries;
  return (
    <List
      label={words.title}
      columns={[
        words.event,
        words.state,
        { title: words.attempts, class: 'wide-cell number' },
        { title: words.answer, class: 'wide-cell' },
        { title: words.when, class: 'wide-cell' },
      ]}
      page={{ ...list, data: list.deliveries }}
      row={(delivery) => (
        <Line
          key={delivery.id}
          delivery={delivery}
          webhookId={webhookId}
          isActive={isActive}
          isFresh={fresh.has(delivery.id)}
          open={() => open(delivery)}
        />
      )}
      href={href}
      isFiltered={isFiltered}
      empty={<EmptyState icon="send" title={words.empty} hint={words.emptyHint} />}
      none={<EmptyState icon="send" title={words.none} hint={words.noneHint} />}
    />
  );
}
