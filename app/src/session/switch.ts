import { mutate } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import type { Problem } from '../api/problem.ts';
import { moveTo, sayFarewell } from './session.ts';

const SWITCH = graphql(`
  mutation SwitchAccount($input: SwitchAccountInput!) {
    switchAccount(input: $input) {
      accessToken
      expiresIn
      user {
        ...SignedIn
      }
    }
  }
`);

/** Goes to another workspace: to the page that shows the same of it, unless `to` names one. */
export async function switchTo(accountId: string, to?: string): Promise<Problem | undefined> {
  // What waits to be sent belongs to the workspace that is left.
  await sayFarewell();
  const { data, problem } = await mutate(SWITCH, { input: { accountId } });
  if (data) moveTo(data.switchAccount, to);
  return problem;
}
