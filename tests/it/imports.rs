//! The graph of imports: the source files whose items a source file names, in `use` declarations, in paths, in macros and
//! in attributes. Tests are left out.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    fs, mem,
    path::Path,
};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Names of modules from the crate's root to an item.
type Names = Vec<String>;

/// A source file.
#[derive(Default)]
struct Source {
    /// Its module; empty for the crate's root.
    module: Names,
    /// Names that `use` declarations bring in, and the paths that they stand for.
    aliases: BTreeMap<String, Names>,
    /// All other paths of two names or more.
    paths: BTreeSet<Names>,
}

/// Files by their path in `src`, each with those whose items it names.
pub(crate) struct Imports(BTreeMap<String, BTreeSet<String>>);

impl Imports {
    /// Reads all files below a folder.
    pub(crate) fn of(root: &Path) -> Self {
        let mut sources = BTreeMap::new();
        read(root, root, &mut sources);
        let modules: BTreeMap<&Names, &String> = sources.iter().map(|(file, source)| (&source.module, file)).collect();
        let imports = sources.iter().map(|(file, source)| {
            let named = source.aliases.values().chain(&source.paths);
            let found = named.filter_map(|path| find(path, source, &modules, &sources));
            (file.clone(), found.filter(|found| *found != file).cloned().collect())
        });
        Imports(imports.collect())
    }

    /// All files.
    pub(crate) fn files(&self) -> impl Iterator<Item = &String> {
        self.0.keys()
    }

    /// Pairs of a file and one whose items it names.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&String, &String)> {
        self.0.iter().flat_map(|(file, imported)| imported.iter().map(move |it| (file, it)))
    }

    /// The shortest way from a file to each that it reaches: the file before.
    fn ways<'a>(&'a self, from: &'a str) -> BTreeMap<&'a str, &'a str> {
        let (mut before, mut next) = (BTreeMap::new(), VecDeque::from([from]));
        while let Some(file) = next.pop_front() {
            for imported in &self.0[file] {
                if !before.contains_key(imported.as_str()) {
                    before.insert(imported.as_str(), file);
                    next.push_back(imported);
                }
            }
        }
        before
    }

    /// The files that a file reaches, itself only if it is in a circle.
    pub(crate) fn reached(&self, from: &str) -> BTreeSet<&str> {
        self.0.get_key_value(from).map_or_else(BTreeSet::new, |(from, _)| self.ways(from).into_keys().collect())
    }

    /// The shortest way from a file to another, if there is one.
    pub(crate) fn way(&self, from: &str, to: &str) -> Option<String> {
        let (from, before) = (self.0.get_key_value(from)?.0, self.ways(from));
        let mut way = vec![to];
        while way.len() == 1 || way[way.len() - 1] != from {
            way.push(before.get(way[way.len() - 1])?);
        }
        way.reverse();
        Some(way.join(" → "))
    }

    /// Files that reach themselves, those that reach each other together.
    pub(crate) fn circles(&self) -> Vec<BTreeSet<&str>> {
        let mut circles: Vec<BTreeSet<&str>> = Vec::new();
        for file in self.files().filter(|file| self.way(file, file).is_some()) {
            if !circles.iter().any(|circle| circle.contains(file.as_str())) {
                let back = |other: &&str| self.reached(other).contains(file.as_str());
                circles.push(self.reached(file).into_iter().filter(back).collect());
            }
        }
        circles
    }
}

fn read(root: &Path, folder: &Path, sources: &mut BTreeMap<String, Source>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read(root, &path, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(root).unwrap().display().to_string();
            let module =
                name.trim_end_matches(".rs").trim_end_matches("mod").split('/').filter(|name| !name.is_empty());
            let module = module.filter(|name| *name != "lib").map(str::to_owned).collect();
            let mut source = Source { module, ..Source::default() };
            source.read(fs::read_to_string(&path).unwrap().parse().unwrap());
            sources.insert(name, source);
        }
    }
}

impl Source {
    fn read(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        let (mut path, mut is_test) = (Names::new(), false);
        while let Some(token) = tokens.next() {
            match &token {
                TokenTree::Ident(name) if name == "use" => {
                    let declared = tokens.by_ref().take_while(|token| !is(token, ';')).collect();
                    if !mem::take(&mut is_test) {
                        self.declare(Names::new(), declared);
                    }
                    continue;
                }
                TokenTree::Ident(name) => {
                    path.push(name.to_string());
                    if tokens.peek().is_some_and(|token| is(token, ':')) {
                        let mut ahead = tokens.clone();
                        ahead.next();
                        if ahead.next_if(|token| is(token, ':')).is_some()
                            && matches!(ahead.peek(), Some(TokenTree::Ident(_)))
                        {
                            tokens = ahead;
                            continue;
                        }
                    }
                }
                TokenTree::Group(group) => {
                    // The item after `#[cfg(test)]` ends with braces or a semicolon.
                    if group.delimiter() == Delimiter::Bracket
                        && group.stream().to_string().replace(' ', "") == "cfg(test)"
                    {
                        is_test = true;
                    } else if !is_test {
                        self.read(group.stream());
                    } else if group.delimiter() == Delimiter::Brace {
                        is_test = false;
                    }
                }
                token if is(token, ';') => is_test = false,
                _ => (),
            }
            let path = mem::take(&mut path);
            if path.len() > 1 && !is_test {
                self.paths.insert(path);
            }
        }
    }

    /// Takes the names of a `use` declaration, which begins with these modules.
    fn declare(&mut self, mut path: Names, tree: TokenStream) {
        let mut tokens = tree.into_iter().peekable();
        let start = path.len();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Ident(name) if name == "as" => {
                    let alias = tokens.next().unwrap().to_string();
                    self.aliases.insert(alias, mem::take(&mut path));
                }
                TokenTree::Ident(name) => path.push(name.to_string()),
                TokenTree::Group(group) => {
                    let (mut each, mut one) = (Vec::new(), TokenStream::new());
                    for token in group.stream() {
                        if is(&token, ',') { each.push(mem::take(&mut one)) } else { one.extend([token]) }
                    }
                    each.push(one);
                    for one in each {
                        self.declare(path.clone(), one);
                    }
                    path.truncate(start);
                    return;
                }
                _ => (),
            }
        }
        if path.len() > start {
            if path[path.len() - 1] == "self" {
                path.pop();
            }
            self.aliases.insert(path[path.len() - 1].clone(), path);
        }
    }
}

fn is(token: &TokenTree, character: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == character)
}

/// The file in which what a source names by a path stands; `None` for what is of another crate.
fn find<'a>(
    path: &[String],
    source: &Source,
    modules: &BTreeMap<&'a Names, &'a String>,
    sources: &'a BTreeMap<String, Source>,
) -> Option<&'a String> {
    let first = path.first()?;
    let absolute = match first.as_str() {
        "crate" | "linkgraph" => path[1..].to_vec(),
        "self" => [&source.module, &path[1..]].concat(),
        "super" => {
            let ups = path.iter().take_while(|name| *name == "super").count();
            [&source.module[..source.module.len().checked_sub(ups)?], &path[ups..]].concat()
        }
        _ => match source.aliases.get(first) {
            // An alias of a name of its own is another crate's.
            Some(alias) if alias.first() != Some(first) => {
                return find(
                    &[alias, &path[1..]].concat(),
                    &Source { module: source.module.clone(), ..Source::default() },
                    modules,
                    sources,
                );
            }
            _ => {
                let child = [&source.module, path].concat();
                let module = child[..=source.module.len()].to_vec();
                modules.contains_key(&module).then_some(child)?
            }
        },
    };
    let length = (0..=absolute.len()).rev().find(|length| modules.contains_key(&absolute[..*length].to_vec()))?;
    let file = modules[&absolute[..length].to_vec()];
    // Items that the module only re-exports stand elsewhere.
    let handed_on = absolute.get(length).and_then(|name| sources[file].aliases.get(name));
    match handed_on {
        Some(alias) => find(
            &[alias, &absolute[length + 1..]].concat(),
            &Source { module: sources[file].module.clone(), ..Source::default() },
            modules,
            sources,
        ),
        None => Some(file),
    }
}
