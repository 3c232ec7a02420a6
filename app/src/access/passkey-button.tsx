import { useState } from 'preact/hooks';
import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { ProblemText } from '../ui/states.tsx';
import { NO_PASSKEY } from './passkey.ts';

interface Props {
  label: string;
  isPrimary?: boolean;
  /** Asks for the passkey, and gives it to the service. */
  onPress(): Promise<Problem | undefined>;
}

const explain = ({ code }: Problem): string | undefined =>
  code === NO_PASSKEY ? t.session.passkey.none : code === 'INVALID_CREDENTIALS' ? t.session.passkey.wrong : undefined;

/** Has the browser ask for a passkey, and says below why that came to nothing. */
export function PasskeyButton({ label, isPrimary, onPress }: Props) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  async function press() {
    setBusy(true);
    setProblem(undefined);
    setProblem(await onPress());
    setBusy(false);
  }
  return (
    <div class="form">
      {problem && (
        <div class="form-problem" role="alert">
          {explain(problem) ?? <ProblemText problem={problem} />}
        </div>
      )}
      <div class="form-actions">
        <Button icon="key" kind={isPrimary ? 'primary' : 'plain'} isBusy={isBusy} isWrite onClick={() => void press()}>
          {label}
        </Button>
      </div>
    </div>
  );
}
