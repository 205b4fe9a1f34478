// Answers a request to a hook: 2xx only when Temporal has the event. Refusals are application/problem+json (RFC 9457); what is
// said before the sender has proved itself says nothing about the hook.
import { STATUS_CODES } from 'node:http';
import type { Client } from '@temporalio/client';
import { sendCorrelated } from '../../activities/routing/mailboxes.ts';
import { Budget } from '../../flow-files/expressions/budget.ts';
import { expressionFailureIn } from '../../flow-files/expressions/failure.ts';
import type { Json, JsonObject } from '../../flow-files/flow-file.ts';
import { type HookEvent, HookEventWrong } from '../../flow-files/hook.ts';
import { counter } from '../../runtime/telemetry/metrics.ts';
import type { ReadHook } from '../hooks-file.ts';
import type { Distrust, Headers } from './authenticity.ts';
import { type Asked, handshakeOfAddress, handshakeOfBody, type Shaken } from './handshake.ts';
import { distrustOfHook, headerOfProof } from './hook-proof.ts';
import { type CallbackAnswer, RETRY_AFTER, within } from './receive-callback.ts';

export interface HookOptions {
  readonly taskQueue: string;
  /** Milliseconds that Temporal may take to accept an event. After that the answer is 503. */
  readonly answerWithinMs?: number;
  /** Gets the result of each request; never the body or a header. */
  readonly onHook?: (received: ReceivedHook) => void;
}

export interface ReceivedHook {
  readonly hook: string;
  readonly status: number;
  readonly became: 'sent' | 'notWanted' | 'handshake' | 'unauthentic' | 'malformed' | 'notTaken';
  /** One, but for senders that put several into one request. */
  readonly events?: readonly Pick<HookEvent, 'type' | 'id' | 'where'>[];
  /** It is for a log: a sender without proof must not learn it. */
  readonly refused?: { readonly why: Distrust['why'] | 'event'; readonly words: string };
  readonly error?: unknown;
}

/** For a route of its own. */
export interface ReceiveHook {
  /** Before the body is read; null: it is no handshake, or one that needs the body. */
  address(asked: Asked): CallbackAnswer | null;
  /** The body is what was sent, before any parser. */
  body(headers: Headers, body: Uint8Array): Promise<CallbackAnswer>;
}

/** What became of a request, and for a handshake the answer. */
type Result = readonly [ReceivedHook, CallbackAnswer?];

const became = counter(
  'lockerflow_receiver_hooks_total',
  'Requests to the hooks of third systems, by what became of them.',
);

export function receiveHook(client: Client, hook: ReadHook, options: HookOptions): ReceiveHook {
  const answered = ([received, answer]: Result): CallbackAnswer => {
    became({ hook: hook.name, became: received.became });
    options.onHook?.(received);
    return answer ?? answerOf(hook, received);
  };
  return {
    address(asked) {
      const shaken = handshakeOfAddress(hook.handshake, asked);
      return shaken && answered(handshake(hook.name, shaken, 401));
    },
    body: async (headers, body) => answered(await resultOf(client, hook, options, headers, body)),
  };
}

const NO_HANDSHAKE = 'it is a handshake whose token or challenge is missing, or not what it should be';

/** @param refusedAs 401 before the sender has proved itself */
function handshake(hook: string, shaken: NonNullable<Shaken>, refusedAs: 401 | 422): Result {
  if (shaken !== 'unproved') return [{ hook, status: shaken.status, became: 'handshake' }, shaken];
  const refused = { why: refusedAs === 401 ? 'key' : 'form', words: NO_HANDSHAKE } as const;
  return [{ hook, status: refusedAs, became: refusedAs === 401 ? 'unauthentic' : 'malformed', refused }];
}

async function resultOf(
  client: Client,
  hook: ReadHook,
  options: HookOptions,
  headers: Headers,
  body: Uint8Array,
): Promise<Result> {
  const { name, proof } = hook;
  const distrusted = distrustOfHook(proof, headers, body);
  if (distrusted) return [{ hook: name, status: 401, became: 'unauthentic', refused: distrusted }];
  const read = readBody(headers, body);
  if ('words' in read) {
    const { status, words } = read;
    return [{ hook: name, status, became: 'malformed', refused: { why: 'form', words } }];
  }
  const shaken = handshakeOfBody(hook.handshake, read.body);
  if (shaken) return handshake(name, shaken, 422);
  const seen = visible(headers, headerOfProof(proof));
  let events: HookEvent[];
  try {
    // Notifications of one request have one budget together.
    const budget = new Budget();
    events = bodiesIn(hook, read.body).flatMap(
      (each) => hook.eventOf({ headers: seen, body: each }, budget) ?? [],
    );
  } catch (error) {
    const refused = { why: 'event', words: wordsOf(error) } as const;
    return [{ hook: name, status: 422, became: 'malformed', refused }];
  }
  if (events.length === 0) return [{ hook: name, status: 204, became: 'notWanted' }];
  const received = { hook: name, events: events.map(({ type, id, where }) => ({ type, id, where })) };
  try {
    const sent = events.map((event) => sendCorrelated(client, options.taskQueue, event));
    await within(options.answerWithinMs, Promise.all(sent));
    return [{ ...received, status: 202, became: 'sent' }];
  } catch (error) {
    return [{ ...received, status: 503, became: 'notTaken', error }];
  }
}

/** What proves the sender in a body is taken out of it; its proof has shown that each notification is there. */
function bodiesIn({ proof }: ReadHook, body: Json): readonly Json[] {
  if (proof.kind !== 'clientState') return [body];
  return ((body as JsonObject).value as readonly JsonObject[]).map(({ clientState, ...others }) => others);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

type ReadBody = { readonly body: Json } | { readonly status: 400 | 415; readonly words: string };

function readBody(headers: Headers, bytes: Uint8Array): ReadBody {
  const type = textOf(headers['content-type']).split(';')[0]?.trim().toLowerCase() ?? '';
  const coding = textOf(headers['content-encoding']);
  if (coding !== '' && coding !== 'identity')
    return { status: 415, words: 'the body is compressed; send it as it is' };
  const isForm = type === 'application/x-www-form-urlencoded';
  if (!isForm && !['', 'text/plain'].includes(type) && !/^application\/(?:[\w.-]+\+)?json$/.test(type))
    return { status: 415, words: 'the body is neither application/json nor a form' };
  try {
    const text = utf8.decode(bytes);
    return { body: isForm ? formOf(text) : (JSON.parse(text) as Json) };
  } catch (error) {
    if (error instanceof TypeError) return { status: 400, words: 'the body is not UTF-8' };
    // What the parser says of JSON quotes the body.
    if (error instanceof SyntaxError) return { status: 400, words: 'the body is not JSON' };
    throw error;
  }
}

/** A name that is there several times has a list of texts. */
function formOf(text: string): Json {
  // In one pass: a form of 1 MB may have half a million names.
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const before = values.get(name);
    if (before) before.push(value);
    else values.set(name, [value]);
  }
  return Object.fromEntries(
    [...values].map(([name, [first = '', ...others]]) => [
      name,
      others.length === 0 ? first : [first, ...others],
    ]),
  );
}

/** Whatever proves somebody to somebody else has no place in an event. */
const hidden = ['authorization', 'proxy-authorization', 'cookie'];

const visible = (headers: Headers, proof: string | null): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || name === proof || hidden.includes(name) ? [] : [[name, textOf(value)] as const],
    ),
  );

const textOf = (value: Headers[string]): string => [value ?? ''].flat().join(', ');

/** The remedies of an expression's failure are for the author of a flow file. */
function wordsOf(error: unknown): string {
  const failure = expressionFailureIn(error);
  if (failure) {
    const { path, expression = '', reason } = failure;
    return `${path}:${expression === '' ? '' : ` ${expression}:`} ${reason}`;
  }
  if (error instanceof HookEventWrong) return error.message;
  // A body so deep that no program can walk through it.
  if (error instanceof RangeError) return 'the body is nested too deeply';
  throw error;
}

const codes = {
  400: ['BodyNotReadable', 'send JSON or a form, in UTF-8'],
  401: ['NotAuthentic', 'the request does not prove who sends it; sign it, or give it the secret, as agreed'],
  415: [
    'MediaTypeUnsupported',
    'send application/json, or application/x-www-form-urlencoded, not compressed',
  ],
  422: ['EventNotMade', 'the hook makes no event of this request; correct the request, or the hook'],
  503: ['NotTaken', 'the event was not taken; send it again'],
} as const;

function answerOf({ proof }: ReadHook, { status, events = [], refused }: ReceivedHook): CallbackAnswer {
  if (status === 204) return { status, headers: {} };
  if (status === 202) {
    const [first, ...others] = events.map(({ id, type }) => ({ id, type }));
    return {
      ...{ status, headers: { 'content-type': 'application/json' } },
      text: JSON.stringify(others.length === 0 ? first : { events: [first, ...others] }),
    };
  }
  const [code, detail] = codes[status as keyof typeof codes];
  const words = refused && status !== 401 ? `${refused.words}; ${detail}` : detail;
  const scheme = proof.kind === 'secret' ? proof.scheme : null;
  return problem(status, code, words, {
    ...(status === 401 && scheme && { 'www-authenticate': `${scheme} realm="lockerflow"` }),
    ...(status === 503 && { 'retry-after': String(RETRY_AFTER) }),
  });
}

/** A refusal in the form of RFC 9457, with a code for programs. */
export function problem(
  status: number,
  code: string,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
): CallbackAnswer {
  return {
    ...{ status, headers: { ...headers, 'content-type': 'application/problem+json; charset=utf-8' } },
    text: JSON.stringify({ title: STATUS_CODES[status] ?? 'Error', status, code, detail }),
  };
}
