// Creates a link with each of the TypeScript clients: live.js ADDRESS KEY
import createClient from 'openapi-fetch';

import { CreateLinkDocument, type CreateLinkMutation } from './graphql/graphql';
import type { paths } from './openapi-typescript';
import { Configuration, LinksApi } from './typescript-fetch';

declare const process: { argv: string[]; exitCode: number };
declare const console: { error(text: unknown): void };

const [address, key] = process.argv.slice(2);
const destinationUrl = 'https://bücher.example/';
const stored = 'https://xn--bcher-kva.example/';
const headers = { authorization: `Bearer ${key}` };

async function openapiTypescript(): Promise<string> {
  const client = createClient<paths>({ baseUrl: address, headers });
  const { data, error } = await client.POST('/api/v1/links', { body: { destinationUrl } });
  if (error) throw new Error(error.error.message);
  return data.destinationUrl;
}

async function typescriptFetch(): Promise<string> {
  const links = new LinksApi(new Configuration({ basePath: address, accessToken: key }));
  const link = await links.v1CreateLink({ createLinkInput: { destinationUrl } });
  return link.destinationUrl;
}

async function graphqlCodegen(): Promise<string> {
  const answer = await fetch(`${address}/graphql`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ query: CreateLinkDocument.toString(), variables: { input: { destinationUrl } } }),
  });
  const { data, errors }: { data?: CreateLinkMutation; errors?: unknown } = await answer.json();
  if (!data) throw new Error(JSON.stringify(errors));
  return data.createLink.destinationUrl;
}

async function main() {
  for (const call of [openapiTypescript, typescriptFetch, graphqlCodegen]) {
    const url = await call();
    if (url !== stored) throw new Error(`${call.name}: ${url}`);
  }
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
