// What graphql-js says of a request, up to its execution.
import graphql from './graphql.mjs';

const { getArgumentValues, getDirectiveValues, getNamedType, getOperationAST, getVariableValues, GraphQLError, Kind } = graphql;
const { GraphQLIncludeDirective, GraphQLSkipDirective, isUnionType, parse, validate } = graphql;
const { SchemaMetaFieldDef, TypeMetaFieldDef, TypeNameMetaFieldDef, specifiedRules } = graphql;

// The specification has no limit of introspection's depth.
const rules = specifiedRules.filter((rule) => rule.name !== 'MaxIntrospectionDepthRule');

const nameOf = (rule) => rule.name.replace(/Rule$/, '');
const refused = (verdict, error) => ({ verdict, message: error.message });

// graphql-js 16 looks for the root fields of a subscription by the values of variables, of which it has none then: it throws.
function errorsOf(schema, document, rules) {
  try {
    return validate(schema, document, rules);
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
}

function firstMistake(schema, document) {
  const [first] = errorsOf(schema, document, rules);
  if (!first) return null;
  const place = (error) => JSON.stringify([error.message, error.locations]);
  const rule = rules.find((rule) => errorsOf(schema, document, [rule]).some((error) => place(error) === place(first)));
  return refused(nameOf(rule), first);
}

// The arguments of each field that may be executed: a null that a variable brings where none may stand is found here only.
function checkArguments(schema, document, operation, variables) {
  const fragments = new Map(document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION).map((f) => [f.name.value, f]));
  const introspection = [SchemaMetaFieldDef, TypeMetaFieldDef, TypeNameMetaFieldDef];
  const isLeftOut = (node) =>
    getDirectiveValues(GraphQLSkipDirective, node, variables)?.if === true ||
    getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if === false;
  const walk = (type, { selections }) => {
    for (const node of selections) {
      if (isLeftOut(node)) continue;
      if (node.kind === Kind.FIELD) {
        const field =
          introspection.find(({ name }) => name === node.name.value) ?? (isUnionType(type) ? null : type.getFields()[node.name.value]);
        getArgumentValues(field, node, variables);
        if (node.selectionSet) walk(getNamedType(field.type), node.selectionSet);
      } else {
        const fragment = node.kind === Kind.FRAGMENT_SPREAD ? fragments.get(node.name.value) : node;
        const on = fragment.typeCondition ? schema.getType(fragment.typeCondition.name.value) : type;
        walk(on, fragment.selectionSet);
      }
    }
  };
  walk(schema.getRootType(operation.operation), operation.selectionSet);
}

/**
 * `verdict` is `valid`, or what refuses the request first: `parse`, the name of a rule of validation, `operation`, `variables` or
 * `arguments`; `message` is that of the first error. What `arguments` refuses is an error of a field, not of the request.
 */
export function judge(schema, { document: text, operationName, variables = {} }) {
  let document;
  try {
    document = parse(text);
  } catch (error) {
    if (error instanceof GraphQLError) return refused('parse', error);
    throw error;
  }
  const mistake = firstMistake(schema, document);
  if (mistake) return mistake;
  const operation = getOperationAST(document, operationName);
  if (!operation) {
    const message = operationName
      ? `Unknown operation named "${operationName}".`
      : 'Must provide operation name if query contains multiple operations.';
    return { verdict: 'operation', message };
  }
  const { errors, coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
  if (errors) return refused('variables', errors[0]);
  try {
    checkArguments(schema, document, operation, coerced);
  } catch (error) {
    if (error instanceof GraphQLError) return refused('arguments', error);
    throw error;
  }
  return { verdict: 'valid' };
}
