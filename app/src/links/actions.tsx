// What can be done to a link, wherever it is shown.
import { useState } from 'preact/hooks';
import { mutate } from '../api/client.ts';
import { UpdateLinkInput } from '../api/generated/constraints.ts';
import { graphql } from '../api/generated/gql.ts';
import type { LinkCoreFragment } from '../api/generated/graphql.ts';
import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { Field, Form } from '../ui/form.tsx';
import { QrCode } from '../ui/qr.tsx';
import { complain, say } from '../ui/toast.tsx';
import { readable, withScheme } from './address.ts';
import { changes } from './fields.ts';
import { hasLife, LifeFields } from './life.tsx';
import { TextFields, TitleField } from './texts.tsx';

export const LINK_CORE = graphql(`
  fragment LinkCore on Link {
    id
    slug
    domain
    shortUrl
    destinationUrl
    title
    notes
    externalId
    isActive
    state
    startsAt
    expiresAt
    expiredUrl
    maxClicks
    usedClicks
    isArchived
  }
`);

type Link = LinkCoreFragment;

export const UPDATE = graphql(`
  mutation UpdateLink($id: ID!, $input: UpdateLinkInput!) {
    updateLink(id: $id, input: $input) {
      id
      slug
      shortUrl
      destinationUrl
      isActive
    }
  }
`);

const DELETE = graphql(`
  mutation DeleteLink($id: ID!) {
    deleteLink(id: $id)
  }
`);

export const nameOf = (link: Link): string => readable(link.shortUrl);

/** Answers whether it was changed, and says so. */
export async function switchLink(link: Link, isActive: boolean): Promise<boolean> {
  const { problem } = await mutate(UPDATE, { id: link.id, input: { isActive } });
  if (problem) complain(problem);
  else say(isActive ? t.links.switched.on(nameOf(link)) : t.links.switched.off(nameOf(link)));
  return !problem;
}

/** Says what it means, as a link that is not in the list any more may seem to be gone. */
export async function archiveLink(link: Link, isArchived: boolean): Promise<void> {
  const { problem } = await mutate(UPDATE, { id: link.id, input: { isArchived } });
  if (problem) complain(problem);
  else say(isArchived ? t.links.archive.done(nameOf(link)) : t.links.archive.undone(nameOf(link)));
}

export async function deleteLink(id: string): Promise<Problem | undefined> {
  const { problem } = await mutate(DELETE, { id }, ['Link', 'LinkPageResult']);
  return problem;
}

interface DialogProps {
  link: Link;
  onClose(): void;
}

export function EditDialog({ link, onClose }: DialogProps) {
  const [slug, setSlug] = useState(link.slug);
  async function send(values: FormData) {
    const given = {
      destinationUrl: withScheme(String(values.get('destinationUrl'))),
      slug: String(values.get('slug')),
    };
    const input = {
      ...(given.destinationUrl !== link.destinationUrl && { destinationUrl: given.destinationUrl }),
      ...(given.slug !== link.slug && { slug: given.slug }),
      ...changes(values, link),
    };
    const { problem } = await mutate(UPDATE, { id: link.id, input });
    if (problem) return problem;
    say(t.links.edit.saved);
    onClose();
    return undefined;
  }
  return (
    <Dialog title={t.links.edit.title} onClose={onClose} keepsInput>
      <Form submit={t.action.save} onSubmit={send} onCancel={onClose}>
        <Field
          name="destinationUrl"
          label={t.links.destination}
          value={link.destinationUrl}
          inputMode="url"
          rule={{ ...UpdateLinkInput.destinationUrl, required: true }}
          hasFocus
        />
        <Field
          name="slug"
          label={t.links.slug}
          value={link.slug}
          prefix={`${link.domain}/`}
          rule={{ ...UpdateLinkInput.slug, required: true }}
          hint={slug === link.slug ? undefined : t.links.edit.slugWarning}
          onInput={setSlug}
        />
        <TitleField value={link.title ?? undefined} />
        <details class="more" open={hasLife(link) || link.notes !== null || link.externalId !== null}>
          <summary>{t.links.more}</summary>
          <TextFields link={link} />
          <LifeFields link={link} />
        </details>
      </Form>
    </Dialog>
  );
}

export function QrDialog({ link, onClose }: DialogProps) {
  return (
    <Dialog title={t.links.qr.title} onClose={onClose}>
      <QrCode text={link.shortUrl} name={link.slug} />
      <p class="center muted">{nameOf(link)}</p>
    </Dialog>
  );
}

export function DeleteDialog({ link, onClose, onDone }: DialogProps & { onDone?: () => void }) {
  async function act() {
    const problem = await deleteLink(link.id);
    if (!problem) {
      say(t.links.remove.done(nameOf(link)));
      onDone?.();
    }
    return problem;
  }
  return (
    <Confirm
      title={t.links.remove.title(1)}
      text={t.links.remove.one(nameOf(link))}
      confirm={t.action.delete}
      onConfirm={act}
      onClose={onClose}
    />
  );
}

export type Asked = 'edit' | 'qr' | 'delete';

/** The dialog that was asked for, if any. */
export function LinkDialog({ asked, ...props }: DialogProps & { asked: Asked; onDone?: () => void }) {
  if (asked === 'edit') return <EditDialog {...props} />;
  if (asked === 'qr') return <QrDialog {...props} />;
  return <DeleteDialog {...props} />;
}
