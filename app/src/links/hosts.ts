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

/** What a form for links offers to choose from. */
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

/** What the answer may not show, so that a mutation fetches it again. */
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
