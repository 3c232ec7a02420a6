import { graphql } from '../api/generated/gql.ts';
import type { LinkHostsFragment } from '../api/generated/graphql.ts';
import { readable } from './address.ts';

/** Where links of the account can live; spread it into the one request of a page that offers a choice. */
export const HOSTS = graphql(`
  fragment LinkHosts on Query {
    instance {
      baseUrl
      subdomainHost
    }
    domains(pageSize: 100) {
      data {
        id
        domain
        status
      }
    }
    subdomain {
      id
      host
      status
    }
  }
`);

/** The hosts that a form for links offers. */
export const FORM = graphql(`
  query LinkForm {
    ...LinkHosts
    utmTemplates(pageSize: 100) {
      data {
        ...UtmTemplateFields
      }
    }
  }
`);

/** Data that a mutation fetches again, since its answer may not show the change. */
export const FORM_TYPES = ['CustomDomain', 'SubdomainClaim', 'UtmTemplate'];

/** Where a host serves links, with the port that it needs: those of the service as itself, others by TLS. */
export function originOf(host: string, { baseUrl, subdomainHost }: LinkHostsFragment['instance']): string {
  const base = new URL(baseUrl);
  if (host !== base.hostname && !host.endsWith(`.${subdomainHost}`)) return `https://${host}`;
  return `${base.protocol}//${host}${base.port && ':'}${base.port}`;
}

/** A host as people read it. */
export const hostName = (host: string, instance: LinkHostsFragment['instance']): string => readable(originOf(host, instance));

/** Hosts to choose from. */
export const hostChoices = (hosts: string[], data: LinkHostsFragment | undefined) =>
  hosts.map((value) => ({ value, label: data ? hostName(value, data.instance) : value }));

/** The service's own host first, then those that serve links now. */
export function hostsOf({ instance, domains, subdomain }: LinkHostsFragment): string[] {
  const served = domains.data.filter(({ status }) => status === 'ACTIVE' || status === 'FAILING');
  return [
    new URL(instance.baseUrl).hostname,
    ...(subdomain?.status === 'ACTIVE' ? [subdomain.host] : []),
    ...served.map(({ domain }) => domain),
  ];
}
