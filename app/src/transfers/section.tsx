import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { mutate } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import type { TransferFactsFragment, TransfersFragment } from '../api/generated/graphql.ts';
import type { Problem } from '../api/problem.ts';
import { formatDay, formatMoment, formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { readableShort } from '../links/address.ts';
import { account } from '../session/role.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { Confirm, Dialog, type Open } from '../ui/dialog.tsx';
import { Form } from '../ui/form.tsx';
import { naming } from '../ui/naming.tsx';
import { Banner } from '../ui/states.tsx';
import { complain, say } from '../ui/toast.tsx';

export const TRANSFER_FACTS = graphql(`
  fragment TransferFacts on Transfer {
    id
    fromAccount {
      id
      name
    }
    toAccount {
      id
      name
    }
    domain
    shortUrls
    linkCount
    movedLinks
    state
    expiresAt
  }
`);

export const TRANSFERS = graphql(`
  fragment Transfers on TransferPageResult {
    total
    data {
      ...TransferFacts
    }
  }
`);

const ACCEPT = graphql(`
  mutation AcceptTransfer($id: ID!) {
    acceptTransfer(id: $id) {
      id
    }
  }
`);

const DELETE = graphql(`
  mutation DeleteTransfer($id: ID!) {
    deleteTransfer(id: $id)
  }
`);

/** Data that a mutation fetches again, since an empty list does not show that it is of transfers. */
export const TRANSFER_TYPES = ['Transfer', 'TransferPageResult'];
/** What else an accepted transfer changes. */
const ACCEPTED_TYPES = [...TRANSFER_TYPES, 'Link', 'LinkPageResult', 'CustomDomain', 'DomainPageResult'];
/** How often it is looked how far links are that move, in milliseconds. */
const LOOK_EVERY_MS = 2000;
/** Of more links, the first are named in the list. */
const MOST_NAMED = 3;

type Transfer = TransferFactsFragment;

const isReceived = ({ toAccount }: Transfer): boolean => toAccount.id === account.value;
const waits = ({ state }: Transfer): boolean => state === 'OFFERED';

const linksOf = ({ linkCount }: Transfer): string => t.transfers.links(linkCount, formatNumber(linkCount));
/** In one line: the names of buttons have it. */
const whatOf = (transfer: Transfer): string => (transfer.domain ? t.transfers.domain(transfer.domain, linksOf(transfer)) : linksOf(transfer));

/** Takes an offer back, or declines it. That somebody else did so is as good. */
async function end(id: string, done: string): Promise<Problem | undefined> {
  const { problem } = await mutate(DELETE, { id }, TRANSFER_TYPES);
  if (problem?.code === 'CONFLICT') return { ...problem, message: t.transfers.accept.accepted };
  if (problem && problem.code !== 'NOT_FOUND') return problem;
  say(done);
  return undefined;
}

function explain({ code, details }: Problem): ComponentChildren {
  const words = t.transfers.accept;
  if (code === 'NOT_FOUND') return words.gone;
  if (code !== 'CONFLICT') return undefined;
  if (details.externalIds) return naming(words.externalIds, details.externalIds.join(', '));
  return details.path === 'domain' ? words.taken : words.accepted;
}

function AcceptDialog({ transfer, onClose }: { transfer: Transfer; onClose(): void }) {
  const words = t.transfers.accept;
  const { id, fromAccount, domain, shortUrls } = transfer;
  async function accept() {
    const { problem } = await mutate(ACCEPT, { id }, ACCEPTED_TYPES);
    if (problem) return problem;
    say(words.done);
    onClose();
    return undefined;
  }
  return (
    <Dialog title={naming(words.title, fromAccount.name)} onClose={onClose}>
      <p>{domain ? naming((name) => words.domain(t.transfers.domain(name, linksOf(transfer))), domain) : words.links}</p>
      {shortUrls.length > 0 && (
        <ul class="given">
          {shortUrls.map((url) => (
            <li key={url} dir="auto">
              {readableShort(url)}
            </li>
          ))}
        </ul>
      )}
      <Form submit={words.do} onSubmit={accept} onCancel={onClose} explain={explain}>
        {null}
      </Form>
    </Dialog>
  );
}

function DeclineDialog({ transfer: { id, fromAccount }, onClose }: { transfer: Transfer; onClose(): void }) {
  const words = t.transfers.decline;
  return (
    <Confirm
      title={naming(words.title, fromAccount.name)}
      text={naming(words.text, fromAccount.name)}
      confirm={words.do}
      onConfirm={() => end(id, words.done)}
      onClose={onClose}
    />
  );
}

function TakeBack({ transfer }: { transfer: Transfer }) {
  const words = t.transfers.takeBack;
  const [isBusy, setBusy] = useState(false);
  async function act() {
    setBusy(true);
    const problem = await end(transfer.id, words.done);
    setBusy(false);
    if (problem) complain(problem);
  }
  return (
    <Button isWrite isOpener isBusy={isBusy} label={words.label(whatOf(transfer), transfer.toAccount.name)} onClick={() => void act()}>
      {words.do}
    </Button>
  );
}

/** How far a transfer is. */
function Progress({ transfer: { state, movedLinks, linkCount, expiresAt }, isOurs }: { transfer: Transfer; isOurs: boolean }) {
  const words = t.transfers;
  if (state === 'DONE') return <>{words.done}</>;
  if (state === 'OFFERED') return <span title={formatMoment(expiresAt)}>{(isOurs ? words.received : words.made)(formatDay(expiresAt))}</span>;
  const told = words.moving(formatNumber(movedLinks), formatNumber(linkCount));
  return (
    <span class="progress">
      <progress max={Math.max(linkCount, 1)} value={movedLinks} aria-label={told} />
      {told}
    </span>
  );
}

function What({ transfer }: { transfer: Transfer }) {
  const { domain, shortUrls } = transfer;
  const left = shortUrls.length - MOST_NAMED;
  return (
    <>
      {domain ? naming((name) => t.transfers.domain(name, linksOf(transfer)), domain) : linksOf(transfer)}
      {shortUrls.length > 0 && (
        <p class="muted small facts">
          {shortUrls.slice(0, MOST_NAMED).map((url) => (
            <bdi key={url}>{readableShort(url)}</bdi>
          ))}
          {left > 0 && <span>{t.transfers.more(formatNumber(left))}</span>}
        </p>
      )}
    </>
  );
}

function Row({ transfer, open }: { transfer: Transfer; open: Open }) {
  const { accept, decline, from, to } = t.transfers;
  const { fromAccount, toAccount } = transfer;
  const isOurs = isReceived(transfer);
  let actions: ComponentChildren = null;
  if (waits(transfer) && !isOurs) actions = <TakeBack transfer={transfer} />;
  else if (waits(transfer)) {
    actions = (
      <>
        <Button isWrite isOpener kind="primary" label={accept.label(whatOf(transfer), fromAccount.name)} onClick={() => open(AcceptDialog, { transfer })}>
          {accept.do}
        </Button>
        <Button isWrite label={decline.label(whatOf(transfer), fromAccount.name)} onClick={() => open(DeclineDialog, { transfer })}>
          {decline.do}
        </Button>
      </>
    );
  }
  return (
    <div class="fact" data-row={actions ? '' : undefined}>
      <dt>{isOurs ? naming(from, fromAccount.name) : naming(to, toAccount.name)}</dt>
      <dd>
        <What transfer={transfer} />
        <div class="muted small">
          <Progress transfer={transfer} isOurs={isOurs} />
        </div>
      </dd>
      {actions && <dd class="fact-note">{actions}</dd>}
    </div>
  );
}

/** Says that offers wait for the account. */
export function Waiting({ transfers }: { transfers: TransfersFragment }) {
  if (!transfers.data.some((transfer) => waits(transfer) && isReceived(transfer))) return null;
  return (
    <Banner icon="info" kind="info">
      {t.transfers.waiting}
    </Banner>
  );
}

/** What other accounts give and get: offers received, then those made, then what was accepted in the last 30 days. */
export function Transfers({ transfers: { data, total }, reload, open }: { transfers: TransfersFragment; reload(): void; open: Open }) {
  const words = t.transfers;
  const rank = (transfer: Transfer) => (waits(transfer) ? (isReceived(transfer) ? 0 : 1) : 2);
  const sorted = data.toSorted((a, b) => rank(a) - rank(b));
  const isMoving = data.some(({ state }) => state === 'MOVING');
  useEffect(() => {
    if (!isMoving) return undefined;
    const timer = setInterval(reload, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [isMoving]);
  const id = account.value ?? '';
  return (
    <section class="card" aria-labelledby="transfers" tabIndex={-1}>
      <h2 id="transfers">{words.title}</h2>
      <dl class="settings-facts">
        <div class="fact">
          <dt>{words.id}</dt>
          <dd>
            <code>{id}</code>
            <p class="muted small">{words.idHint}</p>
          </dd>
          <dd>
            <CopyButton text={id} label={words.copyId} />
          </dd>
        </div>
        {sorted.map((transfer) => (
          <Row key={transfer.id} transfer={transfer} open={open} />
        ))}
      </dl>
      {total > data.length && <p class="muted small">{words.newest(formatNumber(data.length), formatNumber(total))}</p>}
    </section>
  );
}
