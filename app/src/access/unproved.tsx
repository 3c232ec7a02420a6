import { useState } from 'preact/hooks';
import { t } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { Banner } from '../ui/states.tsx';
import { sendVerification } from './verification.ts';

/** Asks for the proof of the user's address. */
export default function Unproved({ onClose }: { onClose(): void }) {
  const [isBusy, setBusy] = useState(false);
  async function send() {
    setBusy(true);
    const isSent = await sendVerification();
    setBusy(false);
    if (isSent) onClose();
  }
  return (
    <Banner icon="info" kind="info" onClose={onClose}>
      <p>{t.session.unproved}</p>
      <Button isWrite isBusy={isBusy} onClick={() => void send()}>
        {t.session.sendMail}
      </Button>
    </Banner>
  );
}
