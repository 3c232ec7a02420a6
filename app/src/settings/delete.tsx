import { useState } from 'preact/hooks';
import { mutate } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import type { WhatDiesQuery } from '../api/generated/graphql.ts';
import type { Problem } from '../api/problem.ts';
import { useData } from '../api/use.ts';
import { formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { may } from '../session/role.ts';
import { signOut, user } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Form } from '../ui/form.tsx';
import { Panel } from '../ui/states.tsx';
import { atField, CurrentPassword, currentPassword } from './profile.tsx';
import { Section } from './section.tsx';

const WHAT_DIES = graphql(`
  query WhatDies($hasBilling: Boolean!) {
    usage {
      links {
        used
      }
      domains {
        used
      }
      webhooks {
        used
      }
      apiKeys {
        used
      }
    }
    subscription @include(if: $hasBilling) {
      id
      planId
    }
    plans @include(if: $hasBilling) {
      plans {
        id
        name
      }
    }
  }
`);

const DELETE = graphql(`
  mutation DeleteMe($input: DeleteMeInput!) {
    deleteMe(input: $input)
  }
`);

const COUNTED = ['links', 'domains', 'webhooks', 'apiKeys'] as const;

function losses({ usage, subscription, plans }: WhatDiesQuery): string[] {
  const words = t.settings.remove;
  const things = COUNTED.filter((what) => usage[what].used > 0).map((what) => words[what](usage[what].used, formatNumber(usage[what].used)));
  const plan = subscription && (plans?.plans.find(({ id }) => id === subscription.planId)?.name ?? subscription.planId);
  return [...things, ...(plan ? [words.subscription(plan)] : []), words.user];
}

function DeleteDialog({ onClose }: { onClose(): void }) {
  const words = t.settings.remove;
  const loaded = useData(WHAT_DIES, { hasBilling: may('BILLING_READ') }, ['Link', 'Subscription']);
  const email = user.value?.email ?? '';

  async function send(values: FormData): Promise<Problem | undefined> {
    const typed = String(values.get('confirmation')).trim().toLowerCase();
    if (typed !== email) {
      return { code: 'VALIDATION_ERROR', message: '', details: {}, violations: [{ path: 'confirmation', message: words.mismatch }] };
    }
    const { problem } = await mutate(DELETE, { input: { currentPassword: currentPassword(values) } });
    if (problem) return atField(problem);
    await signOut('/app/farewell');
    return undefined;
  }
  return (
    <Dialog title={words.dialog} onClose={onClose} keepsInput>
      <Panel loaded={loaded} rows={4}>
        {(data) => (
          <div class="losses">
            <p>{words.lead}</p>
            <ul>
              {losses(data).map((loss) => (
                <li key={loss}>{loss}</li>
              ))}
            </ul>
            <Form submit={words.submit} isDanger onSubmit={send} onCancel={onClose}>
              <Field name="confirmation" label={words.typed(email)} inputMode="email" rule={{ required: true }} hasFocus />
              <CurrentPassword />
            </Form>
          </div>
        )}
      </Panel>
    </Dialog>
  );
}

export function DeleteAccount() {
  const words = t.settings.remove;
  const [isAsked, setAsked] = useState(false);
  return (
    <Section title={words.title} hint={words.hint} class="danger">
      <p>{words.text}</p>
      <div class="form-actions start">
        <Button kind="danger" icon="trash" isWrite onClick={() => setAsked(true)}>
          {words.open}
        </Button>
      </div>
      {isAsked && <DeleteDialog onClose={() => setAsked(false)} />}
    </Section>
  );
}
