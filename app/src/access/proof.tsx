import { useLocation } from 'preact-iso/router';
import { mutate } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import type { ConfirmAccessInput } from '../api/generated/graphql.ts';
import type { Problem } from '../api/problem.ts';
import { asking } from '../api/proof.ts';
import { useData } from '../api/use.ts';
import { t } from '../i18n/index.ts';
import { grant } from '../session/session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Form } from '../ui/form.tsx';
import { Banner, Panel } from '../ui/states.tsx';
import { atCode, CodeField, codeIn } from './code-field.tsx';
import { CompanyInstead } from './company.tsx';
import { getPasskey, takesPasskeys } from './passkey.ts';
import { PasskeyButton } from './passkey-button.tsx';

const PROOF = graphql(`
  query Proof {
    security {
      totpSince
      hasPassword
    }
    identities {
      identities {
        id
      }
    }
    passkeys {
      passkeys {
        id
      }
    }
    instance {
      ...WaysIn
    }
  }
`);

const START = graphql(`
  mutation StartPasskeyProof {
    startPasskeyProof {
      challenge
      options
    }
  }
`);

const CONFIRM = graphql(`
  mutation ConfirmAccess($input: ConfirmAccessInput!) {
    confirmAccess(input: $input) {
      user {
        ...SignedIn
      }
      accessToken
      expiresIn
    }
  }
`);

const atPassword = (problem: Problem): Problem =>
  problem.code === 'INVALID_CREDENTIALS' ? { ...problem, violations: [{ path: 'password', message: t.session.wrongPassword }] } : problem;

/** Gives the proof, and lets the change that needs it go on. */
async function confirm(input: ConfirmAccessInput): Promise<Problem | undefined> {
  const { data, problem } = await mutate(CONFIRM, { input });
  if (problem) return problem;
  grant(data.confirmAccess);
  asking.value?.(true);
  return undefined;
}

/** Asks the user for a proof, above the page: the change that needs it goes on then. */
export default function Proof({ onClose }: { onClose(): void }) {
  const words = t.session.proof;
  const { path, query } = useLocation();
  // The settings say themselves what came of the company's identity provider.
  const hasFailed = query.signIn !== undefined && path !== '/app/settings';
  const loaded = useData(PROOF, {}, ['Security']);
  async function send(values: FormData): Promise<Problem | undefined> {
    const isCode = values.has('code');
    const input = isCode ? { code: codeIn(values) } : { currentPassword: String(values.get('password')) };
    const problem = await confirm(input);
    return problem && (isCode ? atCode(problem) : atPassword(problem));
  }
  async function givePasskey(): Promise<Problem | undefined> {
    const started = await mutate(START, {});
    if (started.problem) return started.problem;
    const { answer: passkey, problem } = await getPasskey(started.data.startPasskeyProof);
    return passkey ? confirm({ passkey }) : problem;
  }
  return (
    <Dialog title={words.title} onClose={onClose} keepsInput>
      <p class="muted">{words.lead}</p>
      <Panel loaded={loaded} rows={2}>
        {({ security: { totpSince, hasPassword }, identities: { identities }, passkeys: { passkeys }, instance: { companySignIn: company } }) => {
          const hasApp = totpSince !== null;
          const hasPasskey = passkeys.length > 0;
          const isByCode = hasApp || hasPasskey;
          const isByPassword = !isByCode && (hasPassword || company === null);
          // The provider proves no second factor, and a sign-in that is not connected would be that of another user.
          const isByCompany = !isByCode && (identities.length > 0 || !hasPassword);
          return (
            <div class="proof">
              {(isByCode || isByPassword) && <p class="muted">{words.kept}</p>}
              {hasPasskey && takesPasskeys && <PasskeyButton label={t.session.passkey.use} isPrimary={!hasApp} onPress={givePasskey} />}
              {(isByCode || isByPassword) && (
                <Form submit={words.submit} onSubmit={send} onCancel={onClose}>
                  {isByCode ? (
                    <CodeField hasApp={hasApp} />
                  ) : (
                    <Field
                      name="password"
                      type="password"
                      label={t.session.password}
                      autocomplete="current-password"
                      rule={{ required: true }}
                      hasFocus
                    />
                  )}
                </Form>
              )}
              {isByCompany && company !== null && (
                <>
                  {hasFailed && <Banner icon="alert">{t.session.company.notAgain(company)}</Banner>}
                  <CompanyInstead company={company} isAgain />
                </>
              )}
            </div>
          );
        }}
      </Panel>
    </Dialog>
  );
}
