// A document's syntax tree as lexical tokens, each with its role, and tokens as text.
//
// The tree is the generator's own, since it keeps how a literal is spelled:
//   document   { definitions: [operation | fragment | { kind: 'raw', text }] }
//   operation  { kind: 'operation', type, name, variables, directives, selection }; a shorthand one has no more than its selection
//   variable   { name, type, value (its default), directives }
//   fragment   { kind: 'fragment', name, on, directives, selection }
//   selection  [{ kind: 'field', alias, name, args, directives, selection }
//               | { kind: 'inline', on, directives, selection } | { kind: 'spread', name, directives }]
//   value      { kind: 'literal', text, role } | { kind: 'variable', name } | { kind: 'list', items } | { kind: 'object', fields }

export function tokensOf(document) {
  const tokens = [];
  const put = (text, role) => tokens.push({ text, role });
  // The brackets are tokens of the roles `open ROLE` and `close ROLE`.
  const within = (brackets, role, write) => {
    put(brackets[0], `open ${role}`);
    write();
    put(brackets[1], `close ${role}`);
  };
  const value = (value) => {
    if (value.kind === 'variable') {
      put('$', 'dollar');
      put(value.name, 'variable');
    } else if (value.kind === 'list') {
      within('[]', 'list', () => value.items.forEach((item) => write(item)));
    } else if (value.kind === 'object') {
      within('{}', 'object', () => named(value.fields, 'object field'));
    } else {
      put(value.text, value.role);
    }
  };
  const write = value;
  const named = (list, role) => {
    for (const { name, value } of list) {
      put(name, role);
      put(':', `colon of ${role}`);
      write(value);
    }
  };
  const passed = (args) => args?.length && within('()', 'arguments', () => named(args, 'argument'));
  const directives = (list) => {
    for (const { name, args } of list ?? []) {
      put('@', 'at');
      put(name, 'directive');
      passed(args);
    }
  };
  const selection = (list) => list && within('{}', 'selection', () => list.forEach(selected));
  const selected = (node) => {
    if (node.kind === 'field') {
      if (node.alias) {
        put(node.alias, 'alias');
        put(':', 'colon of alias');
      }
      put(node.name, 'field');
      passed(node.args);
    } else {
      put('...', 'spread');
      if (node.kind === 'spread') put(node.name, 'spread name');
      if (node.on) {
        put('on', 'on');
        put(node.on, 'type condition');
      }
    }
    directives(node.directives);
    selection(node.selection);
  };
  // The brackets and marks of a type are tokens too.
  const type = (text) => text.match(/\w+|\W/g).forEach((part) => put(part, /\w/.test(part) ? 'type' : `type ${part}`));
  const definition = (node) => {
    if (node.kind === 'raw') {
      put(node.text, 'raw');
    } else if (node.kind === 'fragment') {
      put('fragment', 'fragment');
      put(node.name, 'fragment name');
      put('on', 'on');
      put(node.on, 'type condition');
      directives(node.directives);
    } else if (node.name || node.variables.length || node.directives.length || node.type !== 'query' || !node.shorthand) {
      put(node.type, 'operation');
      if (node.name) put(node.name, 'operation name');
      if (node.variables.length) {
        within('()', 'variables', () => {
          for (const variable of node.variables) {
            value({ kind: 'variable', name: variable.name });
            put(':', 'colon of variable');
            type(variable.type);
            if (variable.value) {
              put('=', 'equals');
              value(variable.value);
            }
            directives(variable.directives);
          }
        });
      }
      directives(node.directives);
    }
    selection(node.selection);
  };
  document.definitions.forEach(definition);
  return tokens;
}

const COMMENTS = ['# all of it\n', '#\n', '# "quoted" { ( [ $ \n', '# é 🎉 日本\r\n', '#"""\n', '# }\r'];
const NOISE = [' ', '\n', '\t', ',', ', ', '  ', '\r\n', '\r', ' , ,', '\n\n'];

// Two tokens that are one, or another two, without anything between them.
function needsSeparator(left, right) {
  const [last, first] = [left.at(-1) ?? '', right[0] ?? ''];
  const isWord = (character) => /[\w.-]|[^\0-\x7f]/.test(character);
  return (
    (isWord(last) && isWord(first) && !(last === '.' && first !== '.') && !(first === '.' && !/\d/.test(last))) ||
    (last === '"' && first === '"')
  );
}

/** The tokens as text, in one of several styles. */
export function layout(tokens, random) {
  const style = random.pick(['lines', 'lines', 'spaced', 'spaced', 'compact', 'compact', 'noisy']);
  let [text, indent, previous] = ['', 0, ''];
  const line = () => '\n' + '  '.repeat(Math.max(indent, 0));
  for (const { text: token, role } of tokens) {
    if (role === 'close selection') indent -= 1;
    let between = '';
    if (style === 'spaced') {
      between = ' ';
    } else if (style === 'noisy') {
      between = random.chance(0.04) ? random.pick(COMMENTS) : random.chance(0.01) ? '\ufeff' : random.pick(NOISE);
      if (random.chance(0.6)) between = needsSeparator(previous, token) ? ' ' : '';
    } else if (style === 'lines' && /^(alias|field|spread|close selection)$/.test(role)) {
      // The field after its alias stays on its line.
      between = previous === ':' ? ' ' : line();
    } else if (style === 'lines' && /^(fragment|operation|raw)$/.test(role)) {
      between = '\n\n';
    } else if (needsSeparator(previous, token) || (style === 'lines' && (role === 'open selection' || previous === ':'))) {
      between = ' ';
    } else if (style === 'lines' && /^(argument|object field|dollar|equals|at)$/.test(role) && !/[([{:]$/.test(previous)) {
      between = role === 'argument' || role === 'object field' ? ', ' : ' ';
    }
    text += (previous && between) + token;
    if (role === 'open selection') indent += 1;
    previous = token;
  }
  if (random.chance(0.02)) text = '\ufeff' + text;
  if (random.chance(0.05)) text = random.pick(COMMENTS) + text;
  if (random.chance(0.1)) text += random.pick(['\n', ' ', ',', '\n# the end']);
  return text;
}
