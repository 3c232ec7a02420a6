// What urql needs to know of documents: build.mjs puts this in the place of a parser and printer of GraphQL.
export const Kind = {
  NAME: 'Name',
  DOCUMENT: 'Document',
  OPERATION_DEFINITION: 'OperationDefinition',
  FRAGMENT_DEFINITION: 'FragmentDefinition',
  FIELD: 'Field',
};

/** The text begins with its operation. */
export function parse(text: string) {
  const [, operation, name] = /^(\w+) (\w+)/.exec(text)!;
  return {
    kind: Kind.DOCUMENT,
    definitions: [{ kind: Kind.OPERATION_DEFINITION, operation, name: { kind: Kind.NAME, value: name } }],
    text,
  };
}

export const print = ({ text }: ReturnType<typeof parse>): string => text;

/** An error in an answer. */
export class GraphQLError extends Error {
  constructor(
    message: string,
    readonly nodes?: unknown,
    readonly source?: unknown,
    readonly positions?: unknown,
    readonly path?: readonly (string | number)[],
    readonly originalError?: unknown,
    readonly extensions: Record<string, unknown> = {},
  ) {
    super(message);
    this.name = 'GraphQLError';
  }
}
