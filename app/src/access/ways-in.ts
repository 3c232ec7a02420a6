import { graphql } from '../api/generated/gql.ts';
import type { WaysInFragment } from '../api/generated/graphql.ts';
import { useData } from '../api/use.ts';

export const WAYS_IN = graphql(`
  fragment WaysIn on Instance {
    needsSetup
    registration
    hasPasswordLogin
    hasPasskeys
    companySignIn
  }
`);

export const INSTANCE = graphql(`
  query SignInInstance {
    instance {
      ...WaysIn
    }
  }
`);

/** What is offered while nobody can say what the service takes. */
export const USUAL: WaysInFragment = {
  needsSetup: false,
  registration: 'OPEN',
  hasPasswordLogin: true,
  hasPasskeys: false,
  companySignIn: null,
};

/** How one gets in; undefined: not known yet, and what were shown might go again. */
export function useWaysIn(): WaysInFragment | undefined {
  const { data, problem } = useData(INSTANCE, {});
  return data?.instance ?? (problem && USUAL);
}
