// Keys that apps ship with.
import { mutate } from '../api/client.ts';
import { CreatePublishableKeyInput } from '../api/generated/constraints.ts';
import { graphql } from '../api/generated/gql.ts';
import type { AppsPageQuery } from '../api/generated/graphql.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { Confirm, Dialog, type Open } from '../ui/dialog.tsx';
import { Check, Field, Form } from '../ui/form.tsx';
import { List } from '../ui/list.tsx';
import { naming } from '../ui/naming.tsx';
import { EmptyState } from '../ui/states.tsx';
import { say } from '../ui/toast.tsx';
import { useVersion } from '../ui/version.ts';

const CREATE = graphql(`
  mutation CreatePublishableKey($input: CreatePublishableKeyInput!) {
    createPublishableKey(input: $input) {
      id
    }
  }
`);

const UPDATE = graphql(`
  mutation UpdatePublishableKey($id: ID!, $input: UpdatePublishableKeyInput!) {
    updatePublishableKey(id: $id, input: $input) {
      id
    }
  }
`);

const DELETE = graphql(`
  mutation DeletePublishableKey($id: ID!) {
    deletePublishableKey(id: $id)
  }
`);

/** Data that these change. */
export const TYPE = 'PublishableKey';

type Page = AppsPageQuery['publishableKeys'];
type Key = Page['data'][number];

function KeyDialog({ known, hosts, onClose }: { known?: Key; hosts: string[]; onClose(): void }) {
  const words = t.apps;
  const version = useVersion(known?.updatedAt);
  // A host that the account no longer has can be taken away.
  const all = [...new Set([...hosts, ...(known?.hosts ?? [])])];
  async function send(values: FormData) {
    const name = String(values.get('name')).trim();
    const input = { name, hosts: all.filter((host) => values.has(`on:${host}`)) };
    const { problem } = known
      ? await mutate(UPDATE, { id: known.id, input: version.of(input) })
      : await mutate(CREATE, { input }, [TYPE]);
    if (problem) return version.told(problem);
    say(naming(known ? words.changed : words.created, name));
    onClose();
    return undefined;
  }
  return (
    <Dialog title={known ? naming(words.editTitle, known.name) : words.create} onClose={onClose} keepsInput>
      <Form submit={known ? t.action.save : words.submit} onSubmit={send} onCancel={onClose}>
        <Field name="name" label={words.name} value={known?.name} rule={CreatePublishableKeyInput.name} hasFocus />
        <fieldset>
          <legend>{words.hosts}</legend>
          {all.map((host) => (
            <Check key={host} name={`on:${host}`} label={host} isOn={!known || known.hosts.includes(host)} />
          ))}
        </fieldset>
      </Form>
    </Dialog>
  );
}

function DeleteDialog({ known: { id, name }, onClose }: { known: Key; onClose(): void }) {
  const words = t.apps;
  async function act() {
    const { problem } = await mutate(DELETE, { id }, [TYPE]);
    if (!problem) say(naming(words.removed, name));
    return problem;
  }
  return <Confirm title={naming(words.removeTitle, name)} text={words.removeText} confirm={words.removeConfirm} onConfirm={act} onClose={onClose} />;
}

function Row({ known, hosts, open }: { known: Key; hosts: string[]; open: Open }) {
  const words = t.apps;
  return (
    <tr data-row>
      <td class="cell-link">
        <strong dir="auto">{known.name}</strong>
        <div class="link-name">
          <code>{known.key}</code>
          <CopyButton text={known.key} label={words.copy(known.name)} dataKey="y" />
        </div>
        <p class="muted small">{known.hosts.join(', ')}</p>
      </td>
      <td class="cell-actions">
        <div>
          <Button kind="quiet" icon="edit" label={words.edit(known.name)} dataKey="e" isOpener needs="DOMAINS_MANAGE" isWrite onClick={() => open(KeyDialog, { known, hosts })} />
          <Button kind="quiet" icon="trash" label={words.remove(known.name)} needs="DOMAINS_MANAGE" isWrite onClick={() => open(DeleteDialog, { known })} />
        </div>
      </td>
    </tr>
  );
}

export function Keys({ page, hosts, open }: { page: Page; hosts: string[]; open: Open }) {
  const words = t.apps;
  const create = (
    <Button icon="plus" dataKey="c" needs="DOMAINS_MANAGE" isWrite onClick={() => open(KeyDialog, { hosts })}>
      {words.create}
    </Button>
  );
  return (
    <section aria-labelledby="keys">
      <h2 id="keys">{words.keys}</h2>
      <p class="muted">{words.keysLead}</p>
      <List
        label={words.keys}
        columns={[words.name]}
        page={page}
        row={(known) => <Row key={known.id} known={known} hosts={hosts} open={open} />}
        empty={
          <EmptyState icon="key" title={words.empty} hint={words.emptyHint}>
            {create}
          </EmptyState>
        }
      />
      {page.total > 0 && create}
    </section>
  );
}
