import type { MembersQuery } from '../api/generated/graphql.ts';

export type Member = NonNullable<MembersQuery['members']>['data'][number];

export const MEMBER_TYPES = ['Member', 'MemberPageResult'];
export const INVITATION_TYPES = ['Invitation', 'InvitationPageResult'];
