// Valid requests of any schema of the service, within the service's own limits of a request's size.
import graphql from './graphql.mjs';

const { getNamedType, getNullableType, isInputObjectType, isLeafType, isEnumType, isListType, isNonNullType, isUnionType } = graphql;
const { GraphQLBoolean, GraphQLNonNull, isRequiredArgument, isRequiredInputField } = graphql;

/** Probabilities of what a document may have, wherever it may have it. */
const USUAL = {
  alias: 0.15,
  directive: 0.05,
  duplicate: 0.06,
  fragment: 0.1,
  inline: 0.07,
  introspection: 0.04,
  operations: 0.12,
  optional: 0.35,
  typename: 0.06,
  variable: 0.35,
};

// Fields of introspection that editions of the specification agree about.
const INTROSPECTION = {
  __Schema: ['description', 'types', 'queryType', 'mutationType', 'subscriptionType', 'directives'],
  __Type: ['kind', 'name', 'description', 'specifiedByURL', 'fields', 'interfaces', 'possibleTypes', 'enumValues', 'inputFields', 'ofType'],
  __Field: ['name', 'description', 'args', 'type', 'isDeprecated', 'deprecationReason'],
  __InputValue: ['name', 'description', 'type', 'defaultValue'],
  __EnumValue: ['name', 'description', 'isDeprecated', 'deprecationReason'],
  __Directive: ['name', 'description', 'locations', 'args', 'isRepeatable'],
};
const LISTS_OF_TYPES = ['fields', 'interfaces', 'possibleTypes', 'inputFields', 'enumValues', 'types', 'directives', 'args'];

// Words that have a meaning elsewhere, and are names like others here.
const RESERVED = [
  'on',
  'true',
  'false',
  'null',
  'query',
  'mutation',
  'fragment',
  'schema',
  'input',
  'extend',
  'repeatable',
  'implements',
  '_',
];
// As long as a password must be, which is of the rules that are none of GraphQL.
const TEXTS = [
  'Ada Lovelace',
  'spring sale',
  'Café crème',
  '🎉 launch 🎉',
  '日本語の長い名前',
  'a "quoted" word',
  'back\\slash here',
  'Zoë / Łukasz',
  'ℌ𝔢𝔩𝔩𝔬 there',
  'x & y < z',
];
// Places of text in which every character may stand, and of text in which most may.
export const ANY_TEXT = ['password', 'search', 'token', 'currentPassword'];
const FREE_TEXT = ['name', ...ANY_TEXT];
const ZONES = ['UTC', 'Europe/Zurich', 'America/New_York', 'Asia/Tokyo'];

// Values of an answer that a document may ask for: far below the service's limit, since a mistaken page size counts as the greatest.
const VALUES = { query: 5000, mutation: 2000, subscription: 60 };
const MAX_ALIASES = 24;
// A fragment alone may not be called `on`.
const FRAGMENT = 'F';

export const deepCopy = (node) => {
  if (Array.isArray(node)) return node.map(deepCopy);
  // Types and fields of the schema are of classes, or in a Known.
  if (node?.constructor !== Object) return node;
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, deepCopy(value)]));
};

/** What the schema says of a field, an argument or an input field. */
export class Known {
  constructor(parent, definition) {
    this.parent = parent;
    this.definition = definition;
  }

  directive(name) {
    const found = this.definition.astNode?.directives?.find((directive) => directive.name.value === name);
    return found && Object.fromEntries(found.arguments.map(({ name, value }) => [name.value, value]));
  }
}

const literal = (text, role, type) => ({ kind: 'literal', text: String(text), role, type });

/** A string's literal, in one of its many spellings. */
function spell(text, random) {
  const isPlain = !/^\s|[\s"\\]$|^"/.test(text);
  if (isPlain && random.chance(0.15)) {
    const content = text.replaceAll('"""', '\\"""');
    return random.pick([`"""${content}"""`, `"""\n    ${content}\n  """`, `"""\n${content}"""`, `"""\r\n\t${content}\r\n"""`]);
  }
  const escapes = random.chance(0.5);
  const unit = (code) => '\\u' + random.pick([(hex) => hex, (hex) => hex.toUpperCase()])(code.toString(16).padStart(4, '0'));
  const character = (character) => {
    const code = character.codePointAt(0);
    if (character === '"' || character === '\\') return '\\' + character;
    if (character === '/') return random.chance(0.1) ? '\\/' : '/';
    if (!escapes || random.chance(code < 0x80 ? 0.95 : 0.3)) return character;
    if (random.chance(0.3)) return `\\u{${code.toString(16).padStart(random.between(1, 6), '0')}}`;
    return [...Array(character.length).keys()].map((i) => unit(character.charCodeAt(i))).join('');
  };
  return `"${[...text].map(character).join('')}"`;
}

class Generator {
  constructor(schema, random, usage, want) {
    Object.assign(this, { schema, random, usage });
    this.p = { ...USUAL, ...want };
    this.fragments = [];
    this.names = new Set();
  }

  /** A name that the document has nowhere else. */
  name(base) {
    const reserved = this.random.chance(0.04) && this.random.pick(RESERVED);
    if (reserved && !this.names.has(reserved) && !(reserved === 'on' && base === FRAGMENT)) {
      this.names.add(reserved);
      return reserved;
    }
    for (let i = 1; ; i++) {
      const name = `${base}${i}`;
      if (!this.names.has(name)) {
        this.names.add(name);
        return name;
      }
    }
  }

  // Values

  text(known) {
    const { random } = this;
    const values = known.directive('values')?.of.values;
    if (values) return random.pick(values).value;
    const { name } = known.definition;
    if (FREE_TEXT.includes(name)) return random.pick(TEXTS);
    const example = known.directive('example')?.value.value ?? 'x';
    return name.endsWith('Url') || name === 'url' || name === 'slug' ? `${example}-${random.below(100)}` : example;
  }

  /** Something of a named type that is not null: a JSON value, and its literal. */
  scalar(type, known) {
    const { random } = this;
    const { name } = known.definition;
    const both = (json, text, role) => ({ json, literal: literal(text, role, type) });
    if (isEnumType(type)) {
      const value = random.pick(type.getValues()).name;
      return both(value, value, 'enum');
    }
    const string = (text) => both(text, spell(text, random), 'string');
    switch (type.name) {
      case 'Int': {
        const most = { page: 9, days: 60 }[name] ?? 5;
        const value = random.between(1, most);
        return both(value, value, 'number');
      }
      case 'Boolean': {
        const value = random.chance(0.5);
        return both(value, value, 'boolean');
      }
      case 'ID': {
        if (random.chance(0.15)) {
          const value = random.below(1000000);
          return both(value, value, 'number');
        }
        const digits = random
          .below(2 ** 32)
          .toString(16)
          .padStart(8, '0');
        return string(random.pick([`019aa1c2-8e4b-7d02-b7a4-5d1c${digits}`, digits.slice(4), `${random.below(100)}`]));
      }
      case 'DateTime': {
        const day = String(random.between(1, 20)).padStart(2, '0');
        const month = { from: '2026-10', createdFrom: '2026-10', expiresAt: '2027-11' }[name] ?? '2026-11';
        return string(`${month}-${day}T${random.pick(['00:00:00.000', '14:33:38.125', '09:30:00'])}Z`);
      }
      case 'TimeZone':
        return string(random.pick(ZONES));
      default:
        return string(name === '__type' ? random.pick(Object.keys(this.schema.getTypeMap())) : this.text(known));
    }
  }

  json(type, known) {
    const { random } = this;
    if (!isNonNullType(type) && random.chance(0.1)) return null;
    const nullable = getNullableType(type);
    if (isListType(nullable)) {
      if (random.chance(0.15)) return this.json(nullable.ofType, known);
      return Array.from({ length: random.between(1, 3) }, () => this.json(nullable.ofType, known));
    }
    if (!isInputObjectType(nullable)) return this.scalar(nullable, known).json;
    const fields = Object.values(nullable.getFields()).filter((field) => isRequiredInputField(field) || random.chance(this.p.optional));
    return Object.fromEntries(fields.map((field) => [field.name, this.json(field.type, new Known(nullable, field))]));
  }

  /** A value of an input type; with a variable now and then, unless it is to be constant. */
  value(type, known, { isConstant = false, hasDefault = false } = {}) {
    const { random } = this;
    if (!isConstant && random.chance(this.p.variable)) return this.variable(type, known, hasDefault);
    if (!isNonNullType(type) && random.chance(0.08)) return literal('null', 'null', type);
    const nullable = getNullableType(type);
    if (isListType(nullable)) {
      const item = () => this.value(nullable.ofType, known, { isConstant });
      if (random.chance(0.15)) return this.value(nullable.ofType, known, { isConstant: true });
      return { kind: 'list', type, items: Array.from({ length: random.between(1, 3) }, item) };
    }
    if (!isInputObjectType(nullable)) return { ...this.scalar(nullable, known).literal, type };
    const all = random.chance(0.3) ? random.shuffled(Object.values(nullable.getFields())) : Object.values(nullable.getFields());
    const fields = all
      .filter((field) => isRequiredInputField(field) || random.chance(this.p.optional))
      .map((field) => ({ name: field.name, value: this.value(field.type, new Known(nullable, field), { isConstant }) }));
    return { kind: 'object', type, fields };
  }

  variable(type, known, hasDefault) {
    const { random, operation } = this;
    const key = `${known.definition.name} ${type} ${hasDefault}`;
    const same = operation.variables.filter((variable) => variable.key === key);
    if (same.length && random.chance(0.4)) return { kind: 'variable', name: random.pick(same).name, type };
    const isNullableHere = !isNonNullType(type);
    const nullable = getNullableType(type);
    const choice = random.below(4);
    let own = type;
    let value;
    const constant = (of) => this.value(of, known, { isConstant: true });
    if (isNullableHere) {
      if (choice === 0) own = new GraphQLNonNull(type);
      if (choice < 2 && random.chance(0.4)) value = constant(own);
    } else if (hasDefault && choice < 2) {
      own = nullable;
    } else if (choice === 2) {
      // A default that is not null lets a nullable variable stand where null may not.
      own = random.chance(0.7) ? nullable : type;
      value = constant(type);
    }
    const name = this.name(random.pick(['v', 'a', known.definition.name]));
    operation.variables.push({ name, type: String(own), value, directives: [], key, of: own, known });
    if ((isNonNullType(own) && !value) || random.chance(0.65)) {
      operation.json[name] = this.json(isNullableHere ? own : type, known);
    }
    return { kind: 'variable', name, type };
  }

  args(definitions, parent) {
    return definitions
      .filter((argument) => isRequiredArgument(argument) || this.random.chance(this.p.optional))
      .map((argument) => ({
        name: argument.name,
        // Editions of the specification disagree whether null may stand there.
        value: this.value(
          argument.name === 'includeDeprecated' ? new GraphQLNonNull(GraphQLBoolean) : argument.type,
          new Known(parent, argument),
          { hasDefault: argument.defaultValue !== undefined },
        ),
      }));
  }

  /** Some of `@skip` and `@include`, which the root fields of a subscription may not have. */
  directives(above) {
    if (above.isRootOfSubscription || !this.random.chance(this.p.directive)) return [];
    const named = this.random.pick([['skip'], ['include'], ['skip', 'include']]);
    const known = new Known(null, { name: 'if' });
    return named.map((name) => ({ name, args: [{ name: 'if', value: this.value(new GraphQLNonNull(GraphQLBoolean), known) }] }));
  }

  // Selections

  /** Values that the field adds to an answer for each object that it is asked of, and how many objects it leads to. */
  cost(field, args, pageSize) {
    const named = getNamedType(field.type);
    if (named.name.startsWith('__')) return { objects: LISTS_OF_TYPES.includes(field.name) ? 8 : 1 };
    const sizes = field.args?.filter(({ name }) => name === 'pageSize' || name === 'limit') ?? [];
    if (named.getFields?.().totalPages) {
      const isSent = args.some(({ name }) => name === sizes[0].name);
      return { objects: 1, pageSize: isSent ? 5 : sizes[0].defaultValue };
    }
    if (!isListType(getNullableType(field.type)) || isLeafType(named)) return { objects: 1 };
    if (pageSize) return { objects: pageSize, row: 20 };
    return { objects: { series: 700, clickSeries: 60 }[field.name] ?? 20 };
  }

  /** One of the fields, those rather that were seldom chosen. */
  rare(parent, fields) {
    const preferred = fields.find(({ name }) => this.p.prefer?.includes(name));
    if (preferred && this.random.chance(0.8)) return preferred;
    const count = (field) => this.usage.get(`${parent.name}.${field.name}`) ?? 0;
    const [a, b] = [this.random.pick(fields), this.random.pick(fields)];
    const chosen = count(a) <= count(b) ? a : b;
    this.usage.set(`${parent.name}.${chosen.name}`, count(chosen) + 1);
    return chosen;
  }

  fieldsOf(type) {
    const fields = Object.values(type.getFields());
    const known = INTROSPECTION[type.name];
    return known ? fields.filter(({ name }) => known.includes(name)) : fields;
  }

  typename(above, alias) {
    return { kind: 'field', alias, name: '__typename', args: [], directives: this.directives(above) };
  }

  /** A field with all that belongs to it; none when it would ask for too much. */
  field(parent, definition, above) {
    const { random, operation } = this;
    const known = new Known(parent, definition);
    const key = `${parent.name}.${definition.name}`;
    let alias;
    let args = [];
    const mayAlias = this.aliases < MAX_ALIASES;
    if (definition.args.length) {
      // The same arguments wherever the response has the same key.
      const first = operation.unaliased.get(key);
      if (mayAlias && random.chance(first ? 0.5 : this.p.alias)) {
        alias = this.name('a');
        args = this.args(definition.args, parent);
      } else {
        args = first ? deepCopy(first) : this.args(definition.args, parent);
        operation.unaliased.set(key, args);
      }
    } else if (mayAlias && random.chance(this.p.alias)) {
      alias = random.chance(0.1) ? definition.name : this.name('a');
    }
    const named = getNamedType(definition.type);
    if (!alias && parent.name.endsWith('EventPayload') && definition.name === 'data') {
      // Members of the union have different types there, which may not share a key.
      operation.data ??= named;
      if (operation.data !== named) alias = this.name('data');
    }
    this.aliases += alias ? 1 : 0;
    const field = { kind: 'field', alias, name: definition.name, args, directives: this.directives(above), known };
    if (!isLeafType(named)) {
      const { objects, pageSize, row = 0 } = this.cost(definition, args, above.pageSize);
      const times = above.times * objects;
      this.left -= times * (row + 1);
      field.selection = this.selection(named, { depth: above.depth + 1, times, pageSize, lists: above.lists + (objects > 1) });
    } else {
      this.left -= above.times;
    }
    return field;
  }

  isAffordable(field, above) {
    const named = getNamedType(field.type);
    if (isLeafType(named)) return true;
    const { objects, pageSize, row = 0 } = this.cost(field, [], above.pageSize);
    const times = above.times * objects * (pageSize ?? 1);
    if (named.name.startsWith('__') && (above.lists > 1 || above.depth > 5)) return false;
    return above.depth < this.maxDepth && times <= 800 && times * (row + 6) < this.left;
  }

  selection(type, above) {
    const { random } = this;
    if (isUnionType(type)) return this.members(type, above);
    const most = this.isLarge ? 8 : 4;
    const items = [];
    const number = random.between(1, most);
    for (let i = 0; i < number; i++) {
      const affordable = this.fieldsOf(type).filter((field) => this.isAffordable(field, above));
      if (!affordable.length) break;
      const definition = this.rare(type, affordable);
      const isThere = items.some(({ name, alias }) => name === definition.name && !alias);
      if (isThere && !random.chance(this.p.duplicate)) continue;
      items.push(this.field(type, definition, above));
    }
    if (!items.length || random.chance(this.p.typename)) {
      const alias = random.chance(0.1) && this.aliases++ < MAX_ALIASES ? this.name('t') : undefined;
      items.push(this.typename(above, alias));
    }
    if (random.chance(this.p.duplicate)) this.repeat(items, above);
    return this.fragmented(type, items, above);
  }

  /** Adds a field again: what is below it may differ. */
  repeat(items, above) {
    const item = this.random.pick(items);
    if (item.alias && this.aliases++ >= MAX_ALIASES) return;
    const again = { ...deepCopy(item), directives: this.directives(above) };
    if (again.selection && this.left > 100) {
      const { objects, pageSize } = this.cost(item.known.definition, item.args, above.pageSize);
      const below = { depth: above.depth + 1, times: above.times * objects, pageSize, lists: above.lists + (objects > 1) };
      again.selection = this.selection(getNamedType(item.known.definition.type), below);
    }
    items.push(again);
  }

  members(union, above) {
    const items = this.random.chance(0.4) ? [this.typename(above)] : [];
    for (const member of this.random.shuffled(union.getTypes()).slice(0, this.random.between(items.length ? 0 : 1, 3))) {
      items.push(this.inFragment(member, this.selection(member, above), above));
    }
    return this.random.chance(0.1) ? [this.inFragment(union, items, above)] : items;
  }

  /** Some of the items moved to fragments. */
  fragmented(type, items, above) {
    const { random } = this;
    const known = this.fragments.filter(
      ({ on, operation, cost, isPlain }) =>
        on === type.name && (isPlain || operation === this.operation) && cost * above.times < this.left && above.depth < this.maxDepth,
    );
    if (known.length && random.chance(0.5)) {
      const fragment = random.pick(known);
      this.left -= fragment.cost * above.times;
      items.push({ kind: 'spread', name: fragment.name, directives: this.directives(above), type });
    }
    if (!random.chance(this.p.fragment + this.p.inline)) return items;
    const start = random.below(items.length);
    const moved = items.splice(start, random.between(1, items.length - start));
    items.splice(start, 0, this.inFragment(type, moved, above));
    return items;
  }

  inFragment(type, items, above) {
    const { random, p } = this;
    const directives = this.directives(above);
    const isNamed = random.chance(p.fragment / (p.fragment + p.inline)) && !type.name.startsWith('__');
    if (!isNamed) {
      const isPlain = random.chance(0.3) && !type.name.endsWith('EventPayload');
      return { kind: 'inline', on: isPlain ? undefined : type.name, directives, selection: items, type };
    }
    const fragment = { kind: 'fragment', name: this.name(FRAGMENT), on: type.name, directives: [], selection: items };
    const isPlain = !type.name.endsWith('Payload') && this.isPlain(items);
    Object.assign(fragment, { operation: this.operation, isPlain, cost: this.size(items) * 30, type });
    this.fragments.push(fragment);
    return { kind: 'spread', name: fragment.name, directives, type };
  }

  /** Whether the items mean the same in each operation. */
  isPlain(items) {
    return items.every(
      (item) =>
        item.kind !== 'spread' &&
        !item.directives.length &&
        !item.args?.length &&
        !item.known?.definition.args.length &&
        this.isPlain(item.selection ?? []),
    );
  }

  size(items) {
    return items.reduce((sum, item) => sum + (item.kind === 'spread' ? 20 : 1) + this.size(item.selection ?? []), 0);
  }

  // Operations

  newOperation(type, isAlone) {
    const { random, p } = this;
    const root = this.schema.getRootType(type);
    const operation = { kind: 'operation', type, root, variables: [], directives: [], json: {}, unaliased: new Map() };
    this.operation = operation;
    this.left = VALUES[type] * (this.isLarge ? 3 : 1);
    if (!isAlone || random.chance(0.55)) operation.name = this.name('Op');
    operation.shorthand = random.chance(0.6);
    const above = { depth: 0, times: 1, lists: 0, isRootOfSubscription: type === 'subscription' };
    const items = [];
    const number = type === 'subscription' ? 1 : this.isLarge ? random.between(2, 6) : random.pick([1, 1, 1, 2, 3]);
    for (let i = 0; i < number; i++) {
      if (type === 'query' && random.chance(p.introspection)) {
        items.push(random.chance(0.3) ? this.typename(above) : this.introspection(root, above));
      } else {
        items.push(this.field(root, this.rare(root, Object.values(root.getFields())), above));
      }
    }
    const isRepeated = type !== 'mutation' && random.chance(p.duplicate);
    if (isRepeated && items[0].known) this.repeat(items, above);
    operation.selection = this.fragmented(root, items, above);
    return operation;
  }

  introspection(root, above) {
    const isType = this.random.chance(0.5);
    const definition = isType ? graphql.TypeMetaFieldDef : graphql.SchemaMetaFieldDef;
    const alias = isType || this.random.chance(0.2) ? this.name('a') : undefined;
    this.aliases += alias ? 1 : 0;
    const args = isType ? [{ name: 'name', value: this.value(definition.args[0].type, new Known(root, { name: '__type' })) }] : [];
    const selection = this.selection(getNamedType(definition.type), { depth: above.depth + 1, times: 1, lists: 0 });
    return {
      kind: 'field',
      alias,
      name: definition.name,
      args,
      directives: this.directives(above),
      selection,
      known: new Known(root, definition),
    };
  }

  request() {
    const { random, p } = this;
    this.isLarge = random.chance(p.large ?? 0.06);
    this.maxDepth = this.isLarge ? 9 : random.between(p.prefer ? 4 : 2, 4);
    this.aliases = 0;
    const kind = () =>
      p.kind ?? random.pick(['query', 'query', 'query', 'query', 'query', 'query', 'mutation', 'mutation', 'mutation', 'subscription']);
    const number = random.chance(p.operations) ? random.between(2, 3) : 1;
    const operations = Array.from({ length: number }, () => this.newOperation(kind(), number === 1));
    const executed = random.pick(operations);
    let definitions = [...operations, ...this.fragments];
    if (random.chance(0.3)) definitions = random.shuffled(definitions);
    const isNamed = number > 1 || (executed.name && random.chance(0.5));
    return {
      definitions,
      operations,
      fragments: this.fragments,
      executed,
      operationName: isNamed ? executed.name : undefined,
      variables: executed.json,
    };
  }
}

/** A valid request: its syntax tree, the operation that is executed, and the values of its variables. */
export function validRequest(schema, random, usage, want = {}) {
  return new Generator(schema, random, usage, want).request();
}
