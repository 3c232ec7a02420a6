import { useLocation } from 'preact-iso/router';
import { mutate } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
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
    instance {
      ...WaysIn
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
    const { data, problem } = await mutate(CONFIRM, { input });
    if (problem) return isCode ? atCode(problem) : atPassword(problem);
    grant(data.confirmAccess);
    asking.value?.(true);
    return undefined;
  }
  return (
    <Dialog title={words.title} onClose={onClose} keepsInput>
      <p class="muted">{words.lead}</p>
      <Panel loaded={loaded} rows={2}>
        {({ security: { totpSince, hasPassword }, identities: { identities }, instance: { companySignIn: company } }) => {
          const isByCode = totpSince !== null;
          const isByPassword = !isByCode && (hasPassword || company === null);
          // The provider proves no second factor, and a sign-in that is not connected would be that of another user.
          const isByCompany = !isByCode && (identities.length > 0 || !hasPassword);
          return (
            <div class="proof">
              {(isByCode || isByPassword) && <p class="muted">{words.kept}</p>}
              {(isByCode || isByPassword) && (
                <Form submit={words.submit} onSubmit={send} onCancel={onClose}>
                  {isByCode ? (
                    <CodeField />
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
