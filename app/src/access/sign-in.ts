import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { type Credentials, signIn } from '../session/session.ts';

export const explainLogin = ({ code }: Problem): string | undefined =>
  code === 'INVALID_CREDENTIALS' ? t.session.wrong : undefined;

/** Whose password, or code, was refused last, and until when, in milliseconds. */
let refused = { whose: '', until: 0 };

export async function signInWith(email: string, credentials: Credentials): Promise<Problem | undefined> {
  const whose = `${'code' in credentials ? 'code' : 'password'} ${email}`;
  const problem = await signIn(credentials);
  if (problem?.code !== 'RATE_LIMITED') {
    refused = { whose: '', until: 0 };
    return problem;
  }
  // Tries are also counted whatever their address, and that wait is shorter: after it, this address would be refused all the same.
  const told = Date.now() + (problem.retryAfter ?? 0) * 1000;
  refused = { whose, until: refused.whose === whose ? Math.max(refused.until, told) : told };
  return { ...problem, retryAfter: Math.ceil((refused.until - Date.now()) / 1000) };
}
