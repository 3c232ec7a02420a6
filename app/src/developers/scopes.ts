import { CreateApiKeyInput } from '../api/generated/constraints.ts';

const SCOPES: readonly string[] = CreateApiKeyInput.scopes.values;

export const VERBS = ['read', 'write', 'manage'] as const;

const resourceOf = (scope: string): string => scope.slice(0, scope.indexOf(':'));

/** Each resource with the permissions on it, in the schema's order. */
export const RESOURCES: readonly string[] = [...new Set(SCOPES.map(resourceOf))];

/** The permission of a resource and a verb, if there is such a one. */
export const scopeOf = (resource: string, verb: string): string | undefined =>
  SCOPES.find((scope) => scope === `${resource}:${verb}`);

export const PRESETS = {
  none: [] as readonly string[],
  read: SCOPES.filter((scope) => scope.endsWith(':read')),
  links: SCOPES.filter((scope) => ['links', 'analytics'].includes(resourceOf(scope))),
  all: SCOPES,
} as const;

export type Preset = keyof typeof PRESETS;

export function presetOf(scopes: ReadonlySet<string>): Preset | undefined {
  const names = Object.keys(PRESETS) as Preset[];
  return names.find((name) => PRESETS[name].length === scopes.size && PRESETS[name].every((scope) => scopes.has(scope)));
}

/** A command that works with such a key: a list that it may read, or else what every key may. */
export function curlOf(origin: string, key: string, scopes: readonly string[]): string {
  const resource = ['links', 'domains', 'webhooks', 'subdomain'].find((each) => scopes.includes(`${each}:read`));
  const bearer = `-H 'authorization: Bearer ${key}'`;
  if (resource) return `curl ${origin}/api/v1/${resource} \\\n  ${bearer}`;
  return `curl ${origin}/graphql \\\n  ${bearer} \\\n  -H 'content-type: application/json' \\\n  -d '{"query":"{ me { name } }"}'`;
}
