// One attempt to deliver one callback: one POST, and the meaning of its answer. Any 2xx accepts the callback; any other
// answer, also a redirect, does not (assumptions: Callbacks). judgeAttempt decides about the next attempt.
import { type Dispatcher, request } from 'undici';
import { retryAfterMs } from '../../../shared/limits/retry-after.ts';

interface Attempt {
  readonly url: string;
  /** The headers that authenticate it. An error in making them is a failure of this attempt. */
  readonly signed: () => Readonly<Record<string, string>>;
  readonly body: string;
}

export type AttemptResult = { readonly milliseconds: number } & (
  | { readonly accepted: true; readonly status: number }
  | {
      readonly accepted: false;
      readonly status: number | null;
      readonly error: string;
      /** Whether the failure is about the whole receiver (unreachable, overloaded), or about this one callback. */
      readonly ofReceiver: boolean;
      readonly retryAfterMs: number | null;
    }
);

// Only the status of the answer counts. So much of the body is read to keep the connection.
const ANSWER_LIMIT_BYTES = 65_536;
// A slow body after the status must not block the place of another callback.
const ANSWER_REST_MS = 1_000;
// Before the answer. A receiver that sent them until the time-out would take most of a processor.
const MAX_INFORMATIONAL = 10;

// Too many requests, bad gateway, unavailable, gateway time-out: the receiver could not even look at the callback.
const OF_RECEIVER = new Set([429, 502, 503, 504]);
// These failures come over an open connection. In all others there is no connection or no answer.
const OF_CALLBACK = /^(UND_ERR_SOCKET|UND_ERR_RES_.*|ECONNRESET|EPIPE|HPE_.*)$/;

export async function attemptCallback(
  dispatcher: Dispatcher,
  { url, signed, body }: Attempt,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const start = performance.now();
  const milliseconds = () => Math.round(performance.now() - start);
  const informational = new AbortController();
  let count = 0;
  try {
    const answer = await request(url, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'lockerflow-service', ...signed() },
      body,
      signal: AbortSignal.any([signal, informational.signal]),
      onInfo: () => {
        count += 1;
        if (count > MAX_INFORMATIONAL)
          informational.abort(new Error(`more than ${MAX_INFORMATIONAL} answers of 1xx before the answer`));
      },
    });
    const { statusCode: status } = answer;
    const took = milliseconds();
    // The status decides; a failure after it changes nothing.
    await answer.body
      .dump({ limit: ANSWER_LIMIT_BYTES, signal: AbortSignal.timeout(ANSWER_REST_MS) })
      .catch(() => answer.body.destroy());
    if (status >= 200 && status < 300) return { accepted: true, status, milliseconds: took };
    return {
      accepted: false,
      status,
      error: `answered ${status}`,
      ofReceiver: OF_RECEIVER.has(status),
      retryAfterMs: retryAfterMs(oneHeader(answer.headers['retry-after']), oneHeader(answer.headers.date)),
      milliseconds: took,
    };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return {
      accepted: false,
      status: null,
      error: messageOf(error),
      ofReceiver: !OF_CALLBACK.test(codeOf(error)),
      retryAfterMs: null,
      milliseconds: milliseconds(),
    };
  }
}

const oneHeader = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header);

const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : '';

/** Short, because it is stored for each failure. */
function messageOf(error: Error): string {
  if (error.name === 'TimeoutError') return 'no answer in time';
  const code = codeOf(error);
  const reason = error.message === '' || error.message === code ? code : `${error.message} ${code}`.trim();
  return reason.slice(0, 300) || error.name;
}
