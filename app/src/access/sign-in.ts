import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { signIn } from '../session/session.ts';

export const explainLogin = ({ code }: Problem): string | undefined =>
  code === 'INVALID_CREDENTIALS' ? t.session.wrong : undefined;

export const signInWith = (values: FormData): Promise<Problem | undefined> =>
  signIn({
    email: String(values.get('email')),
    password: String(values.get('password')),
    isPersistent: values.has('isPersistent'),
  });
