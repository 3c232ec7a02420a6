//! The interface to a payment provider. Accounts pay there, never here: what we know of a payment is what we saw there.

use async_trait::async_trait;
use uuid::Uuid;

use crate::base::{
    clock::UnixMillis,
    error::{ApiError, Code},
    ids::AccountId,
    tier::Offer,
};

/// The payment provider. Requests that create something may be retried: the same idempotency key creates it once.
#[async_trait]
pub(crate) trait Provider: Send + Sync {
    /// The provider and its mode, as stored with its customers.
    fn name(&self) -> &'static str;

    /// Whether real money moves.
    fn is_live(&self) -> bool;

    /// The secrets of which any one signs an event of the provider; none is empty.
    fn webhook_secrets(&self) -> &[String];

    /// Whether the offer can be bought.
    fn sells(&self, offer: Offer) -> bool;

    /// Makes a customer, and answers its id.
    async fn create_customer(&self, new: &NewCustomer) -> Result<String, ProviderError>;

    /// Opens a page where the customer can begin a subscription.
    async fn create_checkout(&self, new: &NewCheckout) -> Result<Checkout, ProviderError>;

    /// Opens a page where the customer can change and end the subscription; answers its URL.
    async fn create_portal(&self, customer: &str, return_url: &str) -> Result<String, ProviderError>;

    /// The customer with its subscriptions and invoices, as of now. The price of `sold`, the stored subscription, is recognised
    /// even if no setting has it any more.
    async fn customer(&self, customer: &str, sold: Option<&Sold>) -> Result<CustomerState, ProviderError>;

    /// Deletes the customer, which ends its subscriptions. Succeeds when it is gone already.
    async fn delete_customer(&self, customer: &str) -> Result<(), ProviderError>;
}

/// A customer to make.
#[derive(Clone, Debug)]
pub(crate) struct NewCustomer {
    pub(crate) key: Uuid,
    /// The account that the customer belongs to.
    pub(crate) account: AccountId,
    /// Where the provider sends invoices.
    pub(crate) email: String,
    pub(crate) name: String,
}

/// A checkout to open.
#[derive(Clone, Debug)]
pub(crate) struct NewCheckout {
    pub(crate) key: Uuid,
    /// The customer's id at the provider.
    pub(crate) customer: String,
    /// The account that the customer belongs to.
    pub(crate) account: AccountId,
    /// The offer to subscribe to.
    pub(crate) offer: Offer,
    /// Where the customer goes after paying.
    pub(crate) success_url: String,
    /// Where the customer goes instead.
    pub(crate) cancel_url: String,
}

/// An open checkout.
#[derive(Clone, Debug)]
pub(crate) struct Checkout {
    /// The provider's id of it.
    pub(crate) id: String,
    pub(crate) url: String,
}

/// A customer at one moment.
#[derive(Clone, Debug)]
pub(crate) enum CustomerState {
    /// The customer was deleted, and its subscriptions ended.
    Deleted,
    Present {
        /// All subscriptions to what we sell, ended ones too.
        subscriptions: Vec<ProviderSubscription>,
        invoices: Vec<ProviderInvoice>,
    },
}

/// How a subscription was sold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sold {
    /// The provider's id of the price.
    pub(crate) price: String,
    /// The offer that is paid for.
    pub(crate) offer: Offer,
}

/// A subscription as the provider shows it. Times are Unix time in milliseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProviderSubscription {
    pub(crate) id: String,
    /// The provider's name of its status, such as `past_due`.
    pub(crate) status: String,
    /// The offer that is paid for, and its price.
    pub(crate) sold: Sold,
    /// Start of the paid period.
    pub(crate) current_period_start: UnixMillis,
    /// End of the paid period.
    pub(crate) current_period_end: UnixMillis,
    /// Whether the subscription ends with that period.
    pub(crate) cancel_at_period_end: bool,
    /// When it was made.
    pub(crate) created_at: UnixMillis,
}

/// An invoice as the provider shows it. Times are Unix time in milliseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProviderInvoice {
    pub(crate) id: String,
    /// The subscription that it is for, if any.
    pub(crate) subscription: Option<String>,
    /// The number on it; none until it is final.
    pub(crate) number: Option<String>,
    /// `draft`, `open`, `paid`, `uncollectible` or `void`.
    pub(crate) status: String,
    /// ISO 4217, in lower case.
    pub(crate) currency: String,
    /// In the currency's minor unit.
    pub(crate) amount_due: i64,
    /// In the currency's minor unit.
    pub(crate) amount_paid: i64,
    /// When it was made.
    pub(crate) created_at: UnixMillis,
    /// The provider's page; none until it is final.
    pub(crate) hosted_url: Option<String>,
    /// The provider's PDF; none until it is final.
    pub(crate) pdf_url: Option<String>,
}

/// An error of a request to the provider.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum ProviderError {
    /// The provider does not answer or is overloaded, after all retries.
    #[error("the payment provider does not answer: {0}")]
    Down(String),
    /// The provider failed, and a retry with the same idempotency key would fail again.
    #[error("the payment provider failed: {0}")]
    Failed(String),
    /// The provider does not know the object of the request.
    #[error("the payment provider does not know it: {0}")]
    Unknown(String),
    /// The provider refuses the request, or its answer can't be read.
    #[error("the payment provider refuses: {0}")]
    Refused(String),
}

impl ProviderError {
    /// Whether the provider answered and refused the request.
    pub(crate) fn is_refusal(&self) -> bool {
        matches!(self, ProviderError::Refused(_))
    }
}

impl From<ProviderError> for ApiError {
    fn from(error: ProviderError) -> Self {
        match error {
            ProviderError::Down(cause) | ProviderError::Failed(cause) => {
                tracing::warn!(cause, "The payment provider does not answer");
                ApiError {
                    retry_after: Some(10),
                    ..ApiError::new(Code::Unavailable, "The payment provider does not answer.")
                }
            }
            ProviderError::Unknown(_) | ProviderError::Refused(_) => ApiError::internal(error),
        }
    }
}
