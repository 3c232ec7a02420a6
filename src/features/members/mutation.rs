//! Mutations of members.

use async_graphql::{Context, ID, Object};

use super::{
    invitation_ops, ops,
    types::{
        AcceptInvitationInput, Invitation, InviteMemberInput, Member, SwitchAccountInput, UpdateAccountInput,
        UpdateMemberInput,
    },
};
use crate::{
    base::error::{ApiError, Code},
    features::accounts::types::{Account, AuthPayload, Membership, MessagePayload, accounts},
    graphql::{
        context::ContextExt,
        directives::{HttpMethod, example, rest},
    },
    platform::auth::{
        access::{Credential, Depth, access},
        scope::Scope,
    },
};

const USER_ID: &str = "019aa1c2-7d10-7c3e-9a51-3f5b0c9d1e01";

/// See [`crate::api::graphql::schema::Mutation`].
#[derive(Default)]
pub(crate) struct MemberMutation;

#[Object]
impl MemberMutation {
    /// Invites an e-mail address to the account, and mails it a token for `acceptInvitation`, which works for 7 days; an earlier invitation of
    /// the address is void. Fails with CONFLICT when its user is a member, with FORBIDDEN when the role is OWNER and the caller is no
    /// owner, with PLAN_LIMIT_REACHED when 100 invitations wait, and with RATE_LIMITED after 200 within 24 hours.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), Some(Scope::MembersManage), None),
        directive = rest::apply(HttpMethod::Post, "/invitations".into(), 201, None)
    )]
    async fn invite_member(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Whom, and as what.")] input: InviteMemberInput,
    ) -> Result<Invitation, ApiError> {
        Ok(invitation_ops::invite(ctx.app()?, &ctx.act()?, &input.email, input.role).await?.into())
    }

    /// Takes an invitation back, and answers its id. Fails with NOT_FOUND when the account has no such invitation.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), Some(Scope::MembersManage), None),
        directive = rest::apply(HttpMethod::Delete, "/invitations/{invitationId}".into(), 204, None)
    )]
    async fn revoke_invitation(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The invitation's id.",
            directive = example::apply("019aa1c2-a7c4-7d1e-8b52-4f6e8a0c2e14".into())
        )]
        id: ID,
    ) -> Result<ID, ApiError> {
        let invitation = id.parse().map_err(|_| Code::NotFound)?;
        invitation_ops::revoke(ctx.app()?, &ctx.act()?, invitation).await?;
        Ok(id)
    }

    /// Makes the user who calls a member, with the token of an invitation to the user's e-mail address, which is proved by it. Fails with
    /// NOT_FOUND when it is unknown, used, taken back or expired, and with FORBIDDEN and the reason OTHER_ADDRESS when it was mailed to
    /// another address. `switchAccount` then makes a token for the account.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), None, None),
        directive = rest::apply(HttpMethod::Post, "/invitations/accept".into(), 200, None)
    )]
    async fn accept_invitation(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The token.")] input: AcceptInvitationInput,
    ) -> Result<Membership, ApiError> {
        let app = ctx.app()?;
        let (membership, account) = invitation_ops::accept(app, &ctx.act()?, &input.token).await?;
        let shown = accounts(app, vec![account]).await?.pop().ok_or(Code::NotFound)?;
        Ok(Membership::new(&membership, shown))
    }

    /// Gives a member another role. The member's tokens are refused within a second on every node: a new login, or the session, has the new
    /// role. Fails with NOT_FOUND when the account has no such member, with FORBIDDEN when the old or new role is OWNER and the caller
    /// is no owner, and with CONFLICT when it is the last owner's.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), Some(Scope::MembersManage), None),
        directive = rest::apply(HttpMethod::Patch, "/members/{userId}".into(), 200, None)
    )]
    async fn update_member(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The member's user id.", directive = example::apply(USER_ID.into()))] id: ID,
        #[graphql(desc = "What to change.")] input: UpdateMemberInput,
    ) -> Result<Member, ApiError> {
        let member = id.parse().map_err(|_| Code::NotFound)?;
        let expected = ctx.expected(input.expected_updated_at);
        Ok(ops::change_role(ctx.app()?, &ctx.act()?, member, input.role, &expected).await?.into())
    }

    /// Removes a member, and answers the user's id. The member's tokens and own API keys are refused within a second on every node; keys of the
    /// account stay. Fails with NOT_FOUND when the account has no such member, with FORBIDDEN when it is an owner and the caller is none,
    /// and with CONFLICT when it is the last owner.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), Some(Scope::MembersManage), None),
        directive = rest::apply(HttpMethod::Delete, "/members/{userId}".into(), 204, None)
    )]
    async fn remove_member(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The member's user id.", directive = example::apply(USER_ID.into()))] id: ID,
    ) -> Result<ID, ApiError> {
        let member = id.parse().map_err(|_| Code::NotFound)?;
        ops::remove(ctx.app()?, &ctx.act()?, member).await?;
        Ok(id)
    }

    /// Ends the membership of the user who calls, whose tokens for the account are refused from then on; the next login is to another account of
    /// the user, or to a new one. Fails with CONFLICT when the user is the last owner.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), None, None),
        directive = rest::apply(HttpMethod::Post, "/account/leave".into(), 200, None)
    )]
    async fn leave_account(&self, ctx: &Context<'_>) -> Result<MessagePayload, ApiError> {
        ops::leave(ctx.app()?, &ctx.act()?).await?;
        Ok(MessagePayload { message: "You are no member of the account any more.".to_owned() })
    }

    /// Answers a token for another account that the user who calls is a member of; the user's next logins are to it, too. Fails with NOT_FOUND
    /// when the user is no member, and with FORBIDDEN when the account is suspended.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), None, None),
        directive = rest::apply(HttpMethod::Post, "/me/account".into(), 200, None)
    )]
    async fn switch_account(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which account.")] input: SwitchAccountInput,
    ) -> Result<AuthPayload, ApiError> {
        let account = input.account_id.parse().map_err(|_| Code::NotFound)?;
        Ok(ops::switch(ctx.app()?, &ctx.act()?, account).await?.into())
    }

    /// Names the account.
    #[graphql(
        directive = access::apply(Credential::User, Some(Depth::UserContext), Some(Scope::MembersManage), None),
        directive = rest::apply(HttpMethod::Patch, "/account".into(), 200, None)
    )]
    async fn update_account(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What to change.")] input: UpdateAccountInput,
    ) -> Result<Account, ApiError> {
        let app = ctx.app()?;
        let expected = ctx.expected(input.expected_updated_at);
        let account = ops::rename(app, &ctx.act()?, input.name, &expected).await?;
        accounts(app, vec![account]).await?.pop().ok_or_else(|| Code::NotFound.into())
    }
}
