import { t } from '../i18n/index.ts';
import { Dialog } from '../ui/dialog.tsx';
import { QrCode } from '../ui/qr.tsx';
import { type DialogProps, nameOf } from './actions.ts';

export default function QrDialog({ link, onClose }: DialogProps) {
  return (
    <Dialog title={t.links.qr.title} onClose={onClose}>
      <QrCode text={link.shortUrl} label={t.links.qr.alt(link.shortUrl)} name={link.slug} />
      <p class="center muted">{nameOf(link)}</p>
    </Dialog>
  );
}
