import type { CodegenConfig } from '@graphql-codegen/cli';

const config: CodegenConfig = {
  schema: '../schema.graphql',
  documents: ['src/**/*.{ts,tsx,graphql}', '!src/api/generated/**'],
  ignoreNoDocuments: true,
  generates: {
    'src/api/generated/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        documentMode: 'string',
        enumsAsTypes: true,
        // `src/api/client.ts` keeps nothing of an answer with an error: what is `@semanticNonNull` is there.
        nullability: { errorHandlingClient: true },
        onlyOperationTypes: true,
        skipTypename: true,
        useTypeImports: true,
        scalars: { DateTime: 'string', TimeZone: 'string', ID: 'string' },
      },
    },
  },
};

export default config;
