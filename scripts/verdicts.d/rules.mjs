// Mistakes of documents against each rule of validation, and of the name of the operation to execute.
import graphql from './graphql.mjs';
import { boolean, choose, field, insert, isEnum, isKnown, isList, isNamed, kind, LITERALS, named, raw, VARIABLES } from './places.mjs';
import { deepCopy } from './valid.mjs';

const { getNamedType, getNullableType, isLeafType, isNonNullType, isObjectType, isRequiredArgument, isUnionType } = graphql;

// Fields that lead to a union.
const UNION = { kind: 'query', prefer: ['webhookDeliveries', 'deliveries', 'payload'] };

const TYPE_SYSTEM = [
  'type Foo { a: Int }',
  'schema { query: Query }',
  'extend type Query { x: Int }',
  'scalar X',
  'directive @x on FIELD',
  'input In { a: Int = 1 }',
  'enum E { A B }',
  'union U = User | Link',
  'interface I { id: ID! }',
  'extend schema @x',
  'extend input LoginInput { otp: String }',
  'type Empty',
];

/** A variable of any operation; null when none is such. */
function variableOf(request, random, applies = () => true) {
  const all = request.operations.flatMap((operation) => operation.variables.map((variable) => ({ operation, variable })));
  return choose(random, all, ({ operation, variable }) => applies(variable, operation));
}

/** Gives a place a variable of another type. */
function typedWrongly(applies, typeOf, more = () => ({})) {
  return ({ request, places, random }) => {
    // Only an operation's own places: a fragment has the variables of all operations that spread it.
    const owners = new Map();
    for (const { node, owner } of places.fields) for (const argument of node.args) owners.set(argument, owner);
    const place = choose(random, places.values, (p) => {
      const owner = owners.get(p.holder);
      return p.where === 'argument' && owner?.kind === 'operation' && p.node.kind !== 'variable' && applies(p.type);
    });
    if (!place) return false;
    const operation = owners.get(place.holder);
    place.holder[place.key] = { kind: 'variable', name: 'wrong' };
    operation.variables.push({ name: 'wrong', type: typeOf(place.type), directives: [], ...more(place) });
    if (operation === request.executed) operation.json.wrong = more(place).json ?? 'x';
  };
}

export const RULES = [
  kind('ExecutableDefinitions', 'ExecutableDefinitions', {}, ({ request, random }) => {
    insert(request.definitions, { kind: 'raw', text: random.pick(TYPE_SYSTEM) }, random);
  }),
  kind('LoneAnonymousOperation', 'LoneAnonymousOperation', {}, ({ request, random }) => {
    const type = random.pick(['query', 'query', 'mutation']);
    const selection = type === 'query' ? [field('me', { selection: [field('id')] })] : [field('releaseSubdomain')];
    insert(
      request.definitions,
      { kind: 'operation', type, variables: [], directives: [], selection, shorthand: random.chance(0.5) },
      random,
    );
    if (random.chance(0.5)) request.operationName = request.executed.name;
  }),
  kind('UniqueOperationNames', 'UniqueOperationNames', { operations: 0.6 }, ({ request, random }) => {
    if (!request.operations.every(({ name }) => name)) return false;
    const { name } = random.pick(request.operations);
    const type = random.pick(['query', 'mutation']);
    const selection = [type === 'query' ? field('plans', { selection: [field('__typename')] }) : field('releaseSubdomain')];
    insert(request.definitions, { kind: 'operation', type, name, variables: [], directives: [], selection }, random);
  }),
  kind('KnownTypeNames: fragment', 'KnownTypeNames', { fragment: 0.3, inline: 0.2 }, ({ request, places, random }) => {
    const nodes = [...request.fragments, ...places.inlines.map(({ node }) => node).filter(({ on }) => on)];
    if (!nodes.length) return false;
    const node = random.pick(nodes);
    node.on = random.pick(['Unknown', node.on + 's', node.on.toLowerCase(), 'Subscription_', 'Node']);
  }),
  kind('KnownTypeNames: variable', 'KnownTypeNames', VARIABLES, ({ request, random }) => {
    const found = variableOf(request, random);
    if (!found) return false;
    found.variable.type = found.variable.type.replace(/\w+/, random.pick(['Unknown', 'Integer', 'int', 'string', 'Date', 'UUID', 'JSON']));
  }),
  kind('FragmentsOnCompositeTypes', 'FragmentsOnCompositeTypes', { fragment: 0.3, inline: 0.2 }, ({ request, places, random }) => {
    const nodes = [...request.fragments, ...places.inlines.map(({ node }) => node)];
    if (!nodes.length) return false;
    random.pick(nodes).on = random.pick(['Int', 'String', 'ID', 'Interval', 'DateTime', 'CreateLinkInput', 'DeliveryStatus']);
  }),
  kind('VariablesAreInputTypes', 'VariablesAreInputTypes', VARIABLES, ({ request, random }) => {
    const found = variableOf(request, random);
    if (!found) return false;
    found.variable.value = undefined;
    found.variable.type = found.variable.type.replace(
      /\w+/,
      random.pick(['User', 'Link', 'EventPayload', 'Query', 'LinkPageResult', '__Type']),
    );
  }),
  kind('ScalarLeafs: selection of a leaf', 'ScalarLeafs', {}, ({ places, random }) => {
    const place = choose(random, places.fields, ({ node }) => !node.selection && node.known);
    if (!place) return false;
    place.node.selection = [field(random.pick(['id', '__typename', 'name', 'length']))];
  }),
  kind('ScalarLeafs: none of an object', 'ScalarLeafs', {}, ({ places, random }) => {
    const place = choose(random, places.fields, ({ node }) => node.selection && isKnown(node));
    if (!place) return false;
    place.node.selection = undefined;
  }),
  kind('FieldsOnCorrectType: unknown', 'FieldsOnCorrectType', {}, ({ places, random }) => {
    const place = choose(random, places.lists, () => true);
    insert(place.list, field(random.pick(['unknown', 'ID', 'idd', '_id', '__type_', '__Typename', 'createdat', 'null', 'on'])), random);
  }),
  kind('FieldsOnCorrectType: of another type', 'FieldsOnCorrectType', {}, ({ places, random, schema }) => {
    const place = choose(random, places.lists, ({ parent }) => isObjectType(parent));
    const types = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type) && !type.name.startsWith('__'));
    const leaf = choose(
      random,
      Object.values(random.pick(types).getFields()),
      ({ name, type }) => isLeafType(getNamedType(type)) && !place.parent.getFields()[name],
    );
    if (!leaf) return false;
    insert(place.list, field(leaf.name), random);
  }),
  kind('FieldsOnCorrectType: misspelled', 'FieldsOnCorrectType', {}, ({ places, random }) => {
    const place = choose(random, places.fields, ({ node }) => isKnown(node));
    if (!place) return false;
    const { node } = place;
    node.name = random.pick([node.name.toUpperCase(), node.name + '_', node.name.slice(1) || 'x', node.name[0] + node.name]);
  }),
  kind('FieldsOnCorrectType: of a union', 'FieldsOnCorrectType', UNION, ({ places, random }) => {
    const place = choose(random, places.lists, ({ parent }) => isUnionType(parent));
    if (!place) return false;
    insert(place.list, field(random.pick(['type', 'timestamp', 'data', 'id'])), random);
  }),
  kind('FieldsOnCorrectType: of another root', 'FieldsOnCorrectType', {}, ({ request, random }) => {
    const operation = random.pick(request.operations);
    if (operation.type === 'subscription') return false;
    const me = field('me', { selection: [field('id')] });
    const types = [field('__schema', { selection: [field('queryType', { selection: [field('name')] })] }), me];
    insert(operation.selection, operation.type === 'query' ? field('releaseSubdomain') : random.pick(types), random);
  }),
  kind('UniqueFragmentNames', 'UniqueFragmentNames', { fragment: 0.4 }, ({ request, random }) => {
    if (!request.fragments.length) return false;
    const [fragment] = random.shuffled(request.fragments);
    const again = random.chance(0.5) ? deepCopy(fragment.selection) : [field('__typename')];
    insert(request.definitions, { ...fragment, selection: again }, random);
  }),
  kind('KnownFragmentNames', 'KnownFragmentNames', {}, ({ places, random }) => {
    const { list } = random.pick(places.lists);
    insert(list, { kind: 'spread', name: random.pick(['Unknown', 'User', 'f1', 'F99']), directives: [] }, random);
  }),
  kind('NoUnusedFragments', 'NoUnusedFragments', {}, ({ request, random }) => {
    const on = random.pick(['User', 'Link', 'Query', 'EventPayload', 'Webhook']);
    insert(request.definitions, { kind: 'fragment', name: 'Unused', on, directives: [], selection: [field('__typename')] }, random);
  }),
  kind('PossibleFragmentSpreads: inline', 'PossibleFragmentSpreads', {}, ({ places, random }) => {
    const { list, parent } = random.pick(places.lists);
    const on = choose(
      random,
      ['User', 'Link', 'Webhook', 'Query', 'Mutation', 'ApiKey', 'Delivery', 'EventPayload'],
      (on) =>
        (on !== parent.name && !(isUnionType(parent) && on === 'EventPayload') && !/EventPayload/.test(parent.name + on)) ||
        (on === 'User' && isUnionType(parent)),
    );
    if (!on) return false;
    insert(list, { kind: 'inline', on, directives: [], selection: [field('__typename')] }, random);
  }),
  kind('PossibleFragmentSpreads: spread', 'PossibleFragmentSpreads', { fragment: 0.5 }, ({ request, places, random }) => {
    if (!request.fragments.length) return false;
    const fragment = random.pick(request.fragments);
    const place = choose(
      random,
      places.lists,
      ({ parent, owner }) =>
        parent !== fragment.type &&
        !/EventPayload/.test(parent.name + fragment.on) &&
        owner.kind === 'operation' &&
        owner === fragment.operation,
    );
    if (!place) return false;
    insert(place.list, { kind: 'spread', name: fragment.name, directives: [] }, random);
  }),
  kind('NoFragmentCycles: itself', 'NoFragmentCycles', { fragment: 0.5 }, ({ request, places, random }) => {
    if (!request.fragments.length) return false;
    const fragment = random.pick(request.fragments);
    const place = choose(random, places.lists, ({ owner, parent }) => owner === fragment && parent === fragment.type);
    insert(place.list, { kind: 'spread', name: fragment.name, directives: [] }, random);
  }),
  kind('NoFragmentCycles: several', 'NoFragmentCycles', {}, ({ request, places, random }) => {
    const place = choose(
      random,
      places.lists,
      ({ parent, owner }) => isObjectType(parent) && !parent.name.startsWith('__') && owner.type !== 'subscription',
    );
    if (!place) return false;
    const names = ['A', 'B', 'C'].slice(0, random.between(2, 3));
    insert(place.list, { kind: 'spread', name: 'A', directives: [] }, random);
    names.forEach((name, i) => {
      const next = { kind: 'spread', name: names[(i + 1) % names.length], directives: [] };
      const selection = random.chance(0.5) ? [field('__typename'), next] : [{ kind: 'inline', directives: [], selection: [next] }];
      insert(request.definitions, { kind: 'fragment', name, on: place.parent.name, directives: [], selection }, random);
    });
  }),
  kind('UniqueVariableNames', 'UniqueVariableNames', VARIABLES, ({ request, random }) => {
    const found = variableOf(request, random);
    if (!found) return false;
    insert(found.operation.variables, { ...found.variable }, random);
  }),
  kind('NoUndefinedVariables', 'NoUndefinedVariables', VARIABLES, ({ request, random }) => {
    const found = variableOf(request, random);
    if (!found) return false;
    found.operation.variables.splice(found.operation.variables.indexOf(found.variable), 1);
  }),
  kind('NoUndefinedVariables: directive', 'NoUndefinedVariables', {}, ({ places, random }) => {
    const { node } = random.pick([...places.fields, ...places.spreads, ...places.inlines]);
    if (node.directives.length) return false;
    node.directives.push({
      name: random.pick(['skip', 'include']),
      args: [{ name: 'if', value: { kind: 'variable', name: 'undefined' } }],
    });
  }),
  kind('NoUndefinedVariables: fragment', 'NoUndefinedVariables', { fragment: 0.5, operations: 0.5, alias: 0 }, ({ places, random }) => {
    const place = choose(random, places.fields, ({ owner, node }) => owner.kind === 'fragment' && !node.directives.length);
    if (!place) return false;
    place.node.directives.push({ name: 'include', args: [{ name: 'if', value: { kind: 'variable', name: 'other' } }] });
  }),
  kind('NoUnusedVariables', 'NoUnusedVariables', {}, ({ request, random }) => {
    const operation = random.pick(request.operations);
    const type = random.pick(['Int', 'String!', '[ID!]', 'Boolean', 'CreateLinkInput', '[[Interval]!]!']);
    insert(operation.variables, { name: 'unused', type, directives: [] }, random);
    operation.json.unused = type === 'String!' ? 'x' : type.startsWith('[[') ? [] : null;
  }),
  kind('KnownDirectives: unknown', 'KnownDirectives', { fragment: 0.2, inline: 0.2 }, ({ request, places, random }) => {
    const node = random.pick([
      ...places.fields.map(({ node }) => node),
      ...places.spreads.map(({ node }) => node),
      ...places.inlines.map(({ node }) => node),
      ...request.definitions,
    ]);
    const name = random.pick(['unknown', 'Skip', 'if', 'client', 'connection', 'defer', 'cacheControl']);
    node.directives.push({ name, args: random.chance(0.3) ? [{ name: 'if', value: boolean(true) }] : [] });
  }),
  kind('KnownDirectives: on an operation', 'KnownDirectives', {}, ({ request, random }) => {
    random
      .pick(request.definitions)
      .directives.push({ name: random.pick(['skip', 'include']), args: [{ name: 'if', value: boolean(random.chance(0.5)) }] });
  }),
  kind('KnownDirectives: on a variable', 'KnownDirectives', VARIABLES, ({ request, random }) => {
    const found = variableOf(request, random);
    if (!found) return false;
    const name = random.pick(['skip', 'include', 'deprecated', 'unknown']);
    found.variable.directives.push({ name, args: /skip|include/.test(name) ? [{ name: 'if', value: boolean(true) }] : [] });
  }),
  kind('KnownDirectives: of the schema', 'KnownDirectives', {}, ({ places, random }) => {
    const { node } = random.pick([...places.fields, ...places.inlines, ...places.spreads]);
    const string = (name, text) => ({ name, value: raw(`"${text}"`, 'string') });
    node.directives.push(
      random.pick([
        { name: 'deprecated', args: [] },
        { name: 'specifiedBy', args: [string('url', 'https://example.com')] },
        { name: 'event', args: [string('name', 'link.created')] },
        { name: 'access', args: [{ name: 'credential', value: raw('PUBLIC', 'enum') }] },
        { name: 'example', args: [string('value', 'x')] },
      ]),
    );
  }),
  kind('UniqueDirectivesPerLocation', 'UniqueDirectivesPerLocation', { directive: 0.3 }, ({ places, random }) => {
    const place = choose(random, places.directives, () => true);
    if (!place) return false;
    place.node.directives.push(
      random.chance(0.5)
        ? deepCopy(place.directive)
        : { name: place.directive.name, args: [{ name: 'if', value: boolean(random.chance(0.5)) }] },
    );
  }),
  kind('KnownArgumentNames: unknown', 'KnownArgumentNames', { duplicate: 0 }, ({ places, random }) => {
    const place = choose(random, places.fields, ({ node }) => node.args.length < 9);
    if (!place) return false;
    insert(
      place.node.args,
      {
        name: random.pick(['unknown', 'first', 'Page', 'where', 'id_', 'filter']),
        value: raw(random.pick(['1', '"a"', 'null', 'DAY', '{}'])),
      },
      random,
    );
  }),
  kind('KnownArgumentNames: directive', 'KnownArgumentNames', {}, ({ places, random }) => {
    const { node } = random.pick([...places.fields, ...places.spreads]);
    if (node.directives.length) return false;
    const args = [
      { name: 'if', value: boolean(true) },
      { name: random.pick(['unless', 'reason', 'If']), value: boolean(true) },
    ];
    node.directives.push({ name: random.pick(['skip', 'include']), args: random.shuffled(args) });
  }),
  kind('KnownArgumentNames: misspelled', 'KnownArgumentNames', { optional: 0.8, duplicate: 0 }, ({ places, random }) => {
    const place = choose(random, places.fields, ({ node }) =>
      node.args.some(
        ({ name }) => isKnown(node) && !isRequiredArgument(node.known.definition.args.find((argument) => argument.name === name)),
      ),
    );
    if (!place) return false;
    const argument = choose(
      random,
      place.node.args,
      ({ name }) => !isRequiredArgument(place.definition.args.find((argument) => argument.name === name)),
    );
    argument.name = random.pick([argument.name + 's', argument.name.toUpperCase(), argument.name.slice(0, -1)]);
  }),
  kind('UniqueArgumentNames: field', 'UniqueArgumentNames', { optional: 0.7, duplicate: 0 }, ({ places, random }) => {
    const place = choose(random, places.fields, ({ node }) => node.args.length > 0 && node.args.length < 9);
    if (!place) return false;
    insert(place.node.args, deepCopy(random.pick(place.node.args)), random);
  }),
  kind('UniqueArgumentNames: directive', 'UniqueArgumentNames', {}, ({ places, random }) => {
    const { node } = random.pick([...places.fields, ...places.spreads]);
    if (node.directives.length) return false;
    const same = random.chance(0.5);
    node.directives.push({
      name: random.pick(['skip', 'include']),
      args: [
        { name: 'if', value: boolean(same) },
        { name: 'if', value: boolean(true) },
      ],
    });
  }),
  kind('ProvidedRequiredArguments: field', 'ProvidedRequiredArguments', { duplicate: 0 }, ({ places, random }) => {
    const isRequired = (node, { name }) =>
      isKnown(node) && isRequiredArgument(node.known.definition.args.find((argument) => argument.name === name));
    const place = choose(random, places.fields, ({ node }) =>
      node.args.some((argument) => argument.value.kind !== 'variable' && isRequired(node, argument)),
    );
    if (!place) return false;
    place.node.args.splice(
      place.node.args.findIndex((argument) => argument.value.kind !== 'variable' && isRequired(place.node, argument)),
      1,
    );
  }),
  kind('ProvidedRequiredArguments: directive', 'ProvidedRequiredArguments', {}, ({ places, random }) => {
    const { node, list, owner } = random.pick([...places.fields, ...places.spreads, ...places.inlines]);
    if (node.directives.length || owner.selection === list) return false;
    node.directives.push({ name: random.pick(['skip', 'include']), args: [] });
  }),
  kind('VariablesInAllowedPosition: nullable', 'VariablesInAllowedPosition', VARIABLES, ({ request, random }) => {
    const found = variableOf(request, random, ({ type, value, key }) => type.endsWith('!') && !value && key.endsWith('! false'));
    if (!found) return false;
    found.variable.type = found.variable.type.slice(0, -1);
  }),
  kind('VariablesInAllowedPosition: null as default', 'VariablesInAllowedPosition', VARIABLES, ({ request, random }) => {
    const found = variableOf(request, random, ({ type, key }) => type.endsWith('!') && key.endsWith('! false'));
    if (!found) return false;
    found.variable.type = found.variable.type.slice(0, -1);
    found.variable.value = raw('null', 'null');
  }),
  kind('VariablesInAllowedPosition: other scalar', 'VariablesInAllowedPosition', LITERALS, (task) => {
    const other = { Int: ['String', 'Float', 'ID'], String: ['ID', 'Int', 'DateTime'], Boolean: ['Int', 'String'], ID: ['String', 'Int'] };
    const of = (type) => task.random.pick(other[named(type)]) + (isNonNullType(type) ? '!' : '');
    return typedWrongly((type) => isNamed(type, 'Int', 'String', 'Boolean', 'ID'), of)(task);
  }),
  kind('VariablesInAllowedPosition: other enum', 'VariablesInAllowedPosition', { ...LITERALS, kind: 'query', introspection: 0 }, (task) => {
    const of = (type) => task.random.pick(['String', 'ErrorCode', 'DnsRecordType']) + (isNonNullType(type) ? '!' : '');
    return typedWrongly(isEnum, of, () => ({ json: 'TXT' }))(task);
  }),
  kind('VariablesInAllowedPosition: list', 'VariablesInAllowedPosition', LITERALS, (task) => {
    const of = (type) => `[${getNullableType(type)}!]!`;
    return typedWrongly(
      (type) => !isList(type),
      of,
      () => ({ json: [] }),
    )(task);
  }),
  kind(
    'VariablesInAllowedPosition: list items',
    'VariablesInAllowedPosition',
    { ...VARIABLES, kind: 'mutation' },
    ({ request, random }) => {
      const found = variableOf(request, random, ({ type }) => type.startsWith('['));
      if (!found) return false;
      found.variable.type = random.chance(0.5)
        ? found.variable.type.replace(/!\]/, ']')
        : found.variable.type.replace(/[[\]]/g, '').replace('!!', '!');
    },
  ),
  kind('VariablesInAllowedPosition: directive', 'VariablesInAllowedPosition', {}, ({ request, places, random }) => {
    const place = choose(
      random,
      [...places.fields, ...places.spreads, ...places.inlines],
      ({ node, owner, list }) => owner.kind === 'operation' && !node.directives.length && owner.selection !== list,
    );
    if (!place) return false;
    place.node.directives.push({
      name: random.pick(['skip', 'include']),
      args: [{ name: 'if', value: { kind: 'variable', name: 'wrong' } }],
    });
    const type = random.pick(['Boolean', 'String!', '[Boolean!]!', 'Int!']);
    place.owner.variables.push({ name: 'wrong', type, directives: [] });
    place.owner.json.wrong = { Boolean: true, 'String!': 'true', '[Boolean!]!': [true], 'Int!': 1 }[type];
  }),
  kind('OverlappingFieldsCanBeMerged: fields', 'OverlappingFieldsCanBeMerged', { alias: 0 }, ({ places, random }) => {
    const place = choose(
      random,
      places.lists,
      ({ parent }) =>
        isObjectType(parent) &&
        !parent.name.startsWith('__') &&
        Object.values(parent.getFields()).filter(({ type }) => isLeafType(getNamedType(type))).length > 1,
    );
    if (!place) return false;
    const [a, b] = random.shuffled(
      Object.values(place.parent.getFields()).filter(({ type, args }) => isLeafType(getNamedType(type)) && !args.some(isRequiredArgument)),
    );
    if (!b) return false;
    insert(place.list, field(a.name, { alias: 'same' }), random);
    insert(place.list, field(b.name, { alias: 'same' }), random);
  }),
  kind('OverlappingFieldsCanBeMerged: alias of a field', 'OverlappingFieldsCanBeMerged', { alias: 0 }, ({ places, random }) => {
    const place = choose(random, places.fields, ({ node }) => isKnown(node) && !node.selection && !node.alias);
    if (!place) return false;
    const other = choose(
      random,
      Object.values(place.parent.getFields()),
      ({ name, type, args }) => name !== place.node.name && isLeafType(getNamedType(type)) && !args.length,
    );
    if (!other) return false;
    insert(place.list, field(other.name, { alias: place.node.name }), random);
  }),
  kind(
    'OverlappingFieldsCanBeMerged: arguments',
    'OverlappingFieldsCanBeMerged',
    { ...LITERALS, kind: 'query', introspection: 0 },
    ({ places, random }) => {
      const place = choose(
        random,
        places.fields,
        ({ node }) =>
          isKnown(node) && node.args.some(({ value }) => value.kind === 'literal' && isNamed(value.type, 'Int', 'Boolean', 'ID')),
      );
      if (!place) return false;
      const again = deepCopy(place.node);
      const argument = random.pick(
        again.args.filter(({ value }) => value.kind === 'literal' && isNamed(value.type, 'Int', 'Boolean', 'ID')),
      );
      if (random.chance(0.3) && !isRequiredArgument(place.definition.args.find(({ name }) => name === argument.name))) {
        again.args.splice(again.args.indexOf(argument), 1);
      } else {
        const { text } = argument.value;
        argument.value = { ...argument.value, text: text === 'true' ? 'false' : text === 'false' ? 'true' : text === '3' ? '4' : '3' };
      }
      insert(place.list, again, random);
    },
  ),
  kind('OverlappingFieldsCanBeMerged: variables', 'OverlappingFieldsCanBeMerged', VARIABLES, ({ places, random }) => {
    const place = choose(
      random,
      places.fields,
      ({ node, owner }) => owner.kind === 'operation' && node.args.some(({ value }) => value.kind === 'variable'),
    );
    if (!place) return false;
    const again = deepCopy(place.node);
    const { value } = again.args.find(({ value }) => value.kind === 'variable');
    const variable = place.owner.variables.find(({ name }) => name === value.name);
    if (!variable) return false;
    place.owner.variables.push({ ...variable, name: 'second' });
    if (value.name in place.owner.json) place.owner.json.second = place.owner.json[value.name];
    value.name = 'second';
    insert(place.list, again, random);
  }),
  kind('OverlappingFieldsCanBeMerged: another order', 'valid', { ...VARIABLES, variable: 0.2, alias: 0 }, ({ places, random }) => {
    const place = choose(random, places.fields, ({ node }) => node.args.length > 1 || node.args[0]?.value.fields?.length > 1);
    if (!place) return false;
    const again = deepCopy(place.node);
    again.args.reverse();
    for (const { value } of again.args) value.fields?.reverse();
    insert(place.list, again, random);
  }),
  kind('OverlappingFieldsCanBeMerged: below', 'OverlappingFieldsCanBeMerged', { alias: 0.05, kind: 'query' }, ({ places, random }) => {
    const two = (type) =>
      isObjectType(type) ? Object.values(type.getFields()).filter(({ type, args }) => isLeafType(getNamedType(type)) && !args.length) : [];
    const place = choose(
      random,
      places.fields,
      ({ node }) => node.selection && isKnown(node) && two(getNamedType(node.known.definition.type)).length > 1,
    );
    if (!place) return false;
    const [a, b] = random.shuffled(two(getNamedType(place.definition.type)));
    const again = { ...deepCopy(place.node), selection: [field(b.name, { alias: 'x' })] };
    place.node.selection.push(field(a.name, { alias: 'x' }));
    if (random.chance(0.3)) again.selection = [{ kind: 'inline', directives: [], selection: again.selection }];
    insert(place.list, again, random);
  }),
  kind('OverlappingFieldsCanBeMerged: fragment', 'OverlappingFieldsCanBeMerged', { alias: 0 }, ({ request, places, random }) => {
    const place = choose(
      random,
      places.lists,
      ({ parent, owner }) => isObjectType(parent) && !parent.name.startsWith('__') && owner.type !== 'subscription',
    );
    if (!place) return false;
    const [a, b] = random.shuffled(
      Object.values(place.parent.getFields()).filter(({ type, args }) => isLeafType(getNamedType(type)) && !args.length),
    );
    if (!b) return false;
    const selection = [field(a.name, { alias: 'same' })];
    insert(place.list, field(b.name, { alias: 'same' }), random);
    insert(place.list, { kind: 'spread', name: 'Other', directives: [] }, random);
    insert(request.definitions, { kind: 'fragment', name: 'Other', on: place.parent.name, directives: [], selection }, random);
  }),
  kind('OverlappingFieldsCanBeMerged: shapes', 'OverlappingFieldsCanBeMerged', UNION, ({ places, random }) => {
    const place = choose(random, places.lists, ({ parent }) => isUnionType(parent));
    if (!place) return false;
    const data = (on, name, alias) => ({
      kind: 'inline',
      on,
      directives: [],
      selection: [field('data', { selection: [field(name, { alias })] })],
    });
    const [a, b] = random.pick([
      [data('DomainCreatedEventPayload', 'status'), data('SubscriptionUpdatedEventPayload', 'status')],
      [data('LinkCreatedEventPayload', 'createdAt', 'x'), data('ApiKeyCreatedEventPayload', 'name', 'x')],
      [data('ApiKeyCreatedEventPayload', 'scopes', 'x'), data('WebhookTestEventPayload', 'name', 'x')],
      [data('ApiKeyRevokedEventPayload', 'revokedAt', 'x'), data('InvoicePaidEventPayload', 'createdAt', 'x')],
      [data('InvoicePaidEventPayload', 'status'), data('SubdomainClaimedEventPayload', 'status')],
      [data('LinkUpdatedEventPayload', 'clickCount', 'x'), data('LinkDeletedEventPayload', 'isActive', 'x')],
      [
        { kind: 'inline', on: 'LinkCreatedEventPayload', directives: [], selection: [field('type', { alias: 'x' })] },
        {
          kind: 'inline',
          on: 'WebhookTestEventPayload',
          directives: [],
          selection: [field('data', { alias: 'x', selection: [field('id')] })],
        },
      ],
    ]);
    place.list.push(a, b);
  }),
  kind('SingleFieldSubscriptions: two', 'SingleFieldSubscriptions', { kind: 'subscription', operations: 0 }, ({ request, random }) => {
    const { selection } = request.executed;
    if (selection[0].kind !== 'field') return false;
    insert(selection, { ...deepCopy(selection[0]), alias: 'second' }, random);
  }),
  kind('SingleFieldSubscriptions: fragment', 'SingleFieldSubscriptions', { kind: 'subscription', operations: 0 }, ({ request, random }) => {
    const { selection } = request.executed;
    if (selection[0].kind !== 'field') return false;
    const second = { ...deepCopy(selection[0]), alias: 'second' };
    if (random.chance(0.5)) {
      insert(selection, { kind: 'inline', on: random.chance(0.5) ? 'LiveEvents' : undefined, directives: [], selection: [second] }, random);
    } else {
      insert(selection, { kind: 'spread', name: 'Second', directives: [] }, random);
      insert(request.definitions, { kind: 'fragment', name: 'Second', on: 'LiveEvents', directives: [], selection: [second] }, random);
    }
  }),
  kind(
    'SingleFieldSubscriptions: introspection',
    'SingleFieldSubscriptions',
    { kind: 'subscription', operations: 0 },
    ({ request, random }) => {
      const typename = field('__typename', { alias: random.chance(0.5) ? 'second' : undefined });
      if (random.chance(0.5)) {
        insert(request.executed.selection, typename, random);
        return;
      }
      const { executed } = request;
      Object.assign(executed, { variables: [], selection: [typename] });
      request.definitions = [executed];
    },
  ),
];

// graphql-js 16 is of an older edition of the specification there: what it calls valid is marked.
export const SUBSCRIPTION_DIRECTIVES = {
  ...kind(
    'SingleFieldSubscriptions: @skip and @include',
    ['valid', 'SingleFieldSubscriptions'],
    { kind: 'subscription', operations: 0 },
    ({ request, random }) => {
      let [item] = request.executed.selection;
      while (item.kind !== 'field' && random.chance(0.5)) {
        const within = item.selection ?? request.fragments.find(({ name }) => name === item.name).selection;
        [item] = within;
      }
      const isVariable = random.chance(0.3);
      const value = isVariable ? { kind: 'variable', name: 'if' } : boolean(random.chance(0.5));
      item.directives = [{ name: random.pick(['skip', 'include']), args: [{ name: 'if', value }] }];
      if (isVariable) {
        request.executed.variables.push({ name: 'if', type: 'Boolean!', directives: [] });
        request.executed.json.if = random.chance(0.5);
      }
    },
  ),
  differs: 'September 2025, 5.2.4.1: a root selection of a subscription must not have @skip or @include, whatever their value',
};

export const OPERATIONS = [
  kind('operation: unknown name', 'operation', { operations: 0.5 }, ({ request, random }) => {
    const { name } = request.executed;
    request.operationName = random.pick([
      'Unknown',
      'op1',
      name ? name + '_' : 'X',
      name ? name.toLowerCase() + 'x' : 'query',
      ' ',
      request.fragments[0]?.name ?? 'F1',
    ]);
  }),
  kind('operation: no name for several', 'operation', { operations: 1 }, ({ request }) => {
    request.operationName = undefined;
  }),
];
