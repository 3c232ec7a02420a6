// Checks that caches which keep each object by its type and id stay true: caches.mjs ADDRESS SCHEMA DOCUMENTS
// Apollo Client and urql watch lists and single objects, and make each mutation of the schema. What they show afterwards is what the service
// answers, without another request; where an answer can't have all that changed, with those requests that `again` names alone.
// DOCUMENTS are those of operations.mjs.
import { deepStrictEqual } from 'node:assert';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { buildSchema, isObjectType, isRequiredArgument, parse, print, TypeInfo, visit, visitWithTypeInfo } from 'graphql';

const WAIT_MS = 10_000;

const [address, schemaFile, documentsFile] = process.argv.slice(2);
/** A PNG of one pixel. */
const IMAGE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const url = `${address}/graphql`;
const schema = buildSchema(readFileSync(schemaFile, 'utf8'));
/** Types of the roots, of which there is one object each. */
const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
const types = new TypeInfo(schema);
const [{ selectionSet: { selections: [TYPENAME] } }] = parse('{ __typename }').definitions;
const fitting = {
  Field: {
    // Pages within objects would be of more values than a document may have.
    enter: () => (!roots.includes(types.getParentType()) && types.getFieldDef()?.args.length > 0 ? null : undefined),
    // Each object says its type.
    leave: ({ selectionSet: set, ...field }) => set && { ...field, selectionSet: { ...set, selections: [...set.selections, TYPENAME] } },
  },
};
/** Documents by the names of their root fields. */
const documents = new Map(
  visit(parse(readFileSync(documentsFile, 'utf8')), visitWithTypeInfo(types, fitting)).definitions.map((definition) => [
    definition.selectionSet.selections[0].name.value,
    { kind: 'Document', definitions: [definition] },
  ]),
);
const operationOf = (field) => documents.get(field).definitions[0].name.value;

/** Objects that have no id are part of the one that they are in. */
const withoutId = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type) && !roots.includes(type) && !type.getFields().id);

/** Mutations that are not made here, and why. */
const EXCEPTIONS = {
  register: 'a cache is that of one user, and begins empty',
  login: 'a cache is that of one user, and begins empty',
  forgotPassword: 'answers a message',
  resetPassword: 'answers a message, and ends all sessions',
  acceptInvitation: 'needs the mail to another user',
  updateMember: 'needs another member',
  removeMember: 'needs another member',
  leaveAccount: 'a cache is that of one account',
  switchAccount: 'a cache is that of one account, and begins empty',
  acceptTransfer: 'needs another account',
  sendVerification: 'answers a message',
  verifyEmail: 'answers a message',
  undoEmailChange: 'answers a message, and ends all sessions',
  startTotp: 'answers what is not kept',
  confirmTotp: 'answers what is not kept',
  removeTotp: 'answers a message',
  renewRecoveryCodes: 'answers what is not kept',
  confirmSecondFactor: 'a cache is that of one user, and begins empty',
  startPasskey: 'answers what is not kept',
  startPasskeyProof: 'answers what is not kept',
  startPasskeyLogin: 'answers what is not kept',
  loginWithPasskey: 'a cache is that of one user, and begins empty',
  addPasskey: 'needs an authenticator; as createApiKey',
  removePasskey: 'needs an authenticator; as endSession',
  confirmAccess: 'answers a token, and the user as it was',
  deleteMe: 'nothing is left to be shown',
  endOtherSessions: 'answers a number; as endSession',
  removeIdentity: 'needs an identity provider; as endSession',
  previewImport: 'answers what is not kept',
  startApiImport: 'needs another service to import from; as startImport',
  resolveLink: 'answers what is not kept, to an app',
  createCheckout: 'answers the address of a page of the payment provider',
  createBillingPortal: 'answers the address of a page of the payment provider',
};

/**
 * Of each mutation its variables, and the queries that are watched meanwhile. `again`: those that have to be fetched again, since something has
 * come or gone, or a session has. `isMoving`: the service goes on with it by itself, so that what is watched is compared with the mutation's answer.
 * `its` are the ids of what there is; `kept` adds to them. They are made in this order.
 */
const CASES = {
  updateMe: () => ({ variables: { input: { name: 'Grace' } }, watched: { me: {} } }),
  endSession: (its) => ({ variables: { id: its.session }, watched: { sessions: {} }, again: ['sessions'] }),

  updateAccount: () => ({ variables: { input: { name: 'Engines' } }, watched: { account: {}, me: {} } }),
  inviteMember: () => ({
    variables: { input: { email: 'grace@example.com', role: 'MEMBER' } },
    watched: { invitations: {} },
    again: ['invitations'],
    kept: ({ id }) => ({ invitation: id }),
  }),
  revokeInvitation: (its) => ({ variables: { id: its.invitation }, watched: { invitations: {} }, again: ['invitations'] }),

  createTag: () => ({ variables: { input: { name: 'spring' } }, watched: { tags: {} }, again: ['tags'], kept: ({ id }) => ({ tag: id }) }),
  createLink: () => ({
    variables: { input: { destinationUrl: 'https://example.com/', tags: ['spring', 'summer'] } },
    watched: { links: {} },
    again: ['links'],
    kept: ({ id }) => ({ link: id }),
  }),
  offerTransfer: (its) => ({
    variables: { input: { toAccountId: its.partner, linkIds: [its.link] } },
    watched: { transfers: {} },
    again: ['transfers'],
    kept: ({ id }) => ({ transfer: id }),
  }),
  createLinks: () => ({
    variables: { input: { links: [{ destinationUrl: 'https://example.com/two' }, { destinationUrl: 'https://example.com/three' }] } },
    watched: { links: {} },
    again: ['links'],
    kept: ({ results }) => ({ others: results.map(({ link }) => link.id) }),
  }),
  updateLink: (its) => ({
    variables: { id: its.link, input: { title: 'New', isActive: false, tags: ['autumn'], utm: { source: 'mail' } } },
    watched: { links: {}, link: { id: its.link } },
  }),
  updateLinks: (its) => ({
    variables: { input: { ids: [its.link, ...its.others], change: { notes: 'Poster', maxClicks: 7 } } },
    watched: { links: {}, link: { id: its.others[0] } },
  }),
  setLinkRules: (its) => ({
    variables: {
      linkId: its.link,
      input: {
        rules: [{ name: 'Phones', conditions: [{ kind: 'DEVICE', values: ['MOBILE'] }], destinationUrl: 'https://example.com/phones' }],
      },
    },
    watched: { linkRules: { linkId: its.link } },
  }),
  setLinkSplit: (its) => ({
    variables: {
      linkId: its.link,
      input: { parts: [{ destinationUrl: 'https://example.com/a', weight: 1 }, { destinationUrl: 'https://example.com/b', weight: 2 }] },
    },
    watched: { linkSplit: { linkId: its.link } },
  }),
  updateTag: (its) => ({ variables: { id: its.tag, input: { name: 'Spring' } }, watched: { tags: {}, tag: { id: its.tag } } }),
  mergeTag: (its) => ({
    variables: { id: its.autumn, input: { into: its.tag } },
    watched: { tags: {}, tag: { id: its.tag } },
    again: ['tags'],
  }),

  createUtmTemplate: () => ({
    variables: { input: { name: 'Mail', source: 'mail' } },
    watched: { utmTemplates: {} },
    again: ['utmTemplates'],
    kept: ({ id }) => ({ template: id }),
  }),
  updateUtmTemplate: (its) => ({
    variables: { id: its.template, input: { name: 'Letter', source: null, medium: 'paper' } },
    watched: { utmTemplates: {}, utmTemplate: { id: its.template } },
  }),

  createAnnotation: () => ({
    variables: { input: { occurredAt: '2026-11-24T07:00:00.000Z', text: 'Mail sent' } },
    watched: { annotations: {} },
    again: ['annotations'],
    kept: ({ id }) => ({ annotation: id }),
  }),
  updateAnnotation: (its) => ({
    variables: { id: its.annotation, input: { text: 'Letter sent' } },
    watched: { annotations: {}, annotation: { id: its.annotation } },
  }),

  createReport: () => ({
    variables: { input: { name: 'Spring' } },
    watched: { reports: {} },
    again: ['reports'],
    kept: ({ id }) => ({ report: id }),
  }),
  updateReport: (its) => ({
    variables: { id: its.report, input: { name: 'Summer' } },
    watched: { reports: {}, report: { id: its.report } },
  }),

  uploadImage: () => ({
    variables: { input: { content: IMAGE } },
    watched: { images: {} },
    again: ['images'],
    kept: ({ id }) => ({ image: id }),
  }),

  startImport: () => ({
    variables: { input: { source: 'TABLE', isDryRun: true } },
    watched: { imports: {} },
    again: ['imports'],
    kept: ({ id }) => ({ import: id }),
  }),
  appendImport: (its) => ({
    variables: { id: its.import, input: { number: 1, data: 'url\nhttps://example.com/four\n' } },
    watched: { imports: {}, import: { id: its.import } },
    isSame: true,
  }),
  cancelImport: (its) => ({ variables: { id: its.import }, watched: { imports: {}, import: { id: its.import } } }),

  createDomain: (its) => ({
    variables: { input: { domain: its.domainName } },
    watched: { domains: {} },
    again: ['domains'],
    kept: ({ id }) => ({ domain: id }),
  }),
  verifyDomain: (its) => ({ variables: { id: its.domain }, watched: { domains: {}, domain: { id: its.domain } } }),
  updateDomain: (its) => ({
    variables: { id: its.domain, input: { rootUrl: 'https://example.com/', ignoresCase: true, defaultTags: ['spring'] } },
    watched: { domains: {}, domain: { id: its.domain } },
  }),
  claimSubdomain: (its) => ({ variables: { input: { subdomain: its.subdomain } }, watched: { subdomain: {} }, again: ['subdomain'] }),
  activateSubdomain: () => ({ variables: {}, watched: { subdomain: {} } }),
  updateSubdomain: () => ({ variables: { input: { notFoundUrl: 'https://example.com/lost' } }, watched: { subdomain: {} } }),

  setHostPages: (its) => ({
    variables: {
      host: its.domainName,
      input: { accentColor: '#1d3557', texts: [{ page: 'NOT_FOUND', language: 'en', title: 'Nothing here' }] },
    },
    watched: { hostPages: { host: its.domainName } },
    again: ['hostPages'],
  }),
  setHostApps: (its) => ({
    variables: { host: its.domainName, input: { iosApps: [{ appId: 'ABCDE12345.com.example.app' }] } },
    watched: { hostApps: { host: its.domainName } },
    again: ['hostApps'],
  }),
  createPublishableKey: () => ({
    variables: { input: { name: 'Acme', hosts: [new URL(address).hostname] } },
    watched: { publishableKeys: {} },
    again: ['publishableKeys'],
    kept: ({ id }) => ({ publishableKey: id }),
  }),
  updatePublishableKey: (its) => ({
    variables: { id: its.publishableKey, input: { name: 'Acme for Android' } },
    watched: { publishableKeys: {}, publishableKey: { id: its.publishableKey } },
  }),

  createWebhook: () => ({
    variables: { input: { name: 'CRM', url: 'https://hooks.example.com/', events: ['domain.failing'] } },
    watched: { webhooks: {} },
    again: ['webhooks'],
    kept: ({ webhook }) => ({ webhook: webhook.id }),
  }),
  updateWebhook: (its) => ({
    variables: { id: its.webhook, input: { name: 'Shop', events: ['link.deleted', 'link.expired'], excludeBots: true } },
    watched: { webhooks: {}, webhook: { id: its.webhook } },
  }),
  rotateWebhookSecret: (its) => ({ variables: { id: its.webhook }, watched: { webhooks: {}, webhook: { id: its.webhook } } }),
  createApiKey: () => ({
    variables: { input: { name: 'CI', scopes: ['links:read'] } },
    watched: { apiKeys: {} },
    again: ['apiKeys'],
    kept: ({ apiKey }) => ({ apiKey: apiKey.id }),
  }),
};

/** Of these, too, once all queries were read: something goes, or the service goes on with it. */
const ENDS = {
  testWebhook: (its) => ({
    variables: { id: its.webhook },
    watched: { webhookDeliveries: { webhookId: its.webhook } },
    again: ['webhookDeliveries'],
    isMoving: true,
    kept: ({ id }) => ({ delivery: id }),
  }),
  redeliver: (its) => ({
    variables: { webhookId: its.webhook, deliveryId: its.delivery },
    watched: { webhookDeliveries: { webhookId: its.webhook } },
    isMoving: true,
  }),
  revokeApiKey: (its) => ({ variables: { id: its.apiKey }, watched: { apiKeys: {} }, again: ['apiKeys'] }),
  deleteWebhook: (its) => ({ variables: { id: its.webhook }, watched: { webhooks: {} }, again: ['webhooks'] }),
  releaseSubdomain: () => ({ variables: {}, watched: { subdomain: {} }, again: ['subdomain'] }),
  deleteDomain: (its) => ({ variables: { id: its.domain }, watched: { domains: {} }, again: ['domains'] }),
  deletePublishableKey: (its) => ({
    variables: { id: its.publishableKey },
    watched: { publishableKeys: {} },
    again: ['publishableKeys'],
  }),
  deleteReport: (its) => ({ variables: { id: its.report }, watched: { reports: {} }, again: ['reports'] }),
  deleteAnnotation: (its) => ({ variables: { id: its.annotation }, watched: { annotations: {} }, again: ['annotations'] }),
  deleteImage: (its) => ({ variables: { id: its.image }, watched: { images: {} }, again: ['images'] }),
  deleteUtmTemplate: (its) => ({ variables: { id: its.template }, watched: { utmTemplates: {} }, again: ['utmTemplates'] }),
  deleteTag: (its) => ({ variables: { id: its.tag }, watched: { tags: {} }, again: ['tags'] }),
  deleteTransfer: (its) => ({ variables: { id: its.transfer }, watched: { transfers: {} }, again: ['transfers'] }),
  deleteLink: (its) => ({ variables: { id: its.link }, watched: { links: {} }, again: ['links'] }),
  deleteLinks: (its) => ({ variables: { input: { ids: its.others } }, watched: { links: {} }, again: ['links'] }),
};

/** The arguments of queries that need some. */
const ARGUMENTS = {
  link: (its) => ({ id: its.link }),
  member: (its) => ({ id: its.user }),
  transfer: (its) => ({ id: its.transfer }),
  linkRules: (its) => ({ linkId: its.link }),
  linkSplit: (its) => ({ linkId: its.link }),
  explainRedirect: (its) => ({ linkId: its.link, input: {} }),
  rehearseRules: (its) => ({ linkId: its.link, input: { rules: [] } }),
  rehearseLink: (its) => ({ linkId: its.link, input: { isActive: false } }),
  splitReport: (its) => ({ linkId: its.link }),
  qrCode: (its) => ({ linkId: its.link }),
  slugAvailability: () => ({ slug: 'of-nobody' }),
  fetchMetadata: () => ({ url: address }),
  tag: (its) => ({ id: its.tag }),
  utmTemplate: (its) => ({ id: its.template }),
  annotation: (its) => ({ id: its.annotation }),
  report: (its) => ({ id: its.report }),
  hostApps: (its) => ({ host: its.domainName }),
  hostPages: (its) => ({ host: its.domainName }),
  publishableKey: (its) => ({ id: its.publishableKey }),
  import: (its) => ({ id: its.import }),
  importErrors: (its) => ({ importId: its.import }),
  importRows: (its) => ({ importId: its.import }),
  domain: (its) => ({ id: its.domain }),
  clicks: (its) => ({ linkId: its.link }),
  clickSummary: (its) => ({ linkId: its.link }),
  clickBreakdown: () => ({ dimension: 'COUNTRY' }),
  webhook: (its) => ({ id: its.webhook }),
  webhookDeliveries: (its) => ({ webhookId: its.webhook }),
  apiKey: (its) => ({ id: its.apiKey }),
};

async function post(path, body, token) {
  // Sessions are those of browsers.
  const headers = { 'content-type': 'application/json', 'x-linkgraph': '1', ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(address + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** The operations that a client sent, by their names. */
function transport(token) {
  const sent = [];
  const send = (input, init) => {
    sent.push(JSON.parse(init.body).operationName);
    return fetch(input, init);
  };
  return { sent, send, headers: { authorization: `Bearer ${token}` } };
}

/**
 * A client with an empty cache. `watch` answers an object whose `data` is what is shown of a query now; `query` asks the service, and `kept`
 * the cache alone.
 */
const CLIENTS = {
  apollo(token) {
    const { sent, send, headers } = transport(token);
    const client = new ApolloClient({ link: new HttpLink({ uri: url, headers, fetch: send }), cache: new InMemoryCache() });
    return {
      sent,
      watch(field, variables) {
        const shown = {};
        client.watchQuery({ query: documents.get(field), variables }).subscribe(({ data }) => Object.assign(shown, { data }));
        return shown;
      },
      async mutate(field, variables, again) {
        return (await client.mutate({ mutation: documents.get(field), variables, refetchQueries: again.map(operationOf) })).data[field];
      },
      query: async (field, variables) => (await client.query({ query: documents.get(field), variables, fetchPolicy: 'network-only' })).data,
      kept: async (field, variables) => client.readQuery({ query: documents.get(field), variables }),
      end: () => client.stop(),
    };
  },

  urql(token) {
    const { sent, send, headers } = transport(token);
    const keys = Object.fromEntries(withoutId.map(({ name }) => [name, () => null]));
    const again = new Set();
    // What changes the root of queries, for each mutation that has to.
    const updated = (_answer, _variables, cache) => {
      for (const { fieldName, arguments: given } of cache.inspectFields('Query')) if (again.has(fieldName)) cache.invalidate('Query', fieldName, given);
    };
    const updates = { Mutation: Object.fromEntries(Object.keys(schema.getMutationType().getFields()).map((field) => [field, updated])) };
    const client = new Client({
      url,
      exchanges: [cacheExchange({ keys, updates }), fetchExchange],
      fetch: send,
      fetchOptions: { headers },
      preferGetMethod: false,
    });
    const watching = [];
    const dataOf = ({ data, error }) => {
      if (error) throw error;
      return data;
    };
    return {
      sent,
      watch(field, variables) {
        const shown = {};
        watching.push(client.query(documents.get(field), variables).subscribe(({ data }) => Object.assign(shown, { data })));
        return shown;
      },
      async mutate(field, variables, fields) {
        for (const each of fields) again.add(each);
        return dataOf(await client.mutation(documents.get(field), variables).toPromise())[field];
      },
      query: async (field, variables) => dataOf(await client.query(documents.get(field), variables, { requestPolicy: 'network-only' }).toPromise()),
      kept: async (field, variables) => dataOf(await client.query(documents.get(field), variables, { requestPolicy: 'cache-only' }).toPromise()),
      end: () => watching.forEach(({ unsubscribe }) => unsubscribe()),
    };
  },
};

/** An answer without the names of types, of which clients may have one more. */
const plain = (value) => JSON.parse(JSON.stringify(value ?? null, (name, each) => (name === '__typename' ? undefined : each)));

async function asked(field, variables, token) {
  const query = print(documents.get(field));
  const { data, errors } = await post('/graphql', { query, variables }, token);
  if (errors) throw new Error(`${field}: ${JSON.stringify(errors)}`);
  return data;
}

async function eventually(holds, what) {
  const end = Date.now() + WAIT_MS;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(what());
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** All objects in it that have an id, each as `Type:id`. */
function identified(value, found = new Map()) {
  if (Array.isArray(value)) value.forEach((each) => identified(each, found));
  else if (value && typeof value === 'object') {
    if (value.__typename && value.id) found.set(`${value.__typename}:${value.id}`, value);
    Object.values(value).forEach((each) => identified(each, found));
  }
  return found;
}

/** Whether what is shown has the object that a mutation answers, and as it answers it, unless it was fetched since. */
function hasObject(shown, answer, wasFetched) {
  const there = identified(shown).get(`${answer.__typename}:${answer.id}`);
  return there !== undefined && (wasFetched || isDeepStrictEqual(plain(there), plain(answer)));
}

async function examine(make, field, { variables, watched, again = [], isSame, isMoving }, token) {
  const client = make(token);
  const views = Object.entries(watched).map(([query, its]) => ({ query, its, shown: client.watch(query, its) }));
  await eventually(() => views.every(({ shown }) => shown.data), () => `${field}: nothing is shown of ${Object.keys(watched)}`);
  const before = views.map(({ shown }) => plain(shown.data));
  client.sent.length = 0;
  const answer = await client.mutate(field, variables, again);
  for (const [at, { query, its, shown }] of views.entries()) {
    const wanted = isMoving ? undefined : plain(await asked(query, its, token));
    const isTrue = () => (isMoving ? hasObject(shown.data, answer, again.includes(query)) : isDeepStrictEqual(plain(shown.data), wanted));
    await eventually(isTrue, () => `${field}: ${query} shows ${JSON.stringify(plain(shown.data))}, not ${JSON.stringify(wanted ?? answer)}`);
    if (!isSame && !isMoving && isDeepStrictEqual(before[at], wanted)) throw new Error(`${field} changes nothing of ${query}`);
  }
  deepStrictEqual(client.sent.toSorted(), [field, ...again].map(operationOf).toSorted(), `${field}: what was sent`);
  client.end();
  return answer;
}

/** What a cache has read of all queries it still has: no object took another's place. */
async function readAll(make, its, token) {
  const client = make(token);
  const all = [];
  for (const [field, { args }] of Object.entries(schema.getQueryType().getFields())) {
    if (args.some(isRequiredArgument) && !ARGUMENTS[field]) throw new Error(`the query ${field} needs arguments: name them`);
    const variables = ARGUMENTS[field]?.(its) ?? {};
    all.push({ field, variables, answer: await client.query(field, variables) });
  }
  for (const { field, variables, answer } of all) deepStrictEqual(plain(await client.kept(field, variables)), plain(answer), `${field}, as it is kept`);
  client.end();
  return identified(all.map(({ answer }) => answer)).size;
}

async function main() {
  const mutations = Object.keys(schema.getMutationType().getFields());
  const named = [EXCEPTIONS, CASES, ENDS].flatMap(Object.keys);
  deepStrictEqual(named.toSorted(), mutations.toSorted(), 'each mutation is a case or an exception');

  async function check([name, make]) {
    const person = { email: `${name}@example.com`, password: 'correct horse battery' };
    const { accessToken: token } = await post('/auth/register', { ...person, name });
    await post('/auth/session', person);
    const { sessions } = (await asked('sessions', {}, token)).sessions;
    const { id: autumn } = await post('/tags', { name: 'autumn' }, token);
    const { id: user } = (await asked('me', {}, token)).me;
    const { user: partner } = await post('/auth/register', { ...person, email: `to-${name}@example.com`, name: 'partner' });
    const its = { user, partner: partner.account.id, domainName: `${name}.example.com`, subdomain: name, session: sessions[0].id, autumn };
    const go = async (cases) => {
      for (const [field, made] of Object.entries(cases)) {
        const { kept, ...rest } = made(its);
        const answer = await examine(make, field, rest, token).catch((error) => {
          throw new Error(`${name}, ${field}`, { cause: error });
        });
        Object.assign(its, kept?.(answer));
      }
    };
    await go(CASES);
    const count = await readAll(make, its, token);
    await go(ENDS);
    console.log(`${name}: its cache stays true after ${named.length - Object.keys(EXCEPTIONS).length} mutations, and keeps ${count} objects apart`);
  }
  await Promise.all(Object.entries(CLIENTS).map(check));
}

await main();
