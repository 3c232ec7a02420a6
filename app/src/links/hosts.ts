import { graphql } from '../api/generated/gql.ts';
import type { LinkHostsFragment } from '../api/generated/graphql.ts';

/** Where links of the account can live; spread it into the one request of a page that offers a choice. */
export const HOSTS = graphql(`
  fragment LinkHosts on Query {
    instance {
      baseUrl
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

/** The service's own host first, then those that serve links now. */
export function hostsOf({ instance, domains, subdomain }: LinkHostsFragment): string[] {
  const served = domains.data.filter(({ status }) => status === 'ACTIVE' || status === 'FAILING');
  return [
    new URL(instance.baseUrl).hostname,
    ...(subdomain?.status === 'ACTIVE' ? [subdomain.host] : []),
    ...served.map(({ domain }) => domain),
  ];
}
