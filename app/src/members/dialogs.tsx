import { mutate } from '../api/client.ts';
import { InviteMemberInput, UpdateAccountInput } from '../api/generated/constraints.ts';
import { graphql } from '../api/generated/gql.ts';
import type { Role } from '../api/generated/graphql.ts';
import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { refresh } from '../session/session.ts';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { Field, Form } from '../ui/form.tsx';
import { naming } from '../ui/naming.tsx';
import { say } from '../ui/toast.tsx';
import { RoleField } from './role-field.tsx';
import { INVITATION_TYPES, type Member, MEMBER_TYPES } from './types.ts';

const INVITE = graphql(`
  mutation InviteMember($input: InviteMemberInput!) {
    inviteMember(input: $input) {
      id
    }
  }
`);

const CHANGE = graphql(`
  mutation UpdateMember($userId: ID!, $input: UpdateMemberInput!) {
    updateMember(id: $userId, input: $input) {
      userId
    }
  }
`);

const REMOVE = graphql(`
  mutation RemoveMember($userId: ID!) {
    removeMember(id: $userId)
  }
`);

const RENAME = graphql(`
  mutation UpdateAccount($input: UpdateAccountInput!) {
    updateAccount(input: $input) {
      id
    }
  }
`);

const LEAVE = graphql(`
  mutation LeaveAccount {
    leaveAccount {
      message
    }
  }
`);

const at = (problem: Problem, path: string, message: string): Problem => ({ ...problem, code: 'VALIDATION_ERROR', details: {}, violations: [{ path, message }] });
/** The only thing that members of a workspace can be in the way of: that it has an owner. */
const inWords = (problem?: Problem): Problem | undefined =>
  problem?.code === 'CONFLICT' ? { ...problem, message: t.members.lastOwner } : problem;

export function InviteDialog({ onClose }: { onClose(): void }) {
  const words = t.members;
  async function send(values: FormData) {
    const email = String(values.get('email')).trim();
    const { problem } = await mutate(INVITE, { input: { email, role: values.get('role') as Role } }, INVITATION_TYPES);
    if (problem) return problem.code === 'CONFLICT' ? at(problem, 'email', words.alreadyMember) : problem;
    say(naming(words.invited, email));
    onClose();
    return undefined;
  }
  return (
    <Dialog title={words.inviteTitle} onClose={onClose} keepsInput>
      <p class="muted">{words.inviteHint}</p>
      <Form
        submit={words.send}
        onSubmit={send}
        onCancel={onClose}
        explain={({ code }) => (code === 'PLAN_LIMIT_REACHED' ? words.tooMany : undefined)}
      >
        <Field name="email" type="email" label={words.email} rule={InviteMemberInput.email} hasFocus />
        <RoleField value="MEMBER" />
      </Form>
    </Dialog>
  );
}

export function RoleDialog({ member: { userId, name, role }, onClose }: { member: Member; onClose(): void }) {
  const words = t.members;
  async function send(values: FormData) {
    const { problem } = await mutate(CHANGE, { userId, input: { role: values.get('role') as Role } }, MEMBER_TYPES);
    if (problem) return problem.code === 'CONFLICT' ? at(problem, 'role', words.lastOwner) : problem;
    say(naming(words.changed, name));
    onClose();
    return undefined;
  }
  return (
    <Dialog title={naming(words.change, name)} onClose={onClose} keepsInput>
      <Form submit={t.action.save} onSubmit={send} onCancel={onClose}>
        <RoleField value={role} />
      </Form>
    </Dialog>
  );
}

export function RemoveDialog({ member: { userId, name, email }, onClose }: { member: Member; onClose(): void }) {
  const words = t.members;
  async function remove() {
    const { problem } = await mutate(REMOVE, { userId }, MEMBER_TYPES);
    if (!problem) say(naming(words.removed, name));
    return inWords(problem);
  }
  return (
    <Confirm
      title={naming(words.removeTitle, name)}
      text={naming(words.removeText, email)}
      confirm={words.removeSubmit}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}

export function RenameDialog({ name, onClose }: { name: string; onClose(): void }) {
  const words = t.members.workspace;
  async function send(values: FormData) {
    const { problem } = await mutate(RENAME, { input: { name: String(values.get('name')).trim() } }, ['Account']);
    if (problem) return problem;
    say(words.renamed);
    onClose();
    return undefined;
  }
  return (
    <Dialog title={words.renameTitle} onClose={onClose} keepsInput>
      <Form submit={t.action.save} onSubmit={send} onCancel={onClose}>
        <Field name="name" label={words.name} value={name} rule={{ ...UpdateAccountInput.name, required: true }} hasFocus />
      </Form>
    </Dialog>
  );
}

export function LeaveDialog({ name, onClose }: { name: string; onClose(): void }) {
  const words = t.members.workspace;
  async function leave() {
    const { problem } = await mutate(LEAVE, {});
    if (problem) return inWords(problem);
    // The next token is for another workspace, for which the page is loaded anew.
    await refresh().catch(() => location.reload());
    return undefined;
  }
  return (
    <Confirm title={naming(words.leaveTitle, name)} text={words.leaveText} confirm={words.leave} onConfirm={leave} onClose={onClose} />
  );
}
