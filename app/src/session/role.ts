// What the user may do in the account that the token is for. The service judges each call; this leaves out of the pages what it would refuse.
import { signal } from '@preact/signals';
import type { Role } from '../api/generated/graphql.ts';

/** Those that pages ask for. */
export type Scope =
  | 'LINKS_READ'
  | 'LINKS_WRITE'
  | 'ANALYTICS_READ'
  | 'API_KEYS_MANAGE'
  | 'DOMAINS_READ'
  | 'DOMAINS_MANAGE'
  | 'WEBHOOKS_READ'
  | 'WEBHOOKS_MANAGE'
  | 'BILLING_READ'
  | 'BILLING_MANAGE'
  | 'SUBDOMAIN_READ'
  | 'SUBDOMAIN_MANAGE'
  | 'MEMBERS_READ'
  | 'MEMBERS_MANAGE';

/** What a token says of the membership that it is for. */
interface Claims {
  account: string;
  /** The membership, its last change, and its role. Absent: the account is the user's own. */
  mem?: [string, number, Role];
}

const VIEWER: Scope[] = ['LINKS_READ', 'ANALYTICS_READ', 'DOMAINS_READ', 'SUBDOMAIN_READ', 'MEMBERS_READ'];

/** The scopes of each role, as the service has them; null: all. */
const SCOPES: Record<Role, Scope[] | null> = {
  OWNER: null,
  ADMIN: null,
  MEMBER: [...VIEWER, 'LINKS_WRITE', 'API_KEYS_MANAGE', 'WEBHOOKS_READ'],
  VIEWER,
  BILLING: ['BILLING_READ', 'BILLING_MANAGE'],
};

/** The account that the token is for; null: there is no token. */
export const account = signal<string | null>(null);
export const role = signal<Role>('OWNER');
/** The name of the account; null: not known yet. */
export const workspace = signal<string | null>(null);

/** Whether the user's role has a scope. */
export const may = (scope?: Scope): boolean => scope === undefined || (SCOPES[role.value]?.includes(scope) ?? true);

/** The first page of those that the role has. */
export const home = (): string => (may('ANALYTICS_READ') ? '/app' : '/app/billing');

export function claimsOf(token: string): Claims {
  const [, claims = ''] = token.split('.');
  return JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as Claims;
}
