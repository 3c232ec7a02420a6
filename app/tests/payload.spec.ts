// The page of a webhook selects the payload of a delivery field by field: the selection has all fields of an event.
import { readFileSync } from 'node:fs';
import { buildSchema, isLeafType, isObjectType, isUnionType, Kind, parse, TypeInfo, visit, visitWithTypeInfo, getNamedType } from 'graphql';
import { expect, test } from './fixtures.ts';

const read = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8');

test('the payload of a delivery is asked for as a whole', () => {
  const schema = buildSchema(read('../../schema.graphql'));
  /** The fields of each type that are asked for, in their order. */
  const asked: Record<string, Set<string>> = {};
  const types = new TypeInfo(schema);
  visit(
    parse(read('../src/developers/payload.graphql')),
    visitWithTypeInfo(types, {
      [Kind.FIELD]: ({ name }) => {
        const [of, type] = [types.getParentType()!.name, getNamedType(types.getType())];
        const names = (asked[of] ??= new Set());
        if (type && isLeafType(type)) names.add(name.value);
      },
    }),
  );
  const events = schema.getType('EventPayload');
  const sent = isUnionType(events) ? events.getTypes().map(({ name }) => name) : [];
  expect(sent.length).toBeGreaterThan(0);
  expect(Object.keys(asked)).toEqual(expect.arrayContaining(sent));
  for (const [name, fields] of Object.entries(asked)) {
    const type = schema.getType(name);
    const all = isObjectType(type) ? Object.values(type.getFields()) : [];
    expect([...fields], name).toEqual(all.filter((field) => isLeafType(getNamedType(field.type))).map((field) => field.name));
  }
});
