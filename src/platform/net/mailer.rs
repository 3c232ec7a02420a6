//! Sends mail by SMTP, or keeps it as files where no server is configured.

use std::path::PathBuf;

use lettre::{
    AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor,
    message::{
        Body, Mailbox,
        header::{ContentTransferEncoding, ContentType, MIME_VERSION_1_0},
    },
};
use uuid::Uuid;

use crate::base::{config::Config, error::ApiError, file::write_whole, validate::host_name};

/// A mail in plain text.
#[derive(Clone, Debug)]
pub(crate) struct Mail {
    pub(crate) to: String,
    pub(crate) subject: String,
    /// Body: ASCII, in lines of less than 1000 characters, so that it is sent as it is.
    pub(crate) text: String,
}

pub(crate) struct Mailer {
    from: Mailbox,
    way: Way,
}

enum Way {
    Smtp(AsyncSmtpTransport<Tokio1Executor>),
    Files(PathBuf),
}

impl Mailer {
    pub(crate) fn new(config: &Config) -> anyhow::Result<Self> {
        if let Some(smtp) = &config.smtp {
            let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(&smtp.url)
                // The URL may hold a password: it is not repeated.
                .map_err(|_| anyhow::anyhow!("LINKGRAPH_SMTP_URL: is not a URL such as smtps://user:secret@host"))?
                .timeout(Some(std::time::Duration::from_secs(15)))
                .build();
            return Ok(Mailer { from: smtp.from.clone(), way: Way::Smtp(transport) });
        }
        let folder = config.data_dir.join("mail");
        tracing::info!("LINKGRAPH_SMTP_URL is not set: mails become files in {}", folder.display());
        Ok(Mailer { from: Mailbox::new(None, "linkgraph@localhost".parse()?), way: Way::Files(folder) })
    }

    /// Connects to the server and logs in, as far as one is set up. No mail is sent.
    pub(crate) async fn reach(&self) -> anyhow::Result<()> {
        match &self.way {
            Way::Smtp(transport) => {
                anyhow::ensure!(transport.test_connection().await?, "the server hangs up");
                Ok(())
            }
            Way::Files(_) => Ok(()),
        }
    }

    /// Hands the mail over: to the server, or to the disk. One that can never arrive is given up, and logged.
    pub(crate) async fn send(&self, mail: &Mail) -> Result<(), ApiError> {
        let Ok(to) = mail.to.parse() else {
            tracing::warn!("A mail is given up: nothing can be sent to an address of this kind");
            return Ok(());
        };
        let id = Uuid::now_v7();
        let message = Message::builder()
            .from(self.from.clone())
            .to(to)
            .date_now()
            .message_id(Some(message_id(id, self.from.email.domain())))
            .subject(&mail.subject)
            .header(MIME_VERSION_1_0)
            .header(ContentType::TEXT_PLAIN)
            // Encoded otherwise, long lines are broken and `=` is written `=3D`: links in the files would not work.
            .body(Body::dangerous_pre_encoded(
                mail.text.replace('\n', "\r\n").into_bytes(),
                ContentTransferEncoding::SevenBit,
            ))
            .map_err(ApiError::internal)?;
        match &self.way {
            Way::Smtp(transport) => match transport.send(message).await {
                Ok(_) => {}
                // RFC 5321 §4.2.1: it would be refused again. Codes 530 to 539 are about our login (RFC 4954 §6), which
                // the operator can mend.
                Err(error)
                    if error.is_permanent() && !error.status().is_some_and(|code| is_about_login(code.into())) =>
                {
                    tracing::warn!(%error, "The mail server refused a mail for good: it is given up");
                }
                Err(error) => {
                    tracing::warn!(%error, "The mail server did not take a mail");
                    return Err(ApiError::unavailable());
                }
            },
            Way::Files(folder) => {
                let path = folder.join(format!("{id}.eml"));
                let bytes = message.formatted();
                tokio::task::spawn_blocking(move || write_whole(&path, &bytes))
                    .await
                    .map_err(ApiError::internal)?
                    .map_err(ApiError::internal)?;
            }
        }
        Ok(())
    }
}

/// A mail's identifier (RFC 5322 §3.6.4) in the domain that the mail is from. Headers are ASCII, so the domain is in A-labels.
fn message_id(id: Uuid, domain: &str) -> String {
    let domain = host_name(domain).unwrap_or_else(|| domain.to_owned());
    format!("<{id}@{domain}>")
}

fn is_about_login(code: u16) -> bool {
    (530..540).contains(&code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_id_is_ascii() {
        let id = Uuid::now_v7();
        for (domain, shown) in [("sho.rt", "sho.rt"), ("bücher.example", "xn--bcher-kva.example"), ("[::1]", "[::1]")]
        {
            assert_eq!(message_id(id, domain), format!("<{id}@{shown}>"));
        }
    }
}
