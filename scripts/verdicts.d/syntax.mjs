// Mistakes of syntax: each changes the tokens of a valid document in one place, and answers false when it has no such place.

const kind = (name, want, change) => ({ name: `syntax: ${name}`, expects: ['parse'], want, change });
const some = (tokens, random, ...roles) => {
  const found = tokens.flatMap(({ role }, i) => (roles.includes(role) ? [i] : []));
  return found.length ? random.pick(found) : -1;
};
const token = (text, role = 'mistake') => ({ text, role });

/** Replaces a token of one of the roles by a text. */
const replace = (roles, make) => (tokens, random) => {
  const at = some(tokens, random, ...roles);
  if (at < 0) return false;
  const text = make(random, tokens[at].text);
  if (text === tokens[at].text) return false;
  // The role still says where lines begin.
  tokens[at] = token(text, tokens[at].role);
};
const remove =
  (...roles) =>
  (tokens, random) => {
    const at = some(tokens, random, ...roles);
    if (at < 0) return false;
    tokens.splice(at, 1);
  };
/** Puts tokens before or after one of the roles. */
const put =
  (texts, where, ...roles) =>
  (tokens, random) => {
    const at = some(tokens, random, ...roles);
    if (at < 0) return false;
    const all = typeof texts === 'function' ? texts(random) : texts;
    tokens.splice(at + (where === 'after' ? 1 : 0), 0, ...[all].flat().map((text) => token(text)));
  };
/** Replaces a literal, whatever the type of its place. */
const literal = (make) => replace(['number', 'string', 'enum', 'boolean', 'null'], (random) => make(random));
/** Replaces a string by a spelling that no string has. */
const string = (make) => replace(['string'], (random) => make(random));
const pick =
  (...list) =>
  (random) =>
    random.pick(list);
/** Something within other characters. */
const amid =
  (...list) =>
  (random) =>
    `"${random.pick(['', 'a', 'é ', 'x y '])}${random.pick(list)}${random.pick(['', 'b', ' z'])}"`;

const LITERALS = { optional: 0.7, variable: 0.1 };
const VARIABLES = { optional: 0.6, variable: 0.8 };
const FRAGMENTS = { fragment: 0.4 };
const MUTATION = { kind: 'mutation', variable: 0.1 };

const brackets = (role) => [`open ${role}`, `close ${role}`];
const ALL_BRACKETS = ['selection', 'arguments', 'variables', 'list', 'object'];

/** The tokens between two brackets are left out. */
const emptied = (role) => (tokens, random) => {
  const at = some(tokens, random, `open ${role}`);
  if (at < 0) return false;
  let depth = 0;
  for (let i = at; i < tokens.length; i++) {
    depth += { [`open ${role}`]: 1, [`close ${role}`]: -1 }[tokens[i].role] ?? 0;
    if (depth === 0) {
      tokens.splice(at + 1, i - at - 1);
      return true;
    }
  }
  return false;
};

const BLANK = [' ', '\n', ',', ', ,', '\t', '\r\n', '\ufeff', '  ', ',,,'];
const blank = (random) => Array.from({ length: random.below(5) }, () => random.pick(BLANK)).join('');
const whole = (make) => (tokens, random) => {
  tokens.splice(0, tokens.length, token(make(random)));
};

export const SYNTAX = [
  kind('missing closing bracket', LITERALS, remove(...ALL_BRACKETS.map((role) => `close ${role}`))),
  kind('missing opening bracket', LITERALS, remove(...ALL_BRACKETS.map((role) => `open ${role}`))),
  kind('surplus closing bracket', {}, put(pick('}', ')', ']'), 'after', ...ALL_BRACKETS.map((role) => `close ${role}`), 'field')),
  kind('surplus opening bracket', {}, put(pick('{', '(', '['), 'before', 'field', 'open selection', 'argument')),
  kind(
    'another bracket',
    LITERALS,
    replace(ALL_BRACKETS.flatMap(brackets), (random, text) => random.pick([...'{}()[]'].filter((other) => other !== text))),
  ),
  kind('empty selection', {}, emptied('selection')),
  kind('empty arguments', LITERALS, emptied('arguments')),
  kind('empty variables', VARIABLES, emptied('variables')),
  kind('arguments of nothing', {}, put(['(', ')'], 'after', 'field', 'directive', 'operation name')),
  kind('number with leading zero', LITERALS, literal(pick('01', '-01', '00', '007', '-00', '01.5', '00.1'))),
  kind('number without its digits', LITERALS, literal(pick('1.', '.5', '1.e5', '-.5', '-1.', '0.', '-'))),
  kind('number without its exponent', LITERALS, literal(pick('1e', '1e+', '1E-', '1.5e', '0E', '-2e+'))),
  kind(
    'number of another notation',
    LITERALS,
    literal(pick('0xF', '0b1', '+1', '1_000', '1a', '0o7', '1.5f', '1n', '0x', '-0xF', '1.2.3', '2e3.5', '10L', '--1')),
  ),
  kind('unterminated string', LITERALS, string(pick('"abc', '"', '"abc\\"', '"a\\\\\\"'))),
  kind('unterminated block string', LITERALS, string(pick('"""abc', '"""abc""', '"""', '"""a\\"""', '"""\n"'))),
  kind('line end in a string', LITERALS, string(amid('\n', '\r', '\r\n'))),
  kind('unknown escape', LITERALS, string(amid('\\x', '\\a', '\\0', "\\'", '\\e', '\\ ', '\\U0041', '\\v', '\\x41', '\\101', '\\N'))),
  kind('escape without its digits', LITERALS, string(amid('\\u12', '\\u', '\\uZZZZ', '\\u00g0', '\\u 041', '\\u-041', '\\uD83', '\\u12é'))),
  kind(
    'escape in braces',
    LITERALS,
    string(
      amid('\\u{}', '\\u{110000}', '\\u{D800}', '\\u{DFFF}', '\\u{FFFFFFFFF}', '\\u{12', '\\u{x}', '\\u{ 41}', '\\u{00000041', '\\u{-1}'),
    ),
  ),
  kind(
    'lone surrogate',
    LITERALS,
    string(
      amid(
        '\\uD83C',
        '\\uDF89',
        '\\uDF89\\uD83C',
        '\\uD83C\\u0041',
        '\\uD83C\\uD83C',
        '\\uD83C\\n',
        '\\uD83Cx',
        '\\ud800',
        '\\uD83C\\u{DF89}',
        '\\u{D83C}\\u{DF89}',
      ),
    ),
  ),
  kind('other quotes', LITERALS, string(pick("'abc'", '`abc`', '“abc”', "''", '«abc»', "'''abc'''"))),
  kind('string after a string', LITERALS, put(pick('"more"', '""', '"""more"""'), 'after', 'string')),
  kind('dollar without a name', VARIABLES, remove('variable')),
  kind('dollar before no name', VARIABLES, replace(['variable'], pick('1', '$a', '"a"', '{a}', '-', '$'))),
  kind('variable without a dollar', VARIABLES, (tokens, random) => {
    // In a value the name alone is one of an enum.
    const at = tokens.findIndex(({ role }, i) => role === 'dollar' && /^(open variables|type|type .)$/.test(tokens[i - 1]?.role));
    if (at < 0) return false;
    tokens.splice(at, 1);
  }),
  kind('variable without a type', VARIABLES, (tokens, random) => {
    const at = some(tokens, random, 'colon of variable');
    if (at < 0) return false;
    let end = at + 1;
    while (tokens[end].role.startsWith('type')) end += 1;
    tokens.splice(random.chance(0.5) ? at : at + 1, random.chance(0.5) ? end - at : end - at - 1);
    return true;
  }),
  kind('mistaken type', VARIABLES, (tokens, random) => {
    const at = some(tokens, random, 'type');
    if (at < 0) return false;
    const { text } = tokens[at];
    tokens[at] = token(
      random.pick([
        `${text}!!`,
        `[${text}`,
        `${text}]`,
        `[]`,
        `!${text}`,
        `"${text}"`,
        `[${text} ${text}]`,
        `${text}?`,
        `<${text}>`,
        `${text}[]`,
      ]),
    );
  }),
  kind('variable in a default', VARIABLES, (tokens, random) => {
    const at = some(tokens, random, 'equals');
    if (at < 0) return false;
    tokens.splice(at + 1, 0, token('$'), token('a'));
    if (/^(number|string|enum|boolean|null)$/.test(tokens[at + 3].role)) tokens.splice(at + 3, 1);
  }),
  kind('default without a value', VARIABLES, (tokens, random) => {
    const at = some(tokens, random, 'equals');
    if (at < 0 || !/^(number|string|enum|boolean|null)$/.test(tokens[at + 1].role)) return false;
    tokens.splice(at + 1, 1);
  }),
  kind('missing colon', LITERALS, remove('colon of argument', 'colon of object field', 'colon of variable')),
  kind(
    'other sign for a colon',
    LITERALS,
    replace(['colon of argument', 'colon of object field', 'colon of variable', 'colon of alias'], pick('=', '::', ';', '=>', ': :')),
  ),
  kind('argument without a value', LITERALS, (tokens, random) => {
    const at = some(tokens, random, 'colon of argument', 'colon of object field');
    if (at < 0 || !/^(number|string|enum|boolean|null)$/.test(tokens[at + 1].role)) return false;
    // Before another, its name would be the value.
    if (!tokens[at + 2].role.startsWith('close')) return false;
    tokens.splice(at + 1, 1);
  }),
  kind('alias without a field', { alias: 0.4 }, (tokens, random) => {
    const at = some(tokens, random, 'colon of alias');
    // The next field would be the aliased one.
    if (at < 0 || !/^(open|close|at)/.test(tokens[at + 2].role)) return false;
    tokens.splice(at + 1, 1);
  }),
  kind('alias of an alias', { alias: 0.4 }, put(['again', ':'], 'before', 'alias')),
  kind('spread of nothing', FRAGMENTS, (tokens, random) => {
    const at = some(tokens, random, 'close selection');
    tokens.splice(at, 0, token('...', 'spread'));
  }),
  kind('other dots', { fragment: 0.3, inline: 0.2 }, replace(['spread'], pick('..', '....', '.', '. . .', '…', '.. .', '.....'))),
  kind(
    'fragment called on',
    FRAGMENTS,
    replace(['fragment name'], () => 'on'),
  ),
  kind(
    'spread called on',
    FRAGMENTS,
    replace(['spread name'], () => 'on'),
  ),
  kind('fragment without a name', FRAGMENTS, remove('fragment name')),
  kind('fragment without a type', FRAGMENTS, (tokens, random) => {
    const at = some(tokens, random, 'fragment name');
    if (at < 0) return false;
    tokens.splice(at + 1, random.chance(0.5) ? 2 : 1);
  }),
  kind(
    'type condition without a type',
    { fragment: 0.3, inline: 0.3 },
    replace(['type condition'], pick('', '"User"', '$User', '[User]', 'User!', '@User', 'User | Link', 'User & Link')),
  ),
  kind('at without a name', { directive: 0.3 }, remove('directive')),
  kind('directive before the field', { directive: 0 }, put(['@', 'skip', '(', 'if', ':', 'true', ')'], 'after', 'open selection')),
  kind('unknown keyword', { operations: 0.4 }, (tokens, random) => {
    const at = some(tokens, random, 'operation', 'fragment');
    if (at < 0) return false;
    tokens[at] = token(
      random.pick(['Query', 'qeury', 'QUERY', 'mutate', 'subscribe', 'get', 'frag', 'query:', '"query"', 'query query']),
      'operation',
    );
    // A name alone may follow it, of which the last kind has two already.
    return tokens[at].text !== 'query query' || tokens[at + 1].role === 'operation name';
  }),
  kind('mistaken operation name', {}, replace(['operation name'], pick('"Op"', '1', '$Op', 'Op Op', 'Op.Name', 'Op-1', '@', 'Op:'))),
  kind('operation without a selection', { operations: 0 }, (tokens, random) => {
    const at = tokens.findIndex(({ role }) => role === 'open selection');
    if (!tokens.slice(0, at).some(({ role }) => role === 'operation')) return false;
    const end = tokens.findIndex(({ role }, i) => i > at && /^(operation|fragment)$/.test(role));
    tokens.splice(at, (end < 0 ? tokens.length : end) - at);
  }),
  kind('nothing', {}, whole(blank)),
  kind(
    'comments alone',
    {},
    whole(
      (random) =>
        `${blank(random)}#${random.pick([' nothing', '{ me { id } }', '', '"', ' query { me { id } }', ' é 🎉'])}${random.pick(['', '\n', '\r\n', '\n\n# more', '\n,'])}${blank(random).replaceAll(/[^\s,]/g, '')}`,
    ),
  ),
  kind('words after the document', {}, (tokens, random) => {
    tokens.push(token(random.pick(['foo', '1', '"text"', ':', '!', '...', '@skip', '$a', 'null', '{', ')', '}', ']', '&', '|', '='])));
  }),
  kind('words before the document', {}, (tokens, random) => {
    tokens.unshift(token(random.pick(['foo', '1', ':', '!', '...', '@skip', '$a', 'true', ')', '}', '=', '[', '|', '(']), 'mistake'));
  }),
  kind(
    'unknown character',
    {},
    put(
      pick('?', ';', '%', '^', '~', '`', '\\', '*', '/', '<', '>', '+', '§', '€', '🎉', 'é', '//x', '/* x */', '-- x'),
      'before',
      'field',
      'argument',
      'close selection',
      'open selection',
      'type condition',
    ),
  ),
  kind(
    'control character',
    {},
    put(
      pick('\0', '\x01', '\x07', '\b', '\v', '\f', '\x1b', '\x7f', '\x85', '\xa0', '\u2028', '\u2003', '\u200b', '\u3000', '\u2060'),
      'before',
      'field',
      'argument',
      'close selection',
      'open selection',
    ),
  ),
  kind(
    'mistaken sign',
    {},
    put(
      pick('&', '|', '!', '=', ':', '$', '@', '"', '.', '-'),
      'before',
      'field',
      'argument',
      'close selection',
      'open selection',
      'close arguments',
    ),
  ),
  kind(
    'mistaken name of a field',
    {},
    replace(['field'], (random, text) =>
      random.pick([
        `${text}-x`,
        `1${text}`,
        `${text}.id`,
        `"${text}"`,
        `'${text}'`,
        `${text}é`,
        `$${text}`,
        `ñ${text}`,
        `${text}::x`,
        `-${text}`,
        `${text}?`,
        `${text}!`,
        `${text}[0]`,
        `*`,
      ]),
    ),
  ),
  kind(
    'mistaken name of an argument',
    LITERALS,
    replace(['argument', 'object field'], (random, text) =>
      random.pick([`"${text}"`, `$${text}`, `'${text}'`, `1`, `${text}-x`, `${text}.x`, `${text}é`, `@${text}`, `...`, `[${text}]`]),
    ),
  ),
  kind(
    'object of JSON',
    MUTATION,
    replace(['object field'], (random, text) => `"${text}"`),
  ),
  kind('mistaken list', { ...MUTATION }, (tokens, random) => {
    const at = some(tokens, random, 'open list');
    if (at < 0) return false;
    tokens.splice(at + 1, 0, token(random.pick([':', 'a: ', '=', '...', '[', '!', '@', '|', '$'])));
  }),
];
