import type { TypedDocumentString } from './generated/graphql.ts';

/**
 * Asks for what everybody may read, without a token: the client's calls wait while the session is over. Undefined: no answer.
 */
export async function askPublicly<Data>(document: TypedDocumentString<Data, Record<string, never>>): Promise<Data | undefined> {
  try {
    const response = await fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ query: document.toString() }),
    });
    const { data } = (await response.json()) as { data?: Data | null };
    return data ?? undefined;
  } catch {
    return undefined;
  }
}
