import { CombinedError } from '@urql/core';

/** Why a call failed, whichever way it was made. `code` is the API's, or one of the two of the browser. */
export interface Problem {
  code: string;
  message: string;
  requestId?: string;
  violations: Violation[];
  details: Details;
  /** Seconds until the same call may succeed. */
  retryAfter?: number;
  /** The change may have been made all the same. */
  isUncertain?: boolean;
}

export interface Violation {
  path: string;
  message: string;
}

interface Details {
  path?: string;
  scope?: string;
  reason?: string;
  /** What a login with a second factor goes on with. */
  challenge?: string;
  /** The second factors that it may go on with. */
  factors?: string[];
  credential?: string;
  resource?: string;
  used?: number;
  limit?: number;
  /** Some of those that links of both accounts of a transfer have. */
  externalIds?: string[];
  /** The failed checks of a service that is not ready. */
  failed?: string[];
  /** Where REST has them; GraphQL has them beside the details. */
  validationErrors?: Violation[];
}

interface Told {
  validationErrors?: Violation[];
  code?: string;
  message?: string;
  requestId?: string;
  details?: Details;
}

/** The service could not be reached. */
export const UNREACHABLE = 'UNREACHABLE';
/** The answer was not one of the service. */
export const UNREADABLE = 'UNREADABLE';

function problem(told: Told, headers?: Headers): Problem {
  const details = told.details ?? {};
  const seconds = Number(headers?.get('retry-after'));
  return {
    code: told.code ?? UNREADABLE,
    message: told.message ?? '',
    requestId: told.requestId ?? headers?.get('x-request-id') ?? undefined,
    violations: told.validationErrors ?? details.validationErrors ?? [],
    details,
    retryAfter: seconds > 0 ? seconds : undefined,
  };
}

/** Why one of several operations of a change failed, as its answer has it. */
export const problemOfPart = (told: { code: string; message: string; validationErrors: Violation[] }): Problem => problem(told);

export function problemOf(error: CombinedError): Problem {
  const headers: Headers | undefined = error.response?.headers;
  const first = error.graphQLErrors[0];
  if (first) return problem({ ...first.extensions, message: first.message }, headers);
  return error.response ? problem({}, headers) : problem({ code: UNREACHABLE });
}

/** The error in a plain route's answer. */
export async function problemOfResponse(response: Response): Promise<Problem> {
  const body = (await response.json().catch(() => ({}))) as { error?: Told; requestId?: string };
  return problem({ ...body.error, requestId: body.requestId }, response.headers);
}

export const unreachable = (): Problem => problem({ code: UNREACHABLE });
