// The places of a request where a mistake can be made, and what the kinds of mistakes share.
//
// A kind is { name, expects: the verdicts that it is made for, want: what the valid request needs more often, apply }. `apply` changes
// the request, and answers false when it has no such place.
import graphql from './graphql.mjs';

const { getNamedType, getNullableType, isEnumType, isInputObjectType, isListType } = graphql;

export const kind = (name, expects, want, apply) => ({ name, expects: [expects].flat(), want, apply });

// What a valid request needs more often for mistakes of variables, or of literals.
export const VARIABLES = { optional: 0.7, variable: 0.8 };
export const LITERALS = { optional: 0.7, variable: 0.1, duplicate: 0 };

/** All places of a request where a mistake can be made. */
export function placesOf(request) {
  const places = { fields: [], inlines: [], spreads: [], lists: [], values: [], objects: [], directives: [] };
  const value = (holder, key, where, name) => {
    const node = holder[key];
    places.values.push({ holder, key, node, type: node.type, where, name });
    if (node.kind === 'list') node.items.forEach((_, i) => value(node.items, i, 'item', name));
    if (node.kind === 'object') {
      places.objects.push(node);
      node.fields.forEach((field) => value(field, 'value', 'input field', field.name));
    }
  };
  const args = (node, where) => node.args?.forEach((argument) => value(argument, 'value', where, argument.name));
  const directives = (node) =>
    node.directives.forEach((directive) => {
      places.directives.push({ directive, node });
      args(directive, 'directive');
    });
  const walk = (list, parent, owner) => {
    places.lists.push({ list, parent, owner });
    for (const node of list) {
      directives(node);
      if (node.kind === 'field') {
        places.fields.push({ node, list, parent, owner, definition: node.known?.definition });
        args(node, 'argument');
        if (node.selection) walk(node.selection, getNamedType(node.known.definition.type), owner);
      } else if (node.kind === 'inline') {
        places.inlines.push({ node, list, parent, owner });
        walk(node.selection, node.type, owner);
      } else {
        places.spreads.push({ node, list, parent, owner });
      }
    }
  };
  for (const owner of request.operations) {
    for (const variable of owner.variables) if (variable.value) value(variable, 'value', 'default', variable.known.definition.name);
    walk(owner.selection, owner.root, owner);
  }
  for (const fragment of request.fragments) walk(fragment.selection, fragment.type, fragment);
  return places;
}

export const field = (name, more = {}) => ({ kind: 'field', name, args: [], directives: [], ...more });
export const raw = (text, role = 'literal') => ({ kind: 'literal', text, role });
export const boolean = (value) => raw(String(value), 'boolean');
export const insert = (list, item, random) => list.splice(random.below(list.length + 1), 0, item);
export const named = (type) => getNamedType(type).name;
export const isNamed = (type, ...names) => !isListType(getNullableType(type)) && names.includes(named(type));
export const isEnum = (type) => !isListType(getNullableType(type)) && isEnumType(getNamedType(type));
export const isObject = (type) => !isListType(getNullableType(type)) && isInputObjectType(getNamedType(type));
export const isList = (type) => isListType(getNullableType(type));
export const isScalar = (type) => isNamed(type, 'Int', 'String', 'Boolean', 'ID') || isEnum(type);
export const isKnown = (node) => node.known && !node.name.startsWith('__');

/** One of those for which `applies` holds; null when there is none. */
export function choose(random, list, applies) {
  const found = list.filter(applies);
  return found.length ? random.pick(found) : null;
}

const valuesOfEnum = (type) => type.getValues().map(({ name }) => name);
export const unknownEnum = (random, { type }) => {
  const [some] = random.shuffled(valuesOfEnum(getNamedType(type)));
  return random.pick(['UNKNOWN', some.toLowerCase(), some + '_', some.slice(0, -1), 'Enum']);
};
export const quotedEnum = (random, { type }) => `"${random.pick(valuesOfEnum(getNamedType(type)))}"`;
