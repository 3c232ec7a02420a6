// Passkeys, as the browser has them. The service asks for them in JSON, and gets what the browser answered as JSON.
import { problemOfResponse, type Problem, unreachable } from '../api/problem.ts';

/** What the service asks the browser for. */
interface Asked {
  /** Goes back with the answer. */
  challenge: string;
  options: string;
}

/** What the service takes. */
export interface Answered {
  challenge: string;
  credential: string;
}

/** The browser gave none: its user did not want to, or took too long. */
export const NO_PASSKEY = 'NO_PASSKEY';
/** There is one for this user already. */
export const PASSKEY_KNOWN = 'PASSKEY_KNOWN';

/** False where there is no TLS, and in browsers of before 2025, which can't read the service's JSON. */
export const takesPasskeys = 'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

type Given = { answer: Answered; problem?: undefined } | { answer?: undefined; problem: Problem };

async function given({ challenge }: Asked, ask: () => Promise<Credential | null>): Promise<Given> {
  try {
    return { answer: { challenge, credential: JSON.stringify(await ask()) } };
  } catch (error) {
    const code = (error as DOMException).name === 'InvalidStateError' ? PASSKEY_KNOWN : NO_PASSKEY;
    return { problem: { code, message: '', violations: [], details: {} } };
  }
}

/** Asks for a new passkey. */
export const createPasskey = (asked: Asked): Promise<Given> =>
  given(asked, () =>
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(asked.options) as PublicKeyCredentialCreationOptionsJSON),
    }),
  );

/** Asks for a passkey that there is. */
export const getPasskey = (asked: Asked): Promise<Given> =>
  given(asked, () =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(asked.options) as PublicKeyCredentialRequestOptionsJSON),
    }),
  );

/** Asks for the passkey of a login. `challenge`: that of its first step; null: the passkey says whose login it is. */
export async function getLoginPasskey(challenge: string | null): Promise<Given> {
  try {
    const body = JSON.stringify({ challenge });
    const response = await fetch('/auth/passkey/start', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return response.ok ? await getPasskey((await response.json()) as Asked) : { problem: await problemOfResponse(response) };
  } catch {
    return { problem: unreachable() };
  }
}
