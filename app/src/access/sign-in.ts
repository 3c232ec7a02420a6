import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { signIn } from '../session/session.ts';

export const explainLogin = ({ code }: Problem): string | undefined =>
  code === 'INVALID_CREDENTIALS' ? t.session.wrong : undefined;

/** The e-mail address that was refused last, and until when, in milliseconds. */
let refused = { email: '', until: 0 };

export async function signInWith(values: FormData): Promise<Problem | undefined> {
  const email = String(values.get('email'));
  const problem = await signIn({ email, password: String(values.get('password')), isPersistent: values.has('isPersistent') });
  if (problem?.code !== 'RATE_LIMITED') {
    refused = { email: '', until: 0 };
    return problem;
  }
  // Tries are also counted whatever their address, and that wait is shorter: after it, this address would be refused all the same.
  const told = Date.now() + (problem.retryAfter ?? 0) * 1000;
  refused = { email, until: refused.email === email ? Math.max(refused.until, told) : told };
  return { ...problem, retryAfter: Math.ceil((refused.until - Date.now()) / 1000) };
}
