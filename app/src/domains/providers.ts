// How the forms of DNS providers want a record to be entered.
export interface Provider {
  id: string;
  /** The provider's name. Undefined: the catalogue has it. */
  name?: string;
  /** The name field takes the whole name, not the part within the zone. */
  isFull?: boolean;
  /** The text for the zone itself in the field for names. */
  apex: string;
  /** A target without a dot at its end is taken as a name within the zone. */
  hasDot?: boolean;
  /** TXT values are entered in quotation marks. */
  isQuoted?: boolean;
}

export const PROVIDERS: readonly Provider[] = [
  { id: 'other', apex: '@' },
  { id: 'cloudflare', name: 'Cloudflare', apex: '@' },
  { id: 'gandi', name: 'Gandi', apex: '@', hasDot: true },
  { id: 'godaddy', name: 'GoDaddy', apex: '@' },
  { id: 'google', name: 'Google Cloud DNS', apex: '', hasDot: true },
  { id: 'hetzner', name: 'Hetzner', apex: '@', hasDot: true },
  { id: 'ionos', name: 'IONOS', apex: '@' },
  { id: 'namecheap', name: 'Namecheap', apex: '@' },
  { id: 'ovh', name: 'OVHcloud', apex: '', hasDot: true },
  { id: 'route53', name: 'Route 53', apex: '', isQuoted: true },
  { id: 'zone-file', apex: '@', isFull: true, hasDot: true, isQuoted: true },
];
