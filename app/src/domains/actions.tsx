// Actions on domains, for each page that shows them.
import { useEffect, useState } from 'preact/hooks';
import { fetchOnce, mutate } from '../api/client.ts';
import { CreateDomainInput } from '../api/generated/constraints.ts';
import { graphql } from '../api/generated/gql.ts';
import { formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { Field, Form } from '../ui/form.tsx';
import { naming } from '../ui/naming.tsx';
import { say } from '../ui/toast.tsx';

const CREATE = graphql(`
  mutation CreateDomain($input: CreateDomainInput!) {
    createDomain(input: $input) {
      id
    }
  }
`);

const DELETE = graphql(`
  mutation DeleteDomain($id: ID!) {
    deleteDomain(id: $id)
  }
`);

const AFFECTED = graphql(`
  query LinksOnDomain($domain: String!) {
    links(domain: $domain, isArchived: null, pageSize: 1) {
      total
    }
  }
`);

/** The host in what people paste for one: an address, or a name with a dot at its end. */
const hostIn = (text: string): string =>
  text
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/[/?#:].*$/, '')
    .replace(/\.$/, '');

export function AddDialog({ onClose, onDone }: { onClose(): void; onDone(id: string): void }) {
  async function send(values: FormData) {
    const { data, problem } = await mutate(CREATE, { input: { domain: hostIn(String(values.get('domain'))) } });
    if (problem) return problem;
    onDone(data.createDomain.id);
    return undefined;
  }
  return (
    <Dialog title={t.domains.add} onClose={onClose} keepsInput>
      <Form submit={t.domains.create.submit} onSubmit={send} onCancel={onClose}>
        <Field
          name="domain"
          label={t.domains.create.name}
          hint={t.domains.create.hint}
          placeholder="go.example.com"
          inputMode="url"
          rule={CreateDomainInput.domain}
          hasFocus
        />
        <p class="muted small">{t.domains.create.taken}</p>
      </Form>
    </Dialog>
  );
}

interface RemoveProps {
  domain: { id: string; domain: string };
  onClose(): void;
  onDone?: () => void;
}

export function RemoveDialog({ domain: { id, domain }, onClose, onDone }: RemoveProps) {
  const [links, setLinks] = useState<number>();
  useEffect(() => {
    void fetchOnce(AFFECTED, { domain }).then(({ data }) => setLinks(data?.links.total));
  }, [domain]);
  const { remove } = t.domains;
  const text = (name: string) =>
    links === 0 ? remove.none(name) : links ? remove.counted(links, formatNumber(links), name) : remove.text(name);

  async function act() {
    const { problem } = await mutate(DELETE, { id }, ['CustomDomain', 'DomainPageResult']);
    if (!problem) {
      say(naming(remove.done, domain));
      onDone?.();
    }
    return problem;
  }
  return (
    <Confirm
      title={naming(remove.title, domain)}
      text={naming(text, domain)}
      confirm={remove.confirm}
      onConfirm={act}
      onClose={onClose}
    />
  );
}
