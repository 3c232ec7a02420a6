//! GraphQL documents that several tests send.

/// The standard query of graphql-js 16, with all its options.
pub(crate) const INTROSPECTION: &str = include_str!("../api/introspection.graphql");

/// The operation to execute of a document with several.
pub(crate) fn first_name(document: &str) -> Option<&str> {
    let name = document.strip_prefix("query ")?.split([' ', '{']).next()?;
    (document.matches("query ").count() + document.matches("mutation ").count() > 1).then_some(name)
}

/// Documents that pass all limits and are as much work as can be.
pub(crate) fn heavy(scale: usize) -> Vec<(&'static str, String)> {
    let times = |text: &str, number: usize| text.repeat(number * scale / 8);
    let number = |number: usize| number * scale / 8;
    let distinct =
        |from: &str, number: usize| -> String { (0..number).map(|n| from.replace('#', &n.to_string())).collect() };
    let chain = |links: usize| {
        let chain: String = (0..links).map(|n| format!("fragment f{n} on User {{ ...f{} }} ", n + 1)).collect();
        format!("{{ me {{ ...f0 }} }} {chain} fragment f{links} on User {{ id }}")
    };
    vec![
        ("one field often", format!("{{ me {{ {} }} }}", times("id ", 1_900))),
        ("an unknown field often", format!("{{ me {{ {} }} }}", times("x ", 1_900))),
        ("many unknown fields", format!("{{ me {{ {} }} }}", distinct("x# ", number(1_900)))),
        ("conflicting arguments", format!("{{ me {{ id({}) {} }} }}", distinct("a#: 1 ", 10), times("id ", 1_850))),
        (
            "many fragments in one place",
            format!(
                "{{ me {{ {} }} }} {}",
                distinct("...f# ", number(190)),
                distinct("fragment f# on User { id } ", number(190)),
            ),
        ),
        (
            "one fragment in many places",
            format!("{{ me {{ account {{ id {} }} }} }} fragment f on Account {{ id plan }}", times("...f ", 600),),
        ),
        ("a chain of fragments", chain(number(80))),
        // A quarter of it would be valid.
        ("a chain of fragments that is too long", chain(220)),
        (
            "fragments that nobody spreads",
            format!("{{ me {{ id }} }} {}", distinct("fragment f# on User { id } ", number(240))),
        ),
        ("many variables", format!("query({}) {{ me {{ id }} }}", distinct("$v#: Int ", number(480)))),
        (
            "variables that are used",
            format!(
                "query({}) {{ me {{ {} }} }}",
                distinct("$v#: Int ", number(200)),
                distinct("id(a: $v#) ", number(140)),
            ),
        ),
        (
            "undefined variables, often",
            format!(
                "{} fragment f on Query {{ links {{ data {{ {} }} }} }}",
                distinct("query q#{...f} ", 18),
                times("id(a: $a, b: $b, c: $c, d: $d, e: $e, f: $f, g: $g, h: $h, i: $i) ", 45),
            ),
        ),
        ("many directives", format!("{{ me {{ id {} }} }}", times("@skip(if: false) ", 270))),
        ("directives on many fields", format!("{{ me {{ {} }} }}", times("id @include(if: true) ", 240))),
        ("unknown directives", format!("{{ me {{ id {} }} }}", distinct("@d#(a: 1) ", number(270)))),
        (
            "nested inline fragments",
            format!("{{ me {{ {} }} }}", times(&format!("{}id{} ", "...{".repeat(30), "}".repeat(30)), 20)),
        ),
        ("a long list", format!("{{ links(search: [{}]) {{ total }} }}", times("1 ", 1_900))),
        ("a large object", format!("{{ links(search: {{ {} }}) {{ total }} }}", distinct("a#: 1 ", number(640)))),
        ("a long string", format!("{{ links(search: \"{}\") {{ total }} }}", times("x", 200_000))),
        ("a long comment", format!("{{ me {{ id }} }} #{}", times("\"[{(", 50_000))),
        ("many strings", format!("{{ links(search: [{}]) {{ total }} }}", times("\"x\\n\" ", 1_900))),
        ("introspection", INTROSPECTION.to_owned()),
    ]
}
