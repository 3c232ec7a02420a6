import { useLocation } from 'preact-iso/router';
import { mutate } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import type { MembersQuery, Role } from '../api/generated/graphql.ts';
import { useData } from '../api/use.ts';
import { formatDay, formatMoment, formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { may, role as own } from '../session/role.ts';
import { user } from '../session/session.ts';
import { useTitle } from '../shell/title.ts';
import { TRANSFER_TYPES, Transfers, Waiting } from '../transfers/section.tsx';
import { paged } from '../ui/address.ts';
import { Button } from '../ui/button.tsx';
import { useDialog } from '../ui/dialog.tsx';
import { List } from '../ui/list.tsx';
import { naming } from '../ui/naming.tsx';
import { Panel } from '../ui/states.tsx';
import { complain, say } from '../ui/toast.tsx';
import { InviteDialog, LeaveDialog, RemoveDialog, RenameDialog, RoleDialog } from './dialogs.tsx';
import { INVITATION_TYPES, type Member, MEMBER_TYPES } from './types.ts';


const MEMBERS = graphql(`
  query Members($page: Int!, $pageSize: Int!, $isRead: Boolean!, $isManaged: Boolean!) {
    me {
      account {
        id
        name
      }
    }
    members(page: $page, pageSize: $pageSize) @include(if: $isRead) {
      total
      page
      pageSize
      totalPages
      data {
        userId
        name
        email
        role
        joinedAt
      }
    }
    invitations(pageSize: 100) @include(if: $isManaged) {
      total
      page
      pageSize
      totalPages
      data {
        id
        email
        role
        expiresAt
      }
    }
    transfers(pageSize: 100) @include(if: $isManaged) {
      ...Transfers
    }
  }
`);

const TAKE_BACK = graphql(`
  mutation RevokeInvitation($id: ID!) {
    revokeInvitation(id: $id)
  }
`);

const PATH = '/app/members';
const PAGE_SIZE = 50;

type Invitation = NonNullable<MembersQuery['invitations']>['data'][number];

/** Whether the user may give this role, and take it away. */
const mayGive = (role: Role): boolean => may('MEMBERS_MANAGE') && (role !== 'OWNER' || own.value === 'OWNER');

function MemberRow({ member, change, remove }: { member: Member; change(): void; remove(): void }) {
  const words = t.members;
  const { userId, name, email, role, joinedAt } = member;
  const isSelf = userId === user.value?.id;
  return (
    <tr data-row>
      <td class="cell-link">
        <div class="link-name">
          {/* oxlint-disable-next-line no-noninteractive-tabindex -- j and k walk through the rows, also here, where none opens */}
          <span class="slug" dir="auto" tabIndex={0} data-open>
            {name}
          </span>
          {isSelf && <span class="chip accent">{words.you}</span>}
        </div>
        <div class="destination muted" dir="auto">
          {email}
        </div>
      </td>
      <td>{words.roles[role].name}</td>
      <td class="wide-cell muted" title={formatMoment(joinedAt)}>
        {formatDay(joinedAt)}
      </td>
      {may('MEMBERS_MANAGE') && (
        <td class="cell-actions">
          <div>
            {mayGive(role) && (
              <>
                <Button kind="quiet" icon="edit" label={words.change(name)} dataKey="e" isWrite onClick={change} />
                {!isSelf && <Button kind="quiet" icon="trash" label={words.remove(name)} isWrite onClick={remove} />}
              </>
            )}
          </div>
        </td>
      )}
    </tr>
  );
}

function InvitationRow({ invitation: { id, email, role, expiresAt } }: { invitation: Invitation }) {
  const words = t.members.invitations;
  async function takeBack() {
    const { problem } = await mutate(TAKE_BACK, { id }, INVITATION_TYPES);
    // It was used or taken back elsewhere.
    if (problem && problem.code !== 'NOT_FOUND') complain(problem);
    else say(naming(words.takenBack, email));
  }
  return (
    <tr data-row>
      <td class="cell-link">
        <span dir="auto">{email}</span>
      </td>
      <td>{t.members.roles[role].name}</td>
      <td class="wide-cell muted" title={formatMoment(expiresAt)}>
        {formatDay(expiresAt)}
      </td>
      <td class="cell-actions">
        <div>
          {mayGive(role) && (
            <Button icon="close" kind="quiet" label={words.takeBackLabel(email)} isWrite isOpener onClick={() => void takeBack()} />
          )}
        </div>
      </td>
    </tr>
  );
}

/** Who shares the workspace, its name, and what it gives to others or gets. */
export default function Members() {
  useTitle(t.members.title);
  const { query } = useLocation();
  const { page } = paged.read(query);
  const isManaged = may('MEMBERS_MANAGE');
  const variables = { page, pageSize: PAGE_SIZE, isRead: may('MEMBERS_READ'), isManaged };
  const loaded = useData(MEMBERS, variables, [...MEMBER_TYPES, ...INVITATION_TYPES, ...TRANSFER_TYPES]);
  const { dialog, open } = useDialog();
  const words = t.members;
  const total = loaded.data?.members?.total;
  const columns = (when: string) => [words.role, { title: when, class: 'wide-cell' }];

  return (
    <>
      <header class="page-head">
        <h1>{words.title}</h1>
        {total !== undefined && <span class="muted">{words.count(total, formatNumber(total))}</span>}
        <div class="page-action">
          <Button kind="primary" icon="plus" dataKey="c" needs="MEMBERS_MANAGE" isWrite onClick={() => open(InviteDialog, {})}>
            {words.invite}
          </Button>
        </div>
      </header>
      <Panel loaded={loaded} rows={4}>
        {({ me, members, invitations, transfers }) => (
          <>
            {transfers && <Waiting transfers={transfers} />}
            <section class="card" aria-labelledby="workspace">
              <h2 id="workspace">{words.workspace.title}</h2>
              <dl class="settings-facts">
                <div class="fact">
                  <dt>{words.workspace.name}</dt>
                  <dd dir="auto">{me.account.name}</dd>
                  <dd>
                    <Button
                      needs="MEMBERS_MANAGE"
                      isWrite
                      label={words.workspace.renameTitle}
                      onClick={() => open(RenameDialog, { name: me.account.name })}
                    >
                      {words.workspace.rename}
                    </Button>
                  </dd>
                </div>
                <div class="fact">
                  <dt>{words.workspace.yourRole}</dt>
                  <dd>
                    {words.roles[own.value].name}
                    <p class="muted small">{words.roles[own.value].hint}</p>
                  </dd>
                  <dd>
                    {members?.total !== 1 && (
                      <Button isWrite label={words.workspace.leaveLabel} onClick={() => open(LeaveDialog, { name: me.account.name })}>
                        {words.workspace.leave}
                      </Button>
                    )}
                  </dd>
                </div>
              </dl>
            </section>
            {members ? (
              <List
                label={words.label}
                columns={[words.member, ...columns(words.since)]}
                isPlain={!isManaged}
                page={members}
                row={(member) => (
                  <MemberRow
                    key={member.userId}
                    member={member}
                    change={() => open(RoleDialog, { member })}
                    remove={() => open(RemoveDialog, { member })}
                  />
                )}
                href={(to) => paged.write(PATH, { page: to })}
                empty={null}
              />
            ) : (
              <p class="muted">{words.notShown}</p>
            )}
            {invitations && invitations.total > 0 && (
              <>
                <h2>{words.invitations.title}</h2>
                <List
                  label={words.invitations.title}
                  columns={[words.email, ...columns(words.invitations.until)]}
                  page={invitations}
                  row={(invitation) => <InvitationRow key={invitation.id} invitation={invitation} />}
                  empty={null}
                />
              </>
            )}
            {transfers && <Transfers transfers={transfers} reload={loaded.reload} open={open} />}
          </>
        )}
      </Panel>
      {dialog}
    </>
  );
}
