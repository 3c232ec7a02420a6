//! Numbers of a link's destinations. A number stands for one URL for ever, and a URL that is led to again gets its number again. Pure.

use entity::link_destination;
use link_rules::{Destination, Outcome};
use uuid::Uuid;

use crate::base::clock::UnixMillis;

/// Destinations to which nothing leads any more that a link keeps; those with the lowest numbers are forgotten.
const KEPT: usize = 100;

/// Destinations of a link while its rules or its split change.
#[derive(Debug)]
pub(crate) struct Numbers {
    link: Uuid,
    known: Vec<link_destination::Model>,
    /// The number of the next new one.
    pub(crate) next: i64,
}

/// A destination that can't have a number or a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// All numbers are used up.
    NoNumber,
    /// It has another label in the same change.
    OtherLabel,
}

impl Refused {
    /// What is wrong, for a person.
    pub(crate) fn message(self) -> &'static str {
        match self {
            Refused::NoNumber => "can't be another new destination: the link has had as many as it may have",
            Refused::OtherLabel => "must be the one label of its destination",
        }
    }
}

/// The changes to store.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    pub(crate) set: Vec<link_destination::Model>,
    pub(crate) forgotten: Vec<i64>,
}

impl Numbers {
    /// The destinations of a link, also those to which nothing leads, and the number of the next one.
    pub(crate) fn new(link: Uuid, known: Vec<link_destination::Model>, next: i64) -> Self {
        Numbers { link, known, next }
    }

    /// The destination with this URL.
    pub(crate) fn destination(&mut self, url: String) -> Result<Destination, Refused> {
        if let Some(known) = self.known.iter().find(|known| known.url == url)
            && let Ok(number) = u16::try_from(known.number)
        {
            return Ok(Destination { number, url });
        }
        let number = u16::try_from(self.next).map_err(|_| Refused::NoNumber)?;
        self.known.push(link_destination::Model {
            link_id: self.link,
            number: number.into(),
            url: url.clone(),
            label: None,
            retired_at: None,
        });
        self.next += 1;
        Ok(Destination { number, url })
    }

    /// What is to be stored once these outcomes are all that the link leads to. `labels` has those of the destinations that this change
    /// names.
    pub(crate) fn changes<'a>(
        &self,
        before: &[link_destination::Model],
        outcomes: impl Iterator<Item = &'a Outcome>,
        labels: &[(u16, Option<String>)],
        now: UnixMillis,
    ) -> Changes {
        let used: Vec<i64> = outcomes.flat_map(Outcome::destinations).map(|it| it.number.into()).collect();
        let mut changes = Changes::default();
        let mut retired = Vec::new();
        for known in &self.known {
            let label = labels.iter().find(|(number, _)| i64::from(*number) == known.number);
            let after = link_destination::Model {
                label: label.map_or_else(|| known.label.clone(), |(_, label)| label.clone()),
                retired_at: if used.contains(&known.number) { None } else { known.retired_at.or(Some(now)) },
                ..known.clone()
            };
            if after.retired_at.is_some() {
                retired.push(after.number);
            }
            if !before.contains(&after) {
                changes.set.push(after);
            }
        }
        retired.sort_unstable();
        let excess = retired.len().saturating_sub(KEPT);
        changes.forgotten = retired.into_iter().take(excess).collect();
        changes.set.retain(|row| !changes.forgotten.contains(&row.number));
        changes
    }
}

/// Notes the label that a change gives a destination. Fails if it gives it another one, too.
pub(crate) fn note_label(
    labels: &mut Vec<(u16, Option<String>)>,
    number: u16,
    label: Option<String>,
) -> Result<(), Refused> {
    match labels.iter().find(|(known, _)| *known == number) {
        Some((_, known)) if *known != label => Err(Refused::OtherLabel),
        Some(_) => Ok(()),
        None => {
            labels.push((number, label));
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to(numbers: &mut Numbers, url: &str) -> Outcome {
        Outcome::To(numbers.destination(url.to_owned()).unwrap())
    }

    #[test]
    fn a_url_keeps_its_number_and_no_other_gets_it() {
        let mut numbers = Numbers::new(Uuid::nil(), Vec::new(), 1);
        let outcomes = [to(&mut numbers, "https://a.example/"), to(&mut numbers, "https://b.example/")];
        let first = numbers.changes(&[], outcomes.iter(), &[(1, Some("A".to_owned()))], 7);
        assert_eq!(
            first.set.iter().map(|row| (row.number, row.label.as_deref())).collect::<Vec<_>>(),
            [(1, Some("A")), (2, None)]
        );

        let mut numbers = Numbers::new(Uuid::nil(), first.set.clone(), numbers.next);
        let outcomes = [to(&mut numbers, "https://c.example/"), to(&mut numbers, "https://b.example/")];
        let second = numbers.changes(&first.set, outcomes.iter(), &[], 8);
        let numbered: Vec<_> = second.set.iter().map(|row| (row.number, row.retired_at)).collect();
        assert_eq!(numbered, [(1, Some(8)), (3, None)], "the second is as before");

        let known = [&second.set[..], &first.set[1..]].concat();
        let mut numbers = Numbers::new(Uuid::nil(), known.clone(), numbers.next);
        let outcomes = [to(&mut numbers, "https://a.example/")];
        let third = numbers.changes(&known, outcomes.iter(), &[], 9);
        let mut numbered: Vec<_> = third.set.iter().map(|row| (row.number, row.retired_at)).collect();
        numbered.sort_unstable();
        assert_eq!((numbered, numbers.next), (vec![(1, None), (2, Some(9)), (3, Some(9))], 4));
    }

    #[test]
    fn old_destinations_are_forgotten_and_numbers_end() {
        let mut numbers = Numbers::new(Uuid::nil(), Vec::new(), 1);
        for number in 0..KEPT + 3 {
            numbers.destination(format!("https://{number}.example/")).unwrap();
        }
        let last = [Outcome::To(numbers.destination(format!("https://{}.example/", KEPT + 2)).unwrap())];
        let changes = numbers.changes(&[], last.iter(), &[], 1);
        assert_eq!((changes.forgotten, changes.set.len()), (vec![1, 2], KEPT + 1));
        numbers.next = i64::from(u16::MAX) + 1;
        assert_eq!(numbers.destination("https://new.example/".to_owned()), Err(Refused::NoNumber));
    }

    #[test]
    fn a_destination_has_one_label_in_a_change() {
        let (mut labels, a) = (Vec::new(), Some("A".to_owned()));
        assert_eq!(note_label(&mut labels, 1, a.clone()), Ok(()));
        assert_eq!(note_label(&mut labels, 1, a), Ok(()));
        assert_eq!(note_label(&mut labels, 1, None), Err(Refused::OtherLabel));
    }
}
