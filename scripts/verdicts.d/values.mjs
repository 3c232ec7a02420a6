// Mistakes of literals.
import graphql from './graphql.mjs';
import { choose, insert, isEnum, isList, isNamed, isObject, isScalar, named, quotedEnum, raw, unknownEnum } from './places.mjs';
import { ANY_TEXT, deepCopy } from './valid.mjs';

const { getNamedType, isNonNullType, isRequiredInputField } = graphql;

/** Replaces a literal for which `applies` holds. */
function replaced(applies, make, where) {
  return ({ places, random, schema }) => {
    const place = choose(
      random,
      places.values,
      (p) => p.node.kind !== 'variable' && applies(p.type, p) && (where ? where(p.where) : p.where !== 'default'),
    );
    if (!place) return false;
    const text = make(random, place, schema);
    place.holder[place.key] = typeof text === 'string' ? raw(text) : text;
    return true;
  };
}

const wrong = (name, applies, make, where) => ({
  name: `value: ${name}`,
  expects: ['ValuesOfCorrectType'],
  want: { optional: 0.7, variable: where ? 0.6 : 0.1, duplicate: 0 },
  apply: replaced(applies, make, where),
});

const INT_LITERALS = ['2147483648', '-2147483649', '9007199254740993', '99999999999999999999', '4294967296'];
const FLOATS = ['1.0', '1.5', '2e3', '-0.5', '1E-2', '0.0', '3.14e+2'];

export const VALUES = [
  wrong(
    'string for Int',
    (t) => isNamed(t, 'Int'),
    (r) => r.pick(['"1"', '"ten"', '""', '"""2"""']),
  ),
  wrong(
    'Float for Int',
    (t) => isNamed(t, 'Int'),
    (r) => r.pick(FLOATS),
  ),
  wrong(
    'Int beyond 32 bits',
    (t) => isNamed(t, 'Int'),
    (r) => r.pick(INT_LITERALS),
  ),
  wrong(
    'other kind for Int',
    (t) => isNamed(t, 'Int'),
    (r) => r.pick(['true', 'ONE', '[1]', '{}', '{ value: 1 }', '[]']),
  ),
  wrong(
    'number for String',
    (t) => isNamed(t, 'String'),
    (r) => r.pick(['1', '0', '-7', ...FLOATS]),
  ),
  wrong(
    'name for String',
    (t) => isNamed(t, 'String'),
    (r) => r.pick(['true', 'false', 'sale', 'DAY', 'on']),
  ),
  wrong(
    'list or object for String',
    (t) => isNamed(t, 'String'),
    (r) => r.pick(['["a"]', '[]', '{}', '{ text: "a" }']),
  ),
  wrong(
    'other kind for Boolean',
    (t) => isNamed(t, 'Boolean'),
    (r) => r.pick(['"true"', '1', '0', 'TRUE', 'yes', '1.0', '[true]', '{}', '""']),
    (where) => where !== 'default',
  ),
  wrong(
    'other kind for ID',
    (t) => isNamed(t, 'ID'),
    (r) => r.pick(['1.5', 'true', 'abc', '["1"]', '{}', '1e3']),
  ),
  wrong('string for enum', isEnum, quotedEnum),
  wrong('unknown enum value', isEnum, unknownEnum),
  wrong('other kind for enum', isEnum, (r) => r.pick(['1', 'true', 'false', '1.5', '{}', '[]'])),
  wrong(
    'null for non-null',
    (t) => isNonNullType(t),
    () => 'null',
    (where) => where !== 'default',
  ),
  wrong('other kind for input object', isObject, (r) => r.pick(['"{}"', '1', 'true', 'INPUT', '[]', '[{}]'])),
  wrong(
    'list with null',
    (t) => isList(t),
    (r, { node }) => ({ kind: 'list', items: [...(node.items ?? [node]), raw('null')] }),
  ),
  wrong(
    'list in list',
    (t) => isList(t),
    (r, { node }) => ({ kind: 'list', items: [node.kind === 'list' ? node : { kind: 'list', items: [node] }] }),
  ),
  wrong(
    'wrong item',
    (t) => isList(t) && named(t) === 'String',
    (r, { node }) => ({ kind: 'list', items: [...(node.items ?? [node]), raw(r.pick(['1', 'true', 'LINK', '{}']))] }),
  ),
  wrong(
    'default of a variable',
    isScalar,
    (r, place) => {
      if (isEnum(place.type)) return r.chance(0.5) ? quotedEnum(r, place) : unknownEnum(r, place);
      return { Int: '"1"', String: '1', Boolean: '"true"', ID: 'true' }[named(place.type)];
    },
    (where) => where === 'default',
  ),
  {
    name: 'value: null as default of a non-null variable',
    expects: ['ValuesOfCorrectType'],
    want: { optional: 0.7, variable: 0.7 },
    apply: ({ request, random }) => {
      const variables = request.operations.flatMap(({ variables }) => variables).filter(({ type }) => type.endsWith('!'));
      if (!variables.length) return false;
      random.pick(variables).value = raw('null', 'null');
    },
  },
  {
    name: 'value: unknown field of an input object',
    expects: ['ValuesOfCorrectType'],
    want: { kind: 'mutation', variable: 0.1, duplicate: 0 },
    apply: ({ places, random }) => {
      const object = choose(random, places.objects, () => true);
      if (!object) return false;
      const name = random.pick(['unknown', 'Name', 'destinationURL', 'isactive', '__typename', 'input']);
      insert(object.fields, { name, value: raw(random.pick(['1', '"a"', 'null', 'true'])) }, random);
    },
  },
  {
    name: 'value: missing field of an input object',
    expects: ['ValuesOfCorrectType'],
    want: { kind: 'mutation', variable: 0.05, duplicate: 0 },
    apply: ({ places, random }) => {
      const isRequired = (object, { name }) => isRequiredInputField(getNamedType(object.type).getFields()[name]);
      const object = choose(random, places.objects, (object) => object.fields.some((field) => isRequired(object, field)));
      if (!object) return false;
      object.fields.splice(
        object.fields.findIndex((field) => isRequired(object, field)),
        1,
      );
    },
  },
  // No mistakes, though they look like some.
  {
    ...wrong(
      'long number for ID',
      (t) => isNamed(t, 'ID'),
      (r) => r.pick(INT_LITERALS),
    ),
    expects: ['valid'],
  },
  {
    ...wrong(
      'control character in a string',
      (t, { name }) => isNamed(t, 'String') && ANY_TEXT.includes(name),
      (r) => `"correct${r.pick(['\0', '\x01', '\x07', '\t', '\v', '\f', '\x1b', '\x7f', '\x85', '\u2028', '\ufeff', '\ufffe'])}horse"`,
    ),
    expects: ['valid'],
  },
  {
    name: 'UniqueInputFieldNames',
    expects: ['UniqueInputFieldNames'],
    want: { kind: 'mutation', variable: 0.1, duplicate: 0 },
    apply: ({ places, random }) => {
      const object = choose(random, places.objects, ({ fields }) => fields.length > 0);
      if (!object) return false;
      insert(object.fields, deepCopy(random.pick(object.fields)), random);
    },
  },
];
