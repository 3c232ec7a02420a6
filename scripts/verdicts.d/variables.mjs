// Mistakes of the values of variables.
import graphql from './graphql.mjs';
import { choose, isEnum, isList, isNamed, isObject, kind, named, unknownEnum, VARIABLES } from './places.mjs';

const { getNullableType, isInputObjectType, isListType, isNonNullType, isRequiredInputField } = graphql;

/** Each value within the variables, with its type. */
function valuesOf({ executed }) {
  const found = [];
  const walk = (holder, key, type, where) => {
    const value = holder[key];
    found.push({ holder, key, type, value, where });
    if (value === null) return;
    const nullable = getNullableType(type);
    if (isListType(nullable)) {
      if (Array.isArray(value)) value.forEach((_, i) => walk(value, i, nullable.ofType, 'item'));
    } else if (isInputObjectType(nullable)) {
      for (const field of Object.values(nullable.getFields())) {
        if (field.name in value) walk(value, field.name, field.type, isRequiredInputField(field) ? 'required field' : 'field');
      }
    }
  };
  for (const { name, of } of executed.variables) if (of && name in executed.json) walk(executed.json, name, of, 'variable');
  return found;
}

const sent = (name, applies, make, more = {}) => ({
  name: `variable: ${name}`,
  expects: ['variables'],
  want: { ...VARIABLES, operations: 0.05, ...more.want },
  apply: ({ request, random }) => {
    const place = choose(random, valuesOf(request), applies);
    if (!place) return false;
    place.holder[place.key] = make(random, place);
  },
  ...more.kind,
});
const ofType =
  (...names) =>
  ({ type }) =>
    isNamed(type, ...names);

export const SENT = [
  kind('variable: missing', 'variables', VARIABLES, ({ request, random }) => {
    const variable = choose(random, request.executed.variables, ({ type, value }) => type.endsWith('!') && !value);
    if (!variable) return false;
    delete request.variables[variable.name];
  }),
  sent(
    'null for non-null',
    ({ type, where }) => isNonNullType(type) && where === 'variable',
    () => null,
  ),
  sent('string for Int', ofType('Int'), (r) => r.pick(['1', 'ten', '', '1.0'])),
  sent('fraction for Int', ofType('Int'), (r) => r.pick([1.5, -0.5, 0.1, 2147483646.5])),
  sent('Int beyond 32 bits', ofType('Int'), (r) => r.pick([2147483648, -2147483649, 4294967297, 9007199254740991, 1e21])),
  sent('other kind for Int', ofType('Int'), (r) => r.pick([true, false, [1], {}, { value: 1 }, []])),
  sent('number for String', ofType('String'), (r) => r.pick([1, 0, 1.5, -1])),
  sent('other kind for String', ofType('String'), (r) => r.pick([true, false, ['a'], {}, []])),
  sent('other kind for Boolean', ofType('Boolean'), (r) => r.pick(['true', 'false', '', 1, 0, [true], {}])),
  sent('other kind for ID', ofType('ID'), (r) => r.pick([1.5, true, false, ['1'], {}, { id: '1' }])),
  sent(
    'unknown enum value',
    ({ type }) => isEnum(type),
    (r, place) => unknownEnum(r, place),
    { want: { kind: 'query' } },
  ),
  sent(
    'other kind for enum',
    ({ type }) => isEnum(type),
    (r) => r.pick([0, 1, true, {}, ['DAY'], []]),
    { want: { kind: 'query' } },
  ),
  sent(
    'other kind for input object',
    ({ type }) => isObject(type),
    (r) => r.pick(['{}', 1, true, [], [{}]]),
    { want: { kind: 'mutation' } },
  ),
  sent(
    'unknown field of an input object',
    ({ type, value }) => isObject(type) && value,
    (r, { value }) => ({ ...value, [r.pick(['unknown', 'Name', 'isactive', '__typename', 'input', ''])]: r.pick([1, 'a', null]) }),
    { want: { kind: 'mutation' } },
  ),
  kind('variable: missing field of an input object', 'variables', { ...VARIABLES, kind: 'mutation' }, ({ request, random }) => {
    const place = choose(random, valuesOf(request), ({ where }) => where === 'required field');
    if (!place) return false;
    delete place.holder[place.key];
  }),
  sent(
    'null for a required field',
    ({ where }) => where === 'required field',
    () => null,
    { want: { kind: 'mutation' } },
  ),
  sent(
    'list with null',
    ({ type, value }) => isList(type) && Array.isArray(value),
    (r, { value }) => r.shuffled([...value, null]),
    { want: { kind: 'mutation' } },
  ),
  sent(
    'wrong item',
    ({ type, value }) => isList(type) && value !== null,
    (r, { type, value }) => [...[value].flat(), named(type) === 'String' ? r.pick([1, true, {}]) : r.pick([1, 'a', [{}]])],
    { want: { kind: 'mutation' } },
  ),
  {
    name: 'variable: null where its default lets it stand',
    expects: ['arguments'],
    want: VARIABLES,
    apply: ({ request, random }) => {
      const variable = choose(
        random,
        request.executed.variables,
        ({ type, key }) => !type.endsWith('!') && /! (true|false)$/.test(key ?? ''),
      );
      if (!variable) return false;
      request.variables[variable.name] = null;
    },
  },
  // No mistakes, though they look like some.
  kind('variable: more than are defined', 'valid', {}, ({ request, random }) => {
    request.variables[random.pick(['extra', 'Id', 'input_', '', '$id'])] = random.pick([1, 'x', null, {}, [[]]]);
  }),
  sent(
    'item for a list',
    ({ type, value }) => isList(type) && Array.isArray(value),
    (r, { value }) => value[0],
    { want: { kind: 'mutation' }, kind: { expects: ['valid'] } },
  ),
];
