// Creates a link with each of the TypeScript clients: live.js ADDRESS KEY
import createClient from 'openapi-fetch';

import { address, key } from './address';
import { CreateLinkDocument, type CreateLinkMutation } from './graphql/graphql';
import { defaults, v1CreateLink as ofOazapfts } from './oazapfts';
import type { paths } from './openapi-typescript';
import { v1CreateLink as ofOrval } from './orval';
import { Configuration, LinksApi } from './typescript-fetch';

declare const process: { exitCode: number };
declare const console: { error(text: unknown): void };

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

async function orval(): Promise<string> {
  const { data } = await ofOrval({ destinationUrl }, { headers });
  if (!('destinationUrl' in data)) throw new Error(data.error.message);
  return data.destinationUrl;
}

async function oazapfts(): Promise<string> {
  Object.assign(defaults, { baseUrl: address, headers });
  const answer = await ofOazapfts({ destinationUrl });
  if (answer.status !== 201) throw new Error(`${answer.status}`);
  return answer.data.destinationUrl;
}

async function graphqlCodegen(): Promise<string> {
  const answer = await fetch(`${address}/graphql`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ query: CreateLinkDocument.toString(), variables: { input: { destinationUrl } } }),
  });
  const { data, errors }: { data?: CreateLinkMutation; errors?: unknown } = await answer.json();
  if (!data?.createLink) throw new Error(JSON.stringify(errors));
  return data.createLink.destinationUrl;
}

async function main() {
  for (const call of [openapiTypescript, typescriptFetch, orval, oazapfts, graphqlCodegen]) {
    const url = await call();
    if (url !== stored) throw new Error(`${call.name}: ${url}`);
  }
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
