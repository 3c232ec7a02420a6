//! The sandbox's pages, filled in. They contain only names of plans, prices, dates and texts of ours, no input of callers, so
//! that nothing has to be escaped.

use chrono::DateTime;

use super::books::{Action, Books};
use crate::{
    base::{
        clock::UnixMillis,
        error::{ApiError, Code},
        tier::{CURRENCY, Interval, Offer},
    },
    payments::provider::ProviderInvoice,
};

const CHECKOUT: &str = include_str!("../../platform/http/pages/sandbox-checkout.html");
const PORTAL: &str = include_str!("../../platform/http/pages/sandbox-portal.html");
const INVOICE: &str = include_str!("../../platform/http/pages/sandbox-invoice.html");
const MESSAGE: &str = include_str!("../../platform/http/pages/sandbox-message.html");

fn fill(template: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(template.to_owned(), |page, (name, value)| page.replace(&format!("{{{{{name}}}}}"), value))
}

/// Where an offer can be bought.
pub(crate) fn checkout(offer: Offer, is_declined: bool) -> String {
    let declined = r#"<p class="notice bad" role="alert">The card was declined. Nothing was bought; try again.</p>"#;
    let price = offer.price().unwrap_or_default();
    fill(
        CHECKOUT,
        &[
            ("plan", offer.plan.name()),
            ("amount", &money(price)),
            ("interval", each(offer.interval)),
            ("links", &thousands(offer.plan.max_links())),
            ("domains", &thousands(offer.plan.max_domains())),
            ("webhooks", &thousands(offer.plan.max_webhooks())),
            ("notice", if is_declined { declined } else { "" }),
        ],
    )
}

/// The portal page of a customer.
pub(crate) fn portal(books: &Books) -> String {
    let state = match books.live() {
        None => "<p>There is no subscription. A checkout begins one.</p>".to_owned(),
        Some(it) => {
            let status = match it.status.as_str() {
                "past_due" => r#"<strong class="bad">past due</strong>: the last payment failed"#,
                _ if it.cancel_at_period_end => "active, ends with this period",
                _ => "active",
            };
            format!(
                "<dl>\n<dt>Plan</dt><dd>{}, {}</dd>\n<dt>Status</dt><dd>{status}</dd>\n\
                 <dt>Period</dt><dd>{} to {}</dd>\n</dl>",
                it.sold.offer.plan.name(),
                price(it.sold.offer),
                date(it.current_period_start),
                date(it.current_period_end),
            )
        }
    };
    let (switches, others): (Vec<Action>, Vec<Action>) =
        books.actions().partition(|action| matches!(action, Action::Switch(_)));
    let actions = form("", others) + &form("<h2>Change the plan, paid from today on</h2>\n", switches);
    let invoices: String = books.invoices.iter().rev().take(24).map(invoice_row).collect();
    let invoices = if invoices.is_empty() {
        "<p>There are none yet.</p>".to_owned()
    } else {
        format!(
            "<table>\n<thead><tr><th>Number</th><th>Date</th><th>Amount</th><th>Status</th></tr></thead>\n\
             <tbody>\n{invoices}</tbody>\n</table>"
        )
    };
    fill(PORTAL, &[("state", &state), ("actions", &actions), ("invoices", &invoices)])
}

pub(crate) fn invoice(invoice: &ProviderInvoice) -> String {
    let pay = if invoice.status == "open" {
        "<form method=\"post\">\n<button class=\"primary\" name=\"action\" value=\"pay\">Pay</button>\n</form>"
    } else {
        ""
    };
    fill(
        INVOICE,
        &[
            ("number", number(invoice)),
            ("date", &date(invoice.created_at)),
            ("amount", &money(invoice.amount_due)),
            ("paid", &money(invoice.amount_paid)),
            ("status", &invoice.status),
            ("pay", pay),
        ],
    )
}

/// A checkout or portal that can't be used any more.
pub(crate) fn over() -> String {
    message("This page is over", "It was used, or it is too old. Open a new one through the API.")
}

pub(crate) fn unknown() -> String {
    message("There is nothing here", "No checkout, portal or invoice of the sandbox has this address.")
}

/// The page after a form with an unknown value.
pub(crate) fn not_understood() -> String {
    message("That was not understood", "Go back and use one of the page's buttons.")
}

/// Something went wrong.
pub(crate) fn failed(error: &ApiError) -> String {
    match error.code {
        Code::Unavailable => message("Try again in a moment", "The service can't reach its database just now."),
        Code::InternalError => message("Something went wrong", "The cause is in the service's log."),
        _ => not_understood(),
    }
}

fn message(title: &str, text: &str) -> String {
    fill(MESSAGE, &[("title", title), ("text", text)])
}

fn form(title: &str, actions: Vec<Action>) -> String {
    if actions.is_empty() {
        return String::new();
    }
    let buttons: String = actions.into_iter().map(button).collect();
    format!("{title}<form method=\"post\">\n{buttons}</form>\n")
}

fn button(action: Action) -> String {
    let label = match action {
        Action::Switch(offer) => format!("{}, {}", offer.plan.name(), price(offer)),
        Action::Pay => "Pay the open invoice".to_owned(),
        Action::Fail => "Let the next payment fail now".to_owned(),
        Action::CancelAtPeriodEnd => "Cancel at the end of the period".to_owned(),
        Action::Resume => "Don’t cancel".to_owned(),
        Action::End => "End now".to_owned(),
    };
    let class = if action == Action::Pay { " class=\"primary\"" } else { "" };
    format!("<button{class} name=\"action\" value=\"{}\">{label}</button>\n", action.word())
}

fn invoice_row(invoice: &ProviderInvoice) -> String {
    format!(
        "<tr><td><a href=\"/billing/sandbox/invoice/{}\">{}</a></td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
        invoice.id,
        number(invoice),
        date(invoice.created_at),
        money(invoice.amount_due),
        invoice.status,
    )
}

fn number(invoice: &ProviderInvoice) -> &str {
    invoice.number.as_deref().unwrap_or("draft")
}

fn price(offer: Offer) -> String {
    format!("{} {}", money(offer.price().unwrap_or_default()), each(offer.interval))
}

const fn each(interval: Interval) -> &'static str {
    match interval {
        Interval::Month => "a month",
        Interval::Year => "a year",
    }
}

fn money(minor: i64) -> String {
    format!("{}.{:02} {}", minor / 100, minor % 100, CURRENCY.to_uppercase())
}

fn date(time: UnixMillis) -> String {
    DateTime::from_timestamp_millis(time).unwrap_or_default().format("%-d %b %Y").to_string()
}

fn thousands(number: i64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::tier::Plan;

    #[test]
    fn every_place_is_filled() {
        let offer = Offer { plan: Plan::Business, interval: Interval::Year };
        let page = checkout(offer, true);
        for shown in ["490.00 EUR", "a year", "Business", "1,000,000", "declined", "no money moves"] {
            assert!(page.contains(shown), "{shown}");
        }
        let mut books = Books {
            customer: "cus_1".into(),
            base_url: "http://localhost".into(),
            prices: super::super::objects::prices(),
            subscriptions: Vec::new(),
            invoices: Vec::new(),
            notices: Vec::new(),
        };
        let without = portal(&books);
        books.begin(offer, 1_795_000_000_000).unwrap();
        books.act(Action::Fail, 1_795_000_000_000).unwrap();
        let with = portal(&books);
        assert!(with.contains("SANDBOX-0002") && with.contains("value=\"pay\"") && with.contains("past due"));
        let unavailable = failed(&ApiError::unavailable());
        for page in [page, without, with, invoice(&books.invoices[1]), over(), unknown(), unavailable] {
            assert!(!page.contains("{{") && page.contains("no money moves"), "{page}");
        }
        assert_eq!((thousands(7), thousands(50_000), money(900)), ("7".into(), "50,000".into(), "9.00 EUR".into()));
    }
}
