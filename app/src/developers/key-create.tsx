import { useState } from 'preact/hooks';
import { mutate } from '../api/client.ts';
import { CreateApiKeyInput } from '../api/generated/constraints.ts';
import { graphql } from '../api/generated/gql.ts';
import type { CreateApiKeyMutation } from '../api/generated/graphql.ts';
import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Select } from '../ui/field.tsx';
import { Field, Form, TextArea } from '../ui/form.tsx';
import { curlOf, type Preset, presetOf, presets, resources, scopeOf, VERBS } from './scopes.ts';
import { Code, ShownOnce } from './shown-once.tsx';

const CREATE = graphql(`
  mutation CreateApiKey($input: CreateApiKeyInput!) {
    createApiKey(input: $input) {
      key
      apiKey {
        id
        scopes
      }
    }
  }
`);

export type NewKey = CreateApiKeyMutation['createApiKey'];

const DAY_MS = 86_400_000;
const CHOICES = ['90', '7', '30', '365', 'never'] as const;
type Choice = (typeof CHOICES)[number];

const expiryOf = (choice: Choice): string | null =>
  choice === 'never' ? null : new Date(Date.now() + Number(choice) * DAY_MS).toISOString();

const NETWORKS = 'allowedNetworks';
const OF_ENTRY = new RegExp(`\\b${NETWORKS}\\.(\\d+)$`);

const networksIn = (text: string): string[] => text.split(/[\s,]+/).filter((network) => network !== '');

/** All networks stand in one field: what is wrong with some of them is one error there, which names each. */
function atNetworks(problem: Problem, networks: string[]): Problem {
  const wrong = new Map<string, string[]>();
  const others = problem.violations.filter(({ path, message }) => {
    const at = OF_ENTRY.exec(path)?.[1];
    if (at) wrong.set(message, [...(wrong.get(message) ?? []), networks[Number(at)]!]);
    return !at;
  });
  if (wrong.size === 0) return problem;
  const message = [...wrong].map(([why, which]) => `${which.join(', ')}: ${why}`).join('; ');
  return { ...problem, violations: [...others, { path: NETWORKS, message }] };
}

function Matrix({ scopes, toggle }: { scopes: ReadonlySet<string>; toggle(scope: string): void }) {
  const words = t.developers;
  return (
    <table class="matrix">
      <caption class="hidden">{words.keys.scopes}</caption>
      <thead>
        <tr>
          <th scope="col">{words.resource}</th>
          {VERBS.map((verb) => (
            <th key={verb} scope="col">
              {words.verbs[verb]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {resources().map((resource) => (
          <tr key={resource}>
            <th scope="row">{words.resources[resource] ?? resource}</th>
            {VERBS.map((verb) => {
              const scope = scopeOf(resource, verb);
              if (!scope) {
                return (
                  <td key={verb} class="muted">
                    –
                  </td>
                );
              }
              const meaning = words.scopes[scope] ?? `${words.resources[resource]}: ${words.verbs[verb]}`;
              return (
                <td key={verb}>
                  <input
                    type="checkbox"
                    aria-label={meaning}
                    title={`${meaning} (${scope})`}
                    checked={scopes.has(scope)}
                    onChange={() => toggle(scope)}
                  />
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function CreateKeyDialog({ onClose, onDone }: { onClose(): void; onDone(created: NewKey): void }) {
  const words = t.developers;
  const [scopes, setScopes] = useState<ReadonlySet<string>>(new Set(presets().links));
  const [choice, setChoice] = useState<Choice>(CHOICES[0]);
  const known = presets();
  const preset = presetOf(scopes);

  function toggle(scope: string) {
    const next = new Set(scopes);
    if (!next.delete(scope)) next.add(scope);
    setScopes(next);
  }
  async function send(values: FormData) {
    const input = {
      name: String(values.get('name')).trim(),
      scopes: known.all.filter((scope) => scopes.has(scope)),
      expiresAt: expiryOf(choice),
      allowedNetworks: networksIn(String(values.get(NETWORKS))),
    };
    const { data, problem } = await mutate(CREATE, { input });
    if (problem) return atNetworks(problem, input.allowedNetworks);
    onDone(data.createApiKey);
    return undefined;
  }
  const label: Record<Choice, string> = {
    never: words.expiry.never,
    '7': words.expiry.days(7),
    '30': words.expiry.days(30),
    '90': words.expiry.days(90),
    '365': words.expiry.year,
  };

  return (
    <Dialog title={words.keys.new} onClose={onClose} keepsInput>
      <Form submit={words.keys.create} onSubmit={send} onCancel={onClose}>
        <Field name="name" label={words.keys.name} hint={words.keys.nameHint} rule={CreateApiKeyInput.name} hasFocus />
        <Select
          label={words.expiry.label}
          value={choice}
          onChange={setChoice}
          options={CHOICES.map((value) => ({ value, label: label[value] }))}
        />
        <fieldset>
          <legend>{words.keys.scopes}</legend>
          <div class="presets" role="group" aria-label={words.presets.label}>
            {(Object.keys(known) as Preset[]).map((each) => (
              <button
                key={each}
                type="button"
                class="preset"
                aria-pressed={preset === each}
                onClick={() => setScopes(new Set(known[each]))}
              >
                {words.presets[each]}
              </button>
            ))}
          </div>
          <Matrix scopes={scopes} toggle={toggle} />
        </fieldset>
        <TextArea name={NETWORKS} label={words.keys.networks} hint={words.keys.networksHint} isOptional rows={2} />
      </Form>
    </Dialog>
  );
}

/** The new key, this once, with a command to try it. */
export function KeyDialog({ created: { key, apiKey }, onClose }: { created: NewKey; onClose(): void }) {
  const words = t.developers.keys;
  return (
    <ShownOnce title={words.ready} label={words.key} secret={key} onClose={onClose}>
      <div class="field">
        <h3>{words.try}</h3>
        <Code text={curlOf(location.origin, key, apiKey.scopes)} copyLabel={words.copyCommand} />
      </div>
    </ShownOnce>
  );
}
