// Creates imports. A file is sent part by part, which goes on while other pages are open.
import { signal } from '@preact/signals';
import { mutate } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import type { StartApiImportInput, StartImportInput } from '../api/generated/graphql.ts';
import type { Problem } from '../api/problem.ts';
import { backoff, waitFor } from '../api/service.ts';
import type { Encoding } from './encoding.ts';
import { fileProblem, isShort, type Part, partsOf, unreadable } from './file.ts';

const START = graphql(`
  mutation StartImport($input: StartImportInput!) {
    startImport(input: $input) {
      id
    }
  }
`);

const START_API = graphql(`
  mutation StartApiImport($input: StartApiImportInput!) {
    startApiImport(input: $input) {
      id
    }
  }
`);

const APPEND = graphql(`
  mutation AppendImport($id: ID!, $input: AppendImportInput!) {
    appendImport(id: $id, input: $input) {
      id
    }
  }
`);

const CANCEL = graphql(`
  mutation CancelImport($id: ID!) {
    cancelImport(id: $id) {
      id
    }
  }
`);

type FileOrigin = Pick<StartImportInput, 'source' | 'domain' | 'password' | 'columns' | 'dateFormat'> & { file: File; encoding: Encoding };
type ApiOrigin = Omit<StartApiImportInput, 'isDryRun'>;
/** Where links come from: a file, or an API with its key. */
export type Origin = FileOrigin | ApiOrigin;

/** By the ids of the imports that this page began, until it is loaded anew. */
const origins = new Map<string, Origin>();
export const originOf = (id: string): Origin | undefined => origins.get(id);

interface Sending {
  sent: number;
  size: number;
  /** The last part may not be there, and is sent again. */
  isHeld?: boolean;
  /** Nothing more is sent. */
  problem?: Problem;
}

/** Files that are on their way, by the ids of their imports. */
export const sendings = signal<ReadonlyMap<string, Sending>>(new Map());

function note(id: string, sending: Sending | undefined): void {
  const next = new Map(sendings.value);
  if (sending) next.set(id, sending);
  else next.delete(id);
  sendings.value = next;
}

/** Whether more of a file is sent. */
export const isGoingOn = (sending: Sending | undefined): boolean => sending !== undefined && !sending.problem;

// The rest of a file goes with the page.
addEventListener('beforeunload', (event) => {
  if ([...sendings.value.values()].some(isGoingOn)) event.preventDefault();
});

/** Sends one part until it is there. The service takes the same part twice, so that a lost answer does no harm. */
async function sendPart(id: string, file: File, number: number, { text, end }: Part): Promise<Problem | undefined> {
  for (let tries = 0; ; tries += 1) {
    const { problem } = await mutate(APPEND, { id, input: { number, data: text, isLast: end === file.size } });
    const isTriedAgain = problem && (problem.isUncertain || problem.code === 'RATE_LIMITED');
    if (!isTriedAgain || !sendings.value.has(id)) return problem;
    note(id, { ...sendings.value.get(id)!, isHeld: true });
    await waitFor(problem.retryAfter ? problem.retryAfter * 1000 : backoff(tries));
    if (!sendings.value.has(id)) return undefined;
  }
}

async function sendFile(id: string, file: File, encoding: Encoding): Promise<void> {
  const size = file.size;
  note(id, { sent: 0, size });
  let number = 0;
  let sent = 0;
  try {
    for await (const part of partsOf(file, encoding)) {
      number += 1;
      const problem = await sendPart(id, file, number, part);
      // It was stopped meanwhile.
      if (!sendings.value.has(id)) return;
      if (problem) {
        note(id, { sent, size, problem });
        return;
      }
      sent = part.end;
      note(id, { sent, size });
    }
    note(id, undefined);
  } catch (error) {
    note(id, { sent, size, problem: fileProblem(unreadable(error)) });
  }
}

type Begun = { id: string; problem?: undefined } | { id?: undefined; problem: Problem };

async function beginFile({ file, ...input }: FileOrigin, isDryRun: boolean): Promise<Begun> {
  const isWhole = isShort(file, input.encoding);
  let whole: string | null = null;
  try {
    if (isWhole) for await (const { text } of partsOf(file, input.encoding)) whole = text;
  } catch (error) {
    return { problem: fileProblem(unreadable(error)) };
  }
  const { data, problem } = await mutate(START, { input: { ...input, isDryRun, data: whole } });
  if (problem) return { problem };
  const { id } = data.startImport;
  if (!isWhole) void sendFile(id, file, input.encoding);
  return { id };
}

async function beginApi(origin: ApiOrigin, isDryRun: boolean): Promise<Begun> {
  const { data, problem } = await mutate(START_API, { input: { ...origin, isDryRun } });
  return problem ? { problem } : { id: data.startApiImport.id };
}

/** Begins an import; a long file is sent by itself from then on. */
export async function begin(origin: Origin, isDryRun: boolean): Promise<Begun> {
  const begun = await ('file' in origin ? beginFile(origin, isDryRun) : beginApi(origin, isDryRun));
  if (begun.id) origins.set(begun.id, origin);
  return begun;
}

/** Ends an import. */
export async function stop(id: string): Promise<Problem | undefined> {
  const { problem } = await mutate(CANCEL, { id });
  if (!problem) note(id, undefined);
  return problem;
}
