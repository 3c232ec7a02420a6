import { graphql } from '../api/generated/gql.ts';

/** What the session knows of its user, as answers of the API have it. */
export const SIGNED_IN = graphql(`
  fragment SignedIn on User {
    id
    email
    name
    createdAt
    emailVerifiedAt
    pendingEmail
  }
`);
