// Writes a GraphQL document for each root field of a schema, which selects all that can be selected without arguments:
// operations.mjs SCHEMA DOCUMENTS
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

// The packages of the directory where this is run.
const { buildSchema, getNamedType, isObjectType, isRequiredArgument, isUnionType, print, parse } = createRequire(
  join(process.cwd(), 'package.json'),
)('graphql');

const [schemaFile, documentsFile] = process.argv.slice(2);
const schema = buildSchema(readFileSync(schemaFile, 'utf8'));

// A type within itself is left out, since it would never end. Objects of a union have fields of one name and several types.
function selection(type, above = []) {
  if (isUnionType(type)) return ' { __typename }';
  if (!isObjectType(type)) return '';
  const fields = Object.values(type.getFields())
    .filter((field) => !field.args.some(isRequiredArgument) && !above.includes(getNamedType(field.type)))
    .map((field) => field.name + selection(getNamedType(field.type), [...above, type]));
  return ` { ${fields.join(' ')} }`;
}

function operation(kind, { name, args, type }) {
  const variables = args.map(({ name, type, astNode }) => {
    const value = astNode.defaultValue ? ` = ${print(astNode.defaultValue)}` : '';
    return `$${name}: ${type}${value}`;
  });
  const passed = args.map((argument) => `${argument.name}: $${argument.name}`).join(' ');
  const within = (text) => (text ? `(${text})` : '');
  const called = name[0].toUpperCase() + name.slice(1);
  return print(parse(`${kind} ${called}${within(variables.join(' '))} { ${name}${within(passed)}${selection(getNamedType(type))} }`));
}

const roots = {
  query: schema.getQueryType(),
  mutation: schema.getMutationType(),
  subscription: schema.getSubscriptionType(),
};
const documents = Object.entries(roots).flatMap(([kind, root]) =>
  Object.values(root.getFields()).map((field) => operation(kind, field)),
);
writeFileSync(documentsFile, documents.join('\n\n') + '\n');
