import { useState } from 'preact/hooks';
import { mutate } from '../api/client.ts';
import { OfferTransferInput } from '../api/generated/constraints.ts';
import { graphql } from '../api/generated/gql.ts';
import type { TransferChoicesQuery } from '../api/generated/graphql.ts';
import type { Problem } from '../api/problem.ts';
import { useData } from '../api/use.ts';
import { formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { readableShort } from '../links/address.ts';
import { account } from '../session/role.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Select } from '../ui/field.tsx';
import { Field, Form } from '../ui/form.tsx';
import { naming } from '../ui/naming.tsx';
import { Panel } from '../ui/states.tsx';
import { say } from '../ui/toast.tsx';

const CHOICES = graphql(`
  query TransferChoices($domain: String, $isDomain: Boolean!) {
    me {
      memberships {
        account {
          id
          name
        }
      }
    }
    instance {
      baseUrl
    }
    links(domain: $domain, isArchived: null, pageSize: 1) @include(if: $isDomain) {
      total
    }
  }
`);

const OFFER = graphql(`
  mutation OfferTransfer($input: OfferTransferInput!) {
    offerTransfer(input: $input) {
      id
      toAccount {
        id
        name
      }
    }
  }
`);

/** In the place of an account's id. */
const OTHER = 'other';
const MOST: number = OfferTransferInput.linkIds.maxItems;

interface Link {
  id: string;
  shortUrl: string;
}

interface GiveProps {
  /** Those that are given one by one; null: too many. */
  links?: Link[] | null;
  /** Given with all links on it. */
  domain?: { id: string; domain: string };
  onClose(): void;
  onDone?: () => void;
}

/** What is wrong with the id is said at its field. */
function inWords(problem: Problem, id: string): Problem {
  const isUnknown = problem.details.path === 'toAccountId' || problem.violations.some(({ path }) => path.endsWith('toAccountId'));
  const message = id === account.value ? t.transfers.give.own : t.transfers.give.noAccount;
  return isUnknown ? { ...problem, violations: [{ path: 'toAccountId', message }] } : problem;
}

function explain({ code, violations }: Problem): string | undefined {
  if (code === 'PLAN_LIMIT_REACHED') return t.transfers.give.tooMany;
  return violations.some(({ path }) => path.includes('linkIds')) ? t.transfers.give.changed : undefined;
}

function GiveForm({ links, domain, data, onClose, onDone }: GiveProps & { data: TransferChoicesQuery }) {
  const words = t.transfers.give;
  const others = data.me.memberships.map((each) => each.account).filter(({ id }) => id !== account.value);
  const [choice, setChoice] = useState(others[0]?.id ?? OTHER);
  const count = data.links?.total ?? links?.length ?? 0;
  const withLinks = (name: string) => words.domain(formatNumber(count), name);

  async function send(values: FormData) {
    const toAccountId = choice === OTHER ? String(values.get('toAccountId')).trim() : choice;
    const what = domain ? { domainId: domain.id } : { linkIds: links?.map(({ id }) => id) };
    const { data: made, problem } = await mutate(OFFER, { input: { toAccountId, ...what } }, ['TransferPageResult']);
    if (problem) return inWords(problem, toAccountId);
    say(naming(words.offered, made.offerTransfer.toAccount.name));
    onDone?.();
    onClose();
    return undefined;
  }
  return (
    <>
      <p>{domain ? naming(withLinks, domain.domain) : words.links(count, formatNumber(count))}</p>
      <ul class="given">
        <li>{words.redirects}</li>
        <li>{words.clicks}</li>
        <li>{words.access}</li>
        <li>{words.days}</li>
      </ul>
      <Form submit={words.submit} onSubmit={send} onCancel={onClose} explain={explain}>
        {others.length > 0 && (
          <Select
            label={words.to}
            value={choice}
            onChange={setChoice}
            options={[...others.map(({ id, name }) => ({ value: id, label: name })), { value: OTHER, label: words.other }]}
          />
        )}
        {choice === OTHER && (
          <Field name="toAccountId" label={words.id} hint={words.idHint} rule={OfferTransferInput.toAccountId} hasFocus={others.length === 0} />
        )}
      </Form>
    </>
  );
}

/** Offers links, or a domain with all of its links, to another account. Says why that can't be. */
export function GiveDialog(props: GiveProps) {
  const { links, domain, onClose } = props;
  const words = t.transfers.give;
  const loaded = useData(CHOICES, { domain: domain?.domain, isDomain: domain !== undefined });
  const close = (
    <Button kind="primary" onClick={onClose}>
      {t.action.close}
    </Button>
  );

  function content(data: TransferChoicesQuery) {
    const host = new URL(data.instance.baseUrl).host;
    const elsewhere = links?.filter(({ shortUrl }) => new URL(shortUrl).host !== host) ?? [];
    if (links === null || (links && links.length > MOST)) {
      return (
        <>
          <p>{words.most(formatNumber(MOST))}</p>
          <div class="form-actions">{close}</div>
        </>
      );
    }
    if (elsewhere.length === 0) return <GiveForm {...props} data={data} />;
    return (
      <>
        <p>{words.elsewhere(elsewhere.length)}</p>
        <ul class="given">
          {elsewhere.map(({ id, shortUrl }) => (
            <li key={id} dir="auto">
              {readableShort(shortUrl)}
            </li>
          ))}
        </ul>
        <div class="form-actions">
          <LinkButton href="/app/domains" onClick={onClose}>
            {words.toDomains}
          </LinkButton>
          {close}
        </div>
      </>
    );
  }
  return (
    <Dialog title={words.title} onClose={onClose} keepsInput>
      <Panel loaded={loaded} rows={4}>
        {content}
      </Panel>
    </Dialog>
  );
}
