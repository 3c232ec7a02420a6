//! Columns of a table that a person made: what they are about, guessed by their names in several languages, and by their values.

use std::collections::HashSet;

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use crate::source::{Field, plain};

/// Longest value that is taken for a slug, in bytes.
const MAX_SLUG: usize = 40;

/// Names of columns as [`folded`] has them, those first that say more. English, German, French, Spanish, Italian, Portuguese, Dutch,
/// Polish and Swedish.
const NAMES: &[(Field, &str)] = &[
    (
        Field::Destination,
        "destinationurl targeturl longurl originalurl fulllink fullurl longlink originallink landingpageurl \
         landingpage redirecturl redirectto destinationlink zielurl ziellink zieladresse zielseite urlcible \
         urldedestination urldestination liendedestination pagededestination urldedestino urldestino \
         enlacededestino paginadedestino urldidestinazione urldestinazione paginadidestinazione linkdedestino \
         doelurl doellink doeladres doelpagina bestemmingsurl adresdocelowy urldocelowy linkdocelowy \
         docelowyurl stronadocelowa malurl mallank destination target ziel weiterleitung weiterleitungsziel \
         cible destino destinazione bestemming doel cel mal url urls langeurl urllongue lienlong urlcomplete \
         urllarga enlacelargo urllunga urllungo urllonga lienoriginal enlaceoriginal urloriginale dlugiurl \
         dlugilink adresurl href website websiteurl webaddress webpage pageurl page webadresse \
         internetadresse webseite siteweb adresseweb sitioweb paginaweb direccionweb sitoweb indirizzoweb \
         enderecoweb webadres webpagina adreswww stronawww webbadress link links lien liens enlace enlaces \
         collegamento ligacao odnosnik lank address adresse direccion indirizzo endereco adres adress uri \
         seite strona to",
    ),
    (
        Field::ShortUrl,
        "shorturl shortlink shortenedurl shortenedlink tinyurl vanityurl kurzlink kurzurl kurzeurl urlcourte \
         liencourt lienraccourci urlraccourcie enlacecorto urlcorta enlaceacortado linkbreve urlbreve \
         linkcorto linkcurto urlcurta urlcurto linkencurtado kortelink korteurl krotkilink krotkiurl \
         krotkiadres skroconylink kortlank link lien enlace lank",
    ),
    (
        Field::Slug,
        "slug customslug shortcode shortpath backhalf keyword alias customalias path suffix code short \
         shortname kurzel kuerzel kurzpfad kurzcode kurzname pfad endung codecourt cheminscourt chemin \
         raccourci codigocorto rutacorta ruta atajo codigo codicebreve percorso codice scorciatoia caminho \
         atalho apelido kortecode pad afkorting krotkikod sciezka skrot koncowka kod kortkod sokvag",
    ),
    (
        Field::Host,
        "domain shortdomain domainname host hostname kurzdomain domane domaine nomdedomaine dominio domein \
         domena doman",
    ),
    (
        Field::Title,
        "title linktitle linkname name label subject headline titel linktitel bezeichnung uberschrift titre \
         nom intitule libelle titulo nombre titolo nome designacao naam tytul nazwa namn rubrik",
    ),
    (
        Field::Notes,
        "notes note comments comment description remarks remark memo notizen notiz bemerkungen bemerkung \
         kommentar beschreibung anmerkungen anmerkung remarques remarque commentaires commentaire notas nota \
         comentarios comentario descripcion observaciones commenti commento descrizione observacoes descricao \
         notities notitie opmerkingen opmerking omschrijving beschrijving notatki notatka uwagi opis \
         komentarz anteckningar beskrivning",
    ),
    (
        Field::Tags,
        "tags tag labels keywords categories category groups group schlagworte schlagworter stichworte \
         kategorien kategorie gruppe etiquettes motscles categorie etiquetas etiqueta categorias categoria \
         etichette parolechiave marcadores categorieen trefwoorden tagi etykiety kategoria znaczniki taggar \
         kategori",
    ),
    (
        Field::Expires,
        "expiresat expires expirationdate expirydate expiration expiry validuntil validto enddate endsat ends \
         end ablaufdatum ablauf lauftabam gultigbis enddatum ende datedexpiration dateexpiration expirele \
         expire valablejusquau validejusquau datedefin fin fechadecaducidad caducidad fechadevencimiento \
         vencimiento expira validohasta fechadefin datadiscadenza scadenza scade validofino validofinoal \
         datadifine fine datadeexpiracao expiracao expiraem validade validoate datadefim fim vervaldatum \
         verlooptop verloopt geldigtot einddatum einde datawygasniecia wygasa waznydo waznoscdo \
         datazakonczenia koniec utgar slutdatum",
    ),
    (
        Field::Starts,
        "startsat starts startdate start validfrom activefrom gultigab gultigvon startdatum beginn \
         datededebut debut validedu valableapartirdu fechadeinicio inicio validodesde datadiinizio inizio \
         validodal datadeinicio validode begindatum geldigvanaf datarozpoczecia poczatek waznyod",
    ),
    (
        Field::Created,
        "createdat createdon created creationdate datecreated dateadded timestamp erstelltam erstellt \
         erstellungsdatum angelegtam angelegt datedecreation datecreation creele cree fechadecreacion \
         creadoel creado datadicreazione datacreazione creatoil creato datadecriacao criadoem criado \
         aangemaaktop aangemaakt aanmaakdatum datautworzenia utworzono skapad date datum fecha data",
    ),
    (Field::ExpiredUrl, "expiredurl expirationurl fallbackurl ersatzurl zielnachablauf"),
    (
        Field::MaxClicks,
        "maxclicks clickslimit clicklimit maxvisits maxklicks klicklimit clicsmax limitedeclics maxclics \
         limitediclic limitedecliques kliklimiet limitklikniec",
    ),
    (
        Field::Clicks,
        "clicks totalclicks clickcount visits hits views scans klicks aufrufe besuche zugriffe clics visites \
         vues visitas clic visite cliques acessos klikken kliks bezoeken klikniecia odwiedziny wejscia klick \
         besok",
    ),
    (Field::IsActive, "isactive active enabled aktiv actif activo attivo ativo actief aktywny aktywne"),
    (
        Field::IsArchived,
        "isarchived archived archiviert archive archivado archiviato arquivado gearchiveerd zarchiwizowany",
    ),
    (Field::ForwardsQuery, "forwardsquery forwardquery"),
    // A link with a password must not become open to all by an import.
    (
        Field::Password,
        "password haspassword passwordprotected passwort kennwort motdepasse contrasena senha palavrapasse wachtwoord haslo losenord",
    ),
    (Field::AsksFirst, "asksfirst"),
    (Field::Notice, "notice"),
    (Field::CardTitle, "cardtitle ogtitle"),
    (Field::CardDescription, "carddescription ogdescription"),
    (Field::CardImageUrl, "cardimageurl cardimage ogimage"),
    // A number of rows is no id: those of the next table begin at 1 again.
    (Field::ExternalId, "externalid externeid idexterne idexterno idesterno"),
];

/// A name as those in [`NAMES`]: letters and digits alone, in lower case, without their accents.
fn folded(name: &str) -> String {
    let letters = plain(name).replace('ł', "l").replace('ß', "ss").replace('ø', "o").replace('æ', "ae");
    letters.nfd().filter(|character| !is_combining_mark(*character)).collect()
}

/// Whether the text is a URL, as one may stand in a table.
pub(crate) fn is_url(text: &str) -> bool {
    let text = text.trim();
    let (scheme, rest) = text.split_once("://").unwrap_or(("", text));
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    (is_web && !rest.is_empty()
        || scheme.is_empty() && text.len() > 4 && text.get(..4).is_some_and(|www| www.eq_ignore_ascii_case("www.")))
        && !text.contains(char::is_whitespace)
}

/// Whether the text is a URL, or one without its scheme.
fn is_address(text: &str) -> bool {
    is_url(text) || has_host(text.trim()) && !text.trim().contains(char::is_whitespace)
}

/// Whether the text begins with the name of a host that has a dot.
pub(crate) fn has_host(text: &str) -> bool {
    let host = text.split(['/', '?', '#', ':']).next().unwrap_or_default();
    let is_in_host = |character: char| character.is_alphanumeric() || matches!(character, '-' | '.');
    let ending = host.rsplit_once('.').map_or("", |(name, ending)| if name.is_empty() { "" } else { ending });
    ending.len() > 1
        && ending.chars().all(char::is_alphabetic)
        && host.chars().all(is_in_host)
        && !host.starts_with('.')
}

/// The columns of fields, as they are guessed. `names`: of all columns, `None` if the table has no header. `rows`: the first of its rows. Columns
/// in `taken` and fields in `known` are left out.
pub(crate) fn guess(
    names: Option<&[String]>,
    rows: &[Vec<String>],
    width: usize,
    taken: &[usize],
    known: &[Field],
) -> Vec<(Field, usize)> {
    let mut found: Vec<(Field, usize)> = Vec::new();
    let is_free =
        |place: usize, found: &[(Field, usize)]| !taken.contains(&place) && found.iter().all(|(_, of)| *of != place);
    let values = |place: usize| {
        rows.iter().filter_map(move |row| row.get(place)).map(|value| value.trim()).filter(|value| !value.is_empty())
    };
    let are_most = |place: usize, is: fn(&str) -> bool| {
        let all = values(place).count();
        all > 0 && values(place).filter(|value| is(value)).count() * 2 >= all
    };
    if let Some(names) = names {
        let names: Vec<(String, String)> = names
            .iter()
            // An explanation in parentheses says less than the name before it.
            .map(|name| (folded(name), folded(name.split(['(', '[']).next().unwrap_or_default())))
            .collect();
        for (field, known_names) in NAMES {
            if known.contains(field) {
                continue;
            }
            let place = known_names.split(' ').find_map(|known| {
                let has = |(place, (name, short)): &(usize, &(String, String))| {
                    (name == known || short == known) && is_free(*place, &found)
                };
                // "Name" or "Adresse" may be those of people.
                let is_of_urls = |place: usize| {
                    !matches!(field, Field::Destination | Field::ShortUrl)
                        || values(place).next().is_none()
                        || values(place).any(|value| value.contains('.'))
                };
                names.iter().enumerate().filter(has).map(|(place, _)| place).find(|place| is_of_urls(*place))
            });
            found.extend(place.map(|place| (*field, place)));
        }
    }
    let is_missing =
        |field: Field, found: &[(Field, usize)]| !known.contains(&field) && found.iter().all(|(of, _)| *of != field);
    let urls_as = |is: fn(&str) -> bool| {
        (0..width).filter(|place| is_free(*place, &found) && are_most(*place, is)).collect::<Vec<usize>>()
    };
    // Without a scheme they are told less surely.
    let urls = Some(urls_as(is_url)).filter(|urls| !urls.is_empty()).unwrap_or_else(|| urls_as(is_address));
    if is_missing(Field::Destination, &found) {
        // Destinations are longer than short links.
        let length = |place: usize| values(place).map(str::len).sum::<usize>() / values(place).count().max(1);
        let longest = urls.iter().rev().max_by_key(|place| length(**place));
        found.extend(longest.map(|place| (Field::Destination, *place)));
    }
    if names.is_some() {
        return found;
    }
    if is_missing(Field::ShortUrl, &found) && is_missing(Field::Slug, &found) {
        let short = urls.iter().find(|place| is_free(**place, &found) && values(**place).all(is_short_link));
        found.extend(short.map(|place| (Field::ShortUrl, *place)));
    }
    if is_missing(Field::Slug, &found) && is_missing(Field::ShortUrl, &found) {
        let is_slug = |value: &str| {
            let is_part = |part: char| part.is_alphanumeric() || is_combining_mark(part) || "-_/".contains(part);
            value.len() <= MAX_SLUG && value.chars().all(is_part) && value.contains(char::is_alphabetic)
        };
        let are_slugs = |place: usize| {
            let mut once = HashSet::new();
            values(place).next().is_some() && values(place).all(|value| is_slug(value) && once.insert(value.to_owned()))
        };
        let slugs = (0..width).find(|place| is_free(*place, &found) && are_slugs(*place));
        found.extend(slugs.map(|place| (Field::Slug, place)));
    }
    if is_missing(Field::Title, &found) {
        let is_title = |value: &str| value.contains(' ') && value.chars().any(char::is_alphabetic);
        let titles = |place: usize| values(place).filter(|value| is_title(value)).count();
        let title = (0..width).find(|place| is_free(*place, &found) && titles(*place) * 2 > values(*place).count());
        found.extend(title.map(|place| (Field::Title, place)));
    }
    found
}

/// Whether the URL may be a short link: a path of one short part, without a query.
fn is_short_link(text: &str) -> bool {
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let path = rest.split_once('/').map_or("", |(_, path)| path.trim_end_matches('/'));
    !path.is_empty() && path.len() <= MAX_SLUG && !path.contains(['/', '?', '#', '.'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guessed(names: Option<&[&str]>, rows: &[&[&str]]) -> Vec<(Field, usize)> {
        let owned = |row: &[&str]| row.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let rows: Vec<Vec<String>> = rows.iter().map(|row| owned(row)).collect();
        let width = rows.iter().map(Vec::len).max().unwrap_or(0).max(names.map_or(0, <[&str]>::len));
        let mut found = guess(names.map(owned).as_deref(), &rows, width, &[], &[]);
        found.sort_by_key(|(_, place)| *place);
        found
    }

    #[test]
    fn each_name_is_folded_and_stands_once_in_a_field() {
        for (field, names) in NAMES {
            for name in names.split(' ') {
                assert_eq!(folded(name), name, "{field:?}");
                assert_eq!(names.split(' ').filter(|other| *other == name).count(), 1, "{field:?}: {name}");
            }
        }
        assert_eq!(folded("Größe d’été ŁÓDŹ"), "grossedetelodz");
    }

    #[test]
    fn names_are_known_in_several_languages() {
        use Field::{Created, Destination, Expires, Notes, ShortUrl, Slug, Tags, Title};
        for (names, fields) in [
            (&["url", "slug", "title"][..], &[Destination, Slug, Title][..]),
            (&["Ziel-URL", "Kürzel", "Bezeichnung", "Gültig bis"], &[Destination, Slug, Title, Expires]),
            (&["Lien", "Raccourci", "Intitulé", "Étiquettes"], &[Destination, Slug, Title, Tags]),
            (&["Enlace", "Título", "Categoría", "Fecha de creación"], &[Destination, Title, Tags, Created]),
            (&["Titolo", "Indirizzo web", "Note"], &[Title, Destination, Notes]),
            (&["Título", "Endereço", "Link curto", "Observações"], &[Title, Destination, ShortUrl, Notes]),
            (&["Naam", "Doel-URL", "Vervaldatum"], &[Title, Destination, Expires]),
            (&["Nazwa", "Adres docelowy", "Skrót", "Ważny do"], &[Title, Destination, Slug, Expires]),
            (&["URL (Landingpage)", "Name"], &[Destination, Title]),
            (&["link", "url"], &[ShortUrl, Destination]),
        ] {
            let expected: Vec<(Field, usize)> = fields.iter().copied().zip(0..).collect();
            assert_eq!(guessed(Some(names), &[]), expected, "{names:?}");
        }
    }

    #[test]
    fn values_tell_where_names_do_not() {
        use Field::{Destination, ShortUrl, Slug, Title};
        assert_eq!(guessed(Some(&["foo", "bar"]), &[&["x", "https://a.example/"]]), [(Destination, 1)]);
        assert_eq!(guessed(Some(&["Adresse", "Seite"]), &[&["Hauptstraße 1", "www.a.example"]]), [(Destination, 1)]);
        assert_eq!(
            guessed(
                None,
                &[&["spring", "https://a.example/x", "Spring sale"], &["summer", "https://a.example/y", "Summer"]]
            ),
            [(Slug, 0), (Destination, 1)]
        );
        assert_eq!(
            guessed(None, &[&["https://go.example/a", "https://a.example/long/page?x=1", "Spring sale"]]),
            [(ShortUrl, 0), (Destination, 1), (Title, 2)]
        );
        // A number is no slug, and a name that comes twice neither.
        assert_eq!(
            guessed(None, &[&["1", "x", "https://a.example/"], &["2", "x", "https://b.example/"]]),
            [(Destination, 2)]
        );
        assert_eq!(guessed(Some(&["a", "b"]), &[&["x", "y"]]), []);
        assert_eq!(
            guessed(Some(&["a", "b"]), &[&["1.5", "acme.example/x"], &["31.01.2024", "nowhere"], &["x", "a.example"]]),
            [(Destination, 1)]
        );
        assert_eq!(guessed(Some(&["a", "b"]), &[&["a@acme.example", "www.acme.example"]]), [(Destination, 1)]);
    }
}
