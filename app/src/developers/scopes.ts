import { CreateApiKeyInput } from '../api/generated/constraints.ts';
import { may, type Scope } from '../session/role.ts';

const SCOPES: readonly string[] = CreateApiKeyInput.scopes.values;

export const VERBS = ['read', 'write', 'manage'] as const;

const resourceOf = (scope: string): string => scope.slice(0, scope.indexOf(':'));

/** The permissions that a key of the user can have: those of the user's role. */
const offered = (): string[] => SCOPES.filter((scope) => may(scope.replaceAll(/[:-]/g, '_').toUpperCase() as Scope));

/** Each resource on which there are some, in the schema's order. */
export const resources = (): string[] => [...new Set(offered().map(resourceOf))];

/** The permission of a resource and a verb, if there is such a one. */
export const scopeOf = (resource: string, verb: string): string | undefined =>
  offered().find((scope) => scope === `${resource}:${verb}`);

export function presets() {
  const all = offered();
  return {
    none: [] as string[],
    read: all.filter((scope) => scope.endsWith(':read')),
    links: all.filter((scope) => ['links', 'analytics'].includes(resourceOf(scope))),
    all,
  };
}

export type Preset = keyof ReturnType<typeof presets>;

export function presetOf(scopes: ReadonlySet<string>): Preset | undefined {
  const known = presets();
  const names = Object.keys(known) as Preset[];
  return names.find((name) => known[name].length === scopes.size && known[name].every((scope) => scopes.has(scope)));
}

/** Whether a key has every permission, also those that the user's role lacks. */
export const areAll = (scopes: readonly string[]): boolean => SCOPES.every((scope) => scopes.includes(scope));

/** A command that works with such a key: a list that it may read, or else what every key may. */
export function curlOf(origin: string, key: string, scopes: readonly string[]): string {
  const resource = ['links', 'domains', 'webhooks', 'subdomain'].find((each) => scopes.includes(`${each}:read`));
  const bearer = `-H 'authorization: Bearer ${key}'`;
  if (resource) return `curl ${origin}/api/v1/${resource} \\\n  ${bearer}`;
  return `curl ${origin}/graphql \\\n  ${bearer} \\\n  -H 'content-type: application/json' \\\n  -d '{"query":"{ me { name } }"}'`;
}
