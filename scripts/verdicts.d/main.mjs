// Makes requests of a schema, and writes them with the verdicts of graphql-js: main.mjs SCHEMA DIRECTORY
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import graphql from './graphql.mjs';
import { judge } from './oracle.mjs';
import { placesOf } from './places.mjs';
import { layout, tokensOf } from './print.mjs';
import { Random } from './random.mjs';
import { OPERATIONS, RULES, SUBSCRIPTION_DIRECTIVES } from './rules.mjs';
import { SYNTAX } from './syntax.mjs';
import { validRequest } from './valid.mjs';
import { VALUES } from './values.mjs';
import { SENT } from './variables.mjs';

const VALID = 5000;
const OF_EACH_KIND = 50;
const SEED = 20250901;
// Below the service's own limits (src/api/graphql/tokens.rs, cost.rs), so that a verdict is GraphQL's alone.
const MAX_TOKENS = 1500;
const MAX_ALIASES = 28;

const [schemaFile, directory] = process.argv.slice(2);
const text = readFileSync(schemaFile, 'utf8');
const schema = graphql.buildSchema(text);
const random = new Random(SEED);
const usage = new Map();
const known = new Set();
const lines = [];

function fail(message, ...more) {
  console.error(message, ...more);
  process.exit(1);
}

/** Adds a request with its verdict; answers null when it is there already, or large. */
function add(kind, tokens, { operationName, variables }, differs) {
  const aliases = tokens.filter(({ role }) => role === 'colon of alias').length;
  if (tokens.length > MAX_TOKENS || aliases > MAX_ALIASES) return null;
  const request = { document: layout(tokens, random), operationName, variables: Object.keys(variables).length ? variables : undefined };
  const key = JSON.stringify(request);
  if (known.has(key)) return null;
  known.add(key);
  const { verdict, message } = judge(schema, request);
  lines.push({ kind, ...request, verdict, message, differs: verdict === 'valid' ? differs : undefined });
  return lines.at(-1);
}

/** Adds a request with one mistake; answers null when it has no place for it. */
function mistaken(kind) {
  const request = validRequest(schema, random, new Map(), { introspection: 0, large: 0.02, ...kind.want });
  if (kind.apply?.({ request, places: placesOf(request), random, schema }) === false) return null;
  const tokens = tokensOf(request);
  if (kind.change?.(tokens, random) === false) return null;
  return add(kind.name, tokens, request, kind.differs);
}

const kinds = [...RULES, SUBSCRIPTION_DIRECTIVES, ...OPERATIONS, ...VALUES, ...SENT, ...SYNTAX];
for (const kind of kinds) {
  let [made, expected, tries] = [0, 0, 0];
  while (made < OF_EACH_KIND) {
    if (++tries > 10000) fail(`${kind.name}: no valid request has a place for it`);
    const line = mistaken(kind);
    if (!line) continue;
    made += 1;
    expected += kind.expects.includes(line.verdict) ? 1 : 0;
  }
  // Some requests have another mistake then, which is told first.
  if (expected < OF_EACH_KIND * 0.8) fail(`${kind.name}: another verdict than ${kind.expects} too often`, lines.slice(-OF_EACH_KIND));
}
for (let made = 0; made < VALID;) {
  const request = validRequest(schema, random, usage);
  const line = add('valid', tokensOf(request), request);
  if (line && line.verdict !== 'valid') fail('a valid request is refused', line);
  made += line ? 1 : 0;
}

// Whatever the schema has is in a valid request.
for (const type of Object.values(schema.getTypeMap())) {
  if (!graphql.isObjectType(type) || type.name.startsWith('__')) continue;
  for (const name of Object.keys(type.getFields())) if (!usage.has(`${type.name}.${name}`)) fail(`${type.name}.${name} is in no request`);
}

// The order of the lines is no order of kinds, so that a part of the file has some of each.
const mixed = random
  .shuffled(lines)
  .map((line) => JSON.stringify(line) + '\n')
  .join('');
writeFileSync(join(directory, 'schema.graphql'), text);
writeFileSync(join(directory, 'requests.jsonl.gz'), gzipSync(mixed, { level: 9 }));

const count = (of) => {
  const counts = new Map();
  for (const line of lines) counts.set(of(line), (counts.get(of(line)) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
};
console.log(`${VALID} valid requests, and ${kinds.length} kinds of mistakes with ${OF_EACH_KIND} requests of each.`);
for (const [verdict, number] of count(({ verdict }) => verdict)) console.log(`${String(number).padStart(6)} ${verdict}`);
