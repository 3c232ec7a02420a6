// Labels that registries of countries sell names below, such as `co.uk`. The user can choose another zone.
const SHARED = new Set(['ac', 'co', 'com', 'edu', 'gov', 'ne', 'net', 'or', 'org']);

/** Where the zone of a domain may begin: at the domain, or at any name above it with two labels or more. */
export function zonesOf(domain: string): string[] {
  const labels = domain.split('.');
  return labels.slice(0, -1).map((_label, at) => labels.slice(at).join('.'));
}

/** The zone that a domain most likely belongs to. */
export function likelyZone(domain: string): string {
  const labels = domain.split('.');
  const [above = '', top = ''] = labels.slice(-2);
  return labels.slice(top.length === 2 && SHARED.has(above) ? -3 : -2).join('.');
}

/** A name as it is entered within its zone; `apex` stands for the zone itself. */
export const within = (name: string, zone: string, apex: string): string =>
  name === zone ? apex : name.slice(0, -zone.length - 1);
