//! Rules of images.

use entity::image;
use pictures::{Encoded, rewritten};
use sha2::{Digest, Sha256};

use crate::{
    app::App,
    base::{
        error::{ApiError, Code},
        ids::AccountId,
        metering,
        page::{PageArgs, Selected},
    },
    features::accounts::change,
    platform::work::audit::{Act, Fact},
    records::{
        domains::hosts::page_repo,
        images::{
            self, ImageId,
            cache::ServedImage,
            repo::{self, ImageFacts},
        },
    },
    redirect::stale::Stale,
};

/// Bytes of a file at most, as it is uploaded and as it is stored.
pub(super) const MAX_FILE: i32 = 1 << 20;
/// Most pixels at a side of an image that is stored: twice what a card shows on a screen of two pixels for each point.
const MAX_SIDE: u32 = 2_400;
/// Images that an account may have.
const MAX_IMAGES: i64 = 500;
/// Bytes of images that an account may have: a fifth of them as large as they may be.
const MAX_BYTES: i64 = 100 << 20;

/// One page of images, newest first, and their number on all pages; each only if selected.
pub(crate) async fn list(
    app: &App,
    account: AccountId,
    page: PageArgs,
    selected: Selected,
) -> Result<(Vec<ImageFacts>, i64), ApiError> {
    let db = app.db.read();
    let images = if selected.items { repo::page(db, account, page).await? } else { Vec::new() };
    let total = if selected.total { repo::count(db, account).await? } else { 0 };
    Ok((images, total))
}

/// Stores the image in a file, written anew, and answers it and whether it is new: the same file again is answered with the first one,
/// if the caller `may_read` it.
pub(crate) async fn upload(
    app: &App,
    act: &Act,
    file: Vec<u8>,
    may_read: bool,
) -> Result<(ImageFacts, bool), ApiError> {
    let account = act.account;
    let existing = |known| {
        let refused = || ApiError::conflict("content", "The account has this image.");
        may_read.then_some((known, false)).ok_or_else(refused)
    };
    let sha256 = Sha256::digest(&file).to_vec();
    if let Some(known) = repo::of_file(app.db.read(), account, &sha256).await? {
        return existing(known);
    }
    let turn = app.image_turns.acquire(account).await?;
    let write = move || (rewritten(&file, MAX_SIDE, MAX_FILE.unsigned_abs() as usize), turn).0;
    let written = metering::elsewhere(write).await.map_err(ApiError::internal)?;
    let Encoded { media_type, width, height, content } =
        written.map_err(|refused| ApiError::invalid_field("content", refused.to_string()))?;
    let number = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
    let image = image::Model {
        id: ImageId::new().0,
        account_id: account.0,
        sha256,
        media_type: media_type.as_str().to_owned(),
        width: number(width),
        height: number(height),
        size: i32::try_from(content.len()).unwrap_or(i32::MAX),
        created_at: app.clock.now(),
        content,
    };
    let tx = change::begin(app, act).await?;
    if let Some(known) = repo::of_file(&tx, account, &image.sha256).await? {
        return existing(known);
    }
    let used = repo::used(&tx, account).await?;
    if used.number >= MAX_IMAGES {
        return Err(ApiError::plan_limit(MAX_IMAGES, used.number, "images"));
    }
    if used.bytes + i64::from(image.size) > MAX_BYTES {
        return Err(ApiError::plan_limit(MAX_BYTES, used.bytes, "imageBytes"));
    }
    let (facts, fact) = (ImageFacts::from(&image), Fact::created(&image));
    repo::insert(&tx, image).await?;
    tx.commit([fact]).await?;
    Ok((facts, true))
}

/// Deletes an image. Cards that show it keep its URL; pages of hosts have no logo any more.
pub(crate) async fn delete(app: &App, act: &Act, id: ImageId) -> Result<(), ApiError> {
    let (tx, account) = (change::begin(app, act).await?, act.account);
    let image = repo::of_id(&tx, account, id).await?.ok_or(Code::NotFound)?;
    let hosts = page_repo::remove_logo(&tx, account, &images::path(image.id, &image.media_type)).await?;
    repo::delete(&tx, account, id).await?;
    tx.evict(hosts.into_iter().map(Stale::Host));
    tx.after(move || app.images.evict(id));
    Ok(tx.commit([Fact::gone::<image::Model>(&id.0)]).await?)
}

/// The image that everybody gets who has its URL. `None`: there is none of this id and media type, or its account is suspended.
pub(crate) async fn served(app: &App, id: ImageId, media_type: &str) -> Result<Option<ServedImage>, ApiError> {
    let load = async || {
        let stored = repo::public(app.db.read(), id).await?;
        Ok(stored.map(|image| ServedImage {
            account: AccountId(image.account_id),
            media_type: image.media_type,
            content: image.content.into(),
        }))
    };
    let image = app.images.get(id, app.clock.now(), load).await?;
    let is_suspended = |account| app.redirects.restrictions.is_suspended(account);
    Ok(image.filter(|image| image.media_type == media_type && !is_suspended(image.account)))
}
