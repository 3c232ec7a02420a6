import { useState } from 'preact/hooks';
import { mutate } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import type { SettingsQuery } from '../api/generated/graphql.ts';
import { formatDay, formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { onDemand } from '../shell/lazy.tsx';
import { Confirm, useDialog } from '../ui/dialog.tsx';
import { complain, say } from '../ui/toast.tsx';
import { Fact } from './fact.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

const Passkeys = onDemand(() => import('./passkeys.tsx'), (section) => section.default, 'access');
const SetUpTotp = onDemand(() => import('./set-up-totp.tsx'), (dialog) => dialog.default, 'access');

export const SECURITY_STATE = graphql(`
  fragment SecurityState on Security {
    totpSince
    hasPassword
    recoveryCodesLeft
  }
`);

const START = graphql(`
  mutation StartTotp {
    startTotp {
      secret
      uri
    }
  }
`);

const REMOVE = graphql(`
  mutation RemoveTotp {
    removeTotp {
      message
    }
  }
`);

const RENEW = graphql(`
  mutation RenewRecoveryCodes {
    renewRecoveryCodes {
      recoveryCodes
    }
  }
`);

const TYPES = ['Security'];
/** As many as the service makes at once. */
const ALL_CODES = 10;
/** With so few left it is time for new ones. */
const FEW_CODES = 3;

/** What signing in needs besides the password, and what takes its place. */
export function Security({ settings }: { settings: SettingsQuery }) {
  const { totpSince, recoveryCodesLeft } = settings.security;
  const hasPasskeys = settings.passkeys.passkeys.length > 0;
  const words = t.settings.security;
  const [isBusy, setBusy] = useState(false);
  const { dialog, open } = useDialog();
  // None: those of the first second factor stay.
  const show = (codes: string[]) => codes.length > 0 && open(RecoveryCodes, { codes });
  const areFew = recoveryCodesLeft <= FEW_CODES;

  async function setUp() {
    setBusy(true);
    const { data, problem } = await mutate(START, {});
    setBusy(false);
    if (problem) complain(problem);
    else open(SetUpTotp, { ...data.startTotp, onDone: show });
  }
  async function remove() {
    const { problem } = await mutate(REMOVE, {}, TYPES);
    if (!problem) say(words.turnedOff);
    return problem;
  }
  async function renew() {
    const { data, problem } = await mutate(RENEW, {}, TYPES);
    if (data) show(data.renewRecoveryCodes.recoveryCodes);
    return problem;
  }
  const askRemove = () =>
    open(Confirm, { title: words.turnOffTitle, text: words.turnOffText, confirm: words.turnOff, onConfirm: remove });
  const askRenew = () =>
    open(Confirm, { title: words.renewTitle, text: words.renewText, confirm: words.renewSubmit, onConfirm: renew });

  return (
    <div class="security" role="group" aria-label={words.state} tabIndex={-1}>
      <dl class="settings-facts">
        {totpSince === null ? (
          <Fact key="off" label={words.totp} action={words.setUp} actionLabel={words.setUpTitle} isBusy={isBusy} onAct={() => void setUp()}>
            {hasPasskeys ? words.offBeside : words.off}
          </Fact>
        ) : (
          <Fact key="on" label={words.totp} action={words.turnOff} actionLabel={words.turnOffLabel} onAct={askRemove}>
            {words.on(formatDay(totpSince))}
          </Fact>
        )}
        {(totpSince !== null || hasPasskeys) && (
          <Fact label={words.recovery} action={words.renew} actionLabel={words.renewLabel} onAct={askRenew} note={areFew && words.leftHint}>
            <span class={areFew ? 'chip warning' : undefined}>
              {words.left(formatNumber(recoveryCodesLeft), formatNumber(ALL_CODES))}
            </span>
          </Fact>
        )}
      </dl>
      <Passkeys settings={settings} onCodes={show} />
      {dialog}
    </div>
  );
}
