import type { DomainPageQuery } from '../api/generated/graphql.ts';

export type Domain = DomainPageQuery['domain'];
export type DnsRecord = Domain['dnsRecords'][number];

export type RecordState = 'set' | 'missing' | 'wrong' | 'unclear' | 'waiting';
export type Cause = 'missing' | 'extra' | 'oldToken' | 'zoneAdded' | 'address' | 'other';

const DAY_MS = 86_400_000;
const GRACE_DAYS = 14;

type Checked = Pick<Domain, 'checkedAt'> & { dnsRecords: Pick<DnsRecord, 'type' | 'isSet' | 'problem'>[] };

const isAddress = ({ type }: Pick<DnsRecord, 'type'>): boolean => type === 'A' || type === 'AAAA';
const isGood = ({ isSet, problem }: Pick<DnsRecord, 'isSet' | 'problem'>): boolean => isSet === true && !problem;

export function stateOf(record: DnsRecord, { checkedAt }: Domain): RecordState {
  if (isGood(record)) return 'set';
  if (!checkedAt) return 'waiting';
  if (record.isSet === null) return 'unclear';
  return record.found.length === 0 ? 'missing' : 'wrong';
}

/** Whether a domain leads to the service: by its CNAME record, or by addresses that are all of the service. */
export function isRouted({ dnsRecords }: Checked): boolean {
  const addresses = dnsRecords.filter(isAddress);
  return dnsRecords.some((record) => record.type === 'CNAME' && isGood(record)) || (addresses.length > 0 && addresses.every(isGood));
}

/** How many of the two steps are done: the proof, and the way to the service. */
export function stepsDone(domain: Checked): number {
  const isProved = domain.dnsRecords.some((record) => record.type === 'TXT' && isGood(record));
  return Number(isProved) + Number(isRouted(domain));
}

/** Why a record is not as it should be, as far as what was found tells. */
export function causeOf({ type, value, found }: DnsRecord, { dnsRecords }: Domain): Cause {
  if (type === 'CNAME' && found.length === 0) {
    return dnsRecords.some((other) => isAddress(other) && other.found.length > 0) ? 'address' : 'missing';
  }
  if (found.length === 0) return 'missing';
  if (type === 'CNAME') return found.some((each) => each.startsWith(`${value}.`)) ? 'zoneAdded' : 'other';
  if (type !== 'TXT') return 'other';
  if (found.some((each) => each.includes(value))) return 'extra';
  return found.some((each) => each.startsWith('linkgraph-')) ? 'oldToken' : 'other';
}

/** Until when a failing domain is served. */
export const servedUntil = (failingSince: string): number => Date.parse(failingSince) + GRACE_DAYS * DAY_MS;
export const daysLeft = (until: number): number => Math.max(0, Math.floor((until - Date.now()) / DAY_MS));
