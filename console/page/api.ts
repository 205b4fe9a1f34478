// How the page asks the server. A refusal is an Error with the server's words, which say what to do.

import { useEffect, useState } from 'preact/hooks';
import { localeNow, t } from '../../shared/texts/text.ts';
import type { Problem } from '../processes/processes-view.ts';
import { useReading } from './readings.ts';

/** The session has ended: the page shows the sign-in. */
export const SIGNED_OUT = 'lockerflow-signed-out';

/** Something was asked for that may have changed what is on the screen. */
export const CHANGED = 'lockerflow-changed';

export class RequestError extends Error {
  override readonly name = 'RequestError';
  /** 0: the server did not answer. */
  readonly status: number;
  readonly error: string;
  readonly fields: Readonly<Record<string, string>>;

  constructor(status: number, error: string, message: string, fields: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.error = error;
    this.fields = fields;
  }
}

/** Throws RequestError. */
export const getJson = <Answer>(path: string): Promise<Answer> => asked<Answer>(path, {});

/** Throws RequestError. */
export const postJson = <Answer>(path: string, body?: unknown): Promise<Answer> =>
  postQuietly<Answer>(path, body).finally(() => dispatchEvent(new Event(CHANGED)));

/** The same where many follow each other: the page does not ask anew after each. Throws RequestError. */
export const postQuietly = <Answer>(
  path: string,
  body: unknown = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> =>
  asked<Answer>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** With this id once, however often it is sent. Throws RequestError. */
export const postOnce = <Answer>(path: string, body: unknown, id: string): Promise<Answer> =>
  postQuietly<Answer>(path, body, { 'idempotency-key': id }).finally(() => dispatchEvent(new Event(CHANGED)));

async function asked<Answer>(path: string, request: RequestInit): Promise<Answer> {
  let answer: Response;
  const headers = { ...request.headers, 'accept-language': localeNow() };
  try {
    answer = await fetch(path, { ...request, headers });
  } catch {
    throw new RequestError(0, 'NoAnswer', t`The console does not answer. Try again.`);
  }
  const body: unknown = await answer.json().catch(() => null);
  if (answer.ok) return body as Answer;
  const {
    code = 'Failed',
    detail = t`The console answered ${answer.status}. Try again.`,
    errors = [],
  } = (body ?? {}) as Partial<Problem>;
  const fields = Object.fromEntries(errors.map((each) => [each.field, each.message]));
  const refusal = new RequestError(answer.status, code, detail, fields);
  if (answer.status === 401 && refusal.error === 'NotSignedIn') dispatchEvent(new Event(SIGNED_OUT));
  throw refusal;
}

export const requestErrorOf = (error: unknown): RequestError =>
  error instanceof RequestError
    ? error
    : new RequestError(0, 'Failed', error instanceof Error ? error.message : String(error));

export interface QueryResult<Answer> {
  readonly data: Answer | undefined;
  readonly refusal: RequestError | undefined;
}

// Who does not answer now may answer soon.
const AGAIN_MS = 2_000;
/** It was right to ask: that nothing was read is no fault of the request. */
const hasFailed = ({ status }: RequestError): boolean => status === 0 || status === 429 || status >= 500;
const isAway = ({ status }: RequestError): boolean => status === 0 || status === 503;

/**
 * Asks once for each path; undefined asks for nothing. When something does not answer, it asks again by itself. For what
 * changes while one looks, see live.ts.
 * @param of what the answer depends on beside the path: with another, it asks again
 */
export function useJson<Answer>(path: string | undefined, of?: string | null): QueryResult<Answer> {
  const [state, setState] = useState<{ path?: string; data?: Answer; refusal?: RequestError }>({});
  useEffect(() => {
    if (path === undefined) return undefined;
    let isWanted = true;
    let waiting: number | undefined;
    const ask = () =>
      getJson<Answer>(path).then(
        (data) => isWanted && setState({ path, data }),
        (error) => {
          if (!isWanted) return;
          const refusal = requestErrorOf(error);
          // What was seen last stays on the screen.
          setState((before) => ({ ...(before.path === path && before), path, refusal }));
          if (isAway(refusal)) waiting = window.setTimeout(ask, AGAIN_MS);
        },
      );
    void ask();
    return () => {
      isWanted = false;
      clearTimeout(waiting);
    };
  }, [path, of]);
  const { data, refusal } = state.path === path ? state : {};
  useReading(
    path === undefined
      ? undefined
      : {
          isLive: false,
          isKnown: data !== undefined || refusal !== undefined,
          refusal: refusal && hasFailed(refusal) ? refusal : undefined,
        },
  );
  return { data, refusal };
}

/** For a button that asks the server to do something. */
interface Submission<Input> {
  readonly isBusy: boolean;
  readonly refusal: RequestError | undefined;
  readonly run: (...input: unknown extends Input ? [] : [Input]) => void;
}

export function useSubmission<Input, Answer>(
  act: (input: Input) => Promise<Answer>,
  done: (answer: Answer) => void,
): Submission<Input> {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<RequestError>();
  const run = (...[input]: readonly unknown[]) => {
    if (isBusy) return;
    setBusy(true);
    setRefusal(undefined);
    act(input as Input)
      .then(done, (error) => setRefusal(requestErrorOf(error)))
      .finally(() => setBusy(false));
  };
  return { isBusy, refusal, run };
}
