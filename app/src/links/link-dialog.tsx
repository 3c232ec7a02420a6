import { mutate } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { Confirm } from '../ui/dialog.tsx';
import { say } from '../ui/toast.tsx';
import { type Asked, type DialogProps, nameOf } from './actions.ts';
import EditDialog from './edit.tsx';
import QrDialog from './qr.tsx';

const DELETE = graphql(`
  mutation DeleteLink($id: ID!) {
    deleteLink(id: $id)
  }
`);

async function deleteLink(id: string): Promise<Problem | undefined> {
  const { problem } = await mutate(DELETE, { id }, ['Link', 'LinkPageResult']);
  return problem;
}

function DeleteDialog({ link, onClose, onDone }: DialogProps & { onDone?: () => void }) {
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

/** The dialog that was asked for, if any. */
export default function LinkDialog({ asked, ...props }: DialogProps & { asked: Asked; onDone?: () => void }) {
  if (asked === 'edit') return <EditDialog {...props} />;
  if (asked === 'qr') return <QrDialog {...props} />;
  return <DeleteDialog {...props} />;
}
