//! GraphQL types of members.

use async_graphql::{ID, InputObject, SimpleObject};
use entity::{invitation, membership, user};

use crate::{
    base::validate::{MAX_EMAIL, MAX_NAME},
    graphql::{
        directives::{Format, example, format, length, precondition},
        page::Paged,
        scalars::Timestamp,
    },
    platform::auth::role::Role,
};

/// A user who is a member of the account.
#[derive(SimpleObject, Clone, Debug)]
pub(crate) struct Member {
    /// Identifies the user.
    #[graphql(directive = example::apply("019aa1c2-7d10-7c3e-9a51-3f5b0c9d1e01".into()))]
    pub(crate) user_id: ID,
    /// Display name.
    #[graphql(directive = example::apply("Ada Lovelace".into()))]
    pub(crate) name: String,
    /// E-mail address.
    #[graphql(directive = example::apply("ada@example.com".into()))]
    pub(crate) email: String,
    /// What the member may do.
    #[graphql(directive = example::apply("\"MEMBER\"".into()))]
    pub(crate) role: Role,
    /// When the user became a member.
    pub(crate) joined_at: Timestamp,
    /// When the role was last changed; at first when the user became a member.
    pub(crate) updated_at: Timestamp,
}

impl Paged for Member {
    const PAGE: &str = "MemberPageResult";
}

impl From<(membership::Model, user::Model)> for Member {
    fn from((membership, user): (membership::Model, user::Model)) -> Self {
        Member {
            user_id: user.id.into(),
            name: user.name,
            email: user.email,
            role: Role::from_stored(&membership.role),
            joined_at: Timestamp(membership.created_at),
            updated_at: Timestamp(membership.changed_at),
        }
    }
}

/// An e-mail address that is invited to the account.
#[derive(SimpleObject, Clone, Debug)]
pub(crate) struct Invitation {
    /// Identifies the invitation; it is no secret.
    #[graphql(directive = example::apply("019aa1c2-a7c4-7d1e-8b52-4f6e8a0c2e14".into()))]
    pub(crate) id: ID,
    /// The invited address, in lower case.
    #[graphql(directive = example::apply("grace@example.com".into()))]
    pub(crate) email: String,
    /// The role that the user gets.
    #[graphql(directive = example::apply("\"MEMBER\"".into()))]
    pub(crate) role: Role,
    /// When it was made.
    pub(crate) created_at: Timestamp,
    /// When it expires: 7 days later.
    #[graphql(directive = example::apply("2026-11-27T14:33:38.125Z".into()))]
    pub(crate) expires_at: Timestamp,
}

impl Paged for Invitation {
    const PAGE: &str = "InvitationPageResult";
}

impl From<invitation::Model> for Invitation {
    fn from(invitation: invitation::Model) -> Self {
        Invitation {
            id: invitation.id.into(),
            role: Role::from_stored(&invitation.role),
            email: invitation.email,
            created_at: Timestamp(invitation.created_at),
            expires_at: Timestamp(invitation.expires_at),
        }
    }
}

/// Who is invited.
#[derive(InputObject, Debug)]
pub(crate) struct InviteMemberInput {
    /// E-mail address that gets the invitation; the user who accepts it has it.
    #[graphql(
        directive = length::apply(3, MAX_EMAIL),
        directive = format::apply(Format::Email),
        directive = example::apply("grace@example.com".into())
    )]
    pub(crate) email: String,
    /// The role that the user gets.
    #[graphql(directive = example::apply("\"MEMBER\"".into()))]
    pub(crate) role: Role,
}

/// The token of an invitation.
#[derive(InputObject)]
pub(crate) struct AcceptInvitationInput {
    /// The token from the mail; it works once, for 7 days.
    #[graphql(directive = example::apply("q1Zc0sW4y8oG3m5tXrB7uJ2kLhN6vPdAeFiQzKwYxTs".into()))]
    pub(crate) token: String,
}

/// What to change of a member. Fields that are absent stay as they are.
#[derive(InputObject, Debug)]
pub(crate) struct UpdateMemberInput {
    /// The role from now on.
    #[graphql(directive = example::apply("\"VIEWER\"".into()))]
    pub(crate) role: Option<Role>,
    /// `updatedAt` of the member as the caller read it. Where it is another one by now, nothing is changed, and the request fails with
    /// PRECONDITION_FAILED. Absent: the member is changed whoever changed it meanwhile.
    #[graphql(directive = precondition::apply())]
    pub(crate) expected_updated_at: Option<Timestamp>,
}

/// The account to work in.
#[derive(InputObject, Debug)]
pub(crate) struct SwitchAccountInput {
    /// The id of an account that the caller is a member of.
    #[graphql(directive = example::apply("019aa1c2-7d10-7c3e-9a51-3f5b0c9d1e00".into()))]
    pub(crate) account_id: ID,
}

/// What to change of the account. Fields that are absent stay as they are.
#[derive(InputObject, Debug)]
pub(crate) struct UpdateAccountInput {
    /// Display name of 1 to 100 characters.
    #[graphql(
        directive = length::apply(1, MAX_NAME),
        directive = format::apply(Format::Name),
        directive = example::apply("Analytical Engines".into())
    )]
    pub(crate) name: Option<String>,
    /// `updatedAt` of the account as the caller read it. Where it is another one by now, nothing is changed, and the request fails with
    /// PRECONDITION_FAILED. Absent: the account is changed whoever changed it meanwhile.
    #[graphql(directive = precondition::apply())]
    pub(crate) expected_updated_at: Option<Timestamp>,
}
