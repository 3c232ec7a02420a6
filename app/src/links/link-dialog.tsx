import { t } from '../i18n/index.ts';
import { onDemand } from '../shell/lazy.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { naming } from '../ui/naming.tsx';
import { type Asked, type DialogProps, nameOf } from './actions.ts';
import EditDialog from './edit.tsx';
import QrDialog from './qr.tsx';
import { removeSoon } from './removal.ts';

const GiveDialog = onDemand(() => import('../transfers/dialogs.ts'), (dialogs) => dialogs.GiveDialog, 'transfers');

function DeleteDialog({ link, onClose, onDone }: DialogProps & { onDone?: () => void }) {
  async function act() {
    removeSoon([link.id], naming(t.linkForms.remove.going, nameOf(link)));
    onDone?.();
    return undefined;
  }
  return (
    <Confirm
      title={t.linkForms.remove.title(1)}
      text={naming(t.linkForms.remove.one, nameOf(link))}
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
  if (asked === 'give') return <GiveDialog links={[props.link]} onClose={props.onClose} />;
  return <DeleteDialog {...props} />;
}
