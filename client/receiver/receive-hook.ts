// Answers a request to a hook: 2xx only when Temporal has the event. Refusals are application/problem+json (RFC 9457); what is
// said before the sender has proved itself says nothing about the hook.
import { STATUS_CODES } from 'node:http';
import type { Client } from '@temporalio/client';
import { shortened } from '../../contract/wire/format-issue.ts';
import { ILL_FORMED_MESSAGE, illFormedPlace } from '../../contract/wire/text.ts';
import { expressionFailureIn } from '../../flows/language/expressions/failure.ts';
import type { Json } from '../../flows/language/flow-file.ts';
import { type HookEvent, HookEventWrong } from '../../flows/language/hook.ts';
import { sendCorrelated } from '../../shared/routing/mailboxes.ts';
import { counter } from '../../shared/telemetry/metrics.ts';
import type { ReadHook } from '../hooks-file.ts';
import { type Distrust, distrustOfHook, type Headers, headerOfProof } from './authenticity.ts';
import { type CallbackAnswer, RETRY_AFTER, type ReceiveCallback, within } from './receive-callback.ts';

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
  readonly became: 'sent' | 'notWanted' | 'unauthentic' | 'malformed' | 'notTaken';
  readonly event?: Pick<HookEvent, 'type' | 'id' | 'where'>;
  /** It is for a log: a sender without proof must not learn it. */
  readonly refused?: { readonly why: Distrust['why'] | 'event'; readonly words: string };
  readonly error?: unknown;
}

const became = counter(
  'lockerflow_receiver_hooks_total',
  'Requests to the hooks of third systems, by what became of them.',
);

/** For a route of its own; the body is what was sent, before any parser. */
export const receiveHook =
  (client: Client, hook: ReadHook, options: HookOptions): ReceiveCallback =>
  async (headers, body) => {
    const received = await resultOf(client, hook, options, headers, body);
    became({ hook: hook.name, became: received.became });
    options.onHook?.(received);
    return answerOf(hook, received);
  };

async function resultOf(
  client: Client,
  hook: ReadHook,
  options: HookOptions,
  headers: Headers,
  body: Uint8Array,
): Promise<ReceivedHook> {
  const { name, proof } = hook;
  const distrusted = distrustOfHook(proof, headers, body);
  if (distrusted) return { hook: name, status: 401, became: 'unauthentic', refused: distrusted };
  const read = readBody(headers, body);
  if ('words' in read) {
    const { status, words } = read;
    return { hook: name, status, became: 'malformed', refused: { why: 'form', words } };
  }
  // No event could be made of it: Temporal would refuse the message each time that it is sent.
  const illFormed = illFormedWords('body', read.body);
  if (illFormed !== undefined)
    return { hook: name, status: 422, became: 'malformed', refused: { why: 'form', words: illFormed } };
  let event: HookEvent | null;
  try {
    event = hook.eventOf({ headers: visible(headers, headerOfProof(proof)), body: read.body });
  } catch (error) {
    const refused = { why: 'event', words: wordsOf(error) } as const;
    return { hook: name, status: 422, became: 'malformed', refused };
  }
  if (!event) return { hook: name, status: 204, became: 'notWanted' };
  // An expression may cut a pair in two.
  const cut = illFormedWords('', { type: event.type, id: event.id, where: event.where, data: event.data });
  if (cut !== undefined)
    return { hook: name, status: 422, became: 'malformed', refused: { why: 'event', words: cut } };
  const { type, id, where } = event;
  const received = { hook: name, event: { type, id, where } };
  try {
    await within(options.answerWithinMs, sendCorrelated(client, options.taskQueue, event));
    return { ...received, status: 202, became: 'sent' };
  } catch (error) {
    return { ...received, status: 503, became: 'notTaken', error };
  }
}

/** Undefined: all texts of the value are well-formed. */
function illFormedWords(of: string, value: unknown): string | undefined {
  const place = illFormedPlace(value);
  if (place === undefined) return undefined;
  const whole = [of, place].filter((each) => each !== '').join('.');
  return `${shortened(whole, LONGEST_PLACE)}: ${ILL_FORMED_MESSAGE}`;
}

// Characters.
const LONGEST_PLACE = 200;

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

const visible = (headers: Headers, proof: string): Record<string, string> =>
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

function answerOf({ proof }: ReadHook, { status, event, refused }: ReceivedHook): CallbackAnswer {
  if (status === 204) return { status, headers: {} };
  if (status === 202) {
    const text = JSON.stringify({ id: event?.id, type: event?.type });
    return { status, headers: { 'content-type': 'application/json' }, text };
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
    status,
    headers: { ...headers, 'content-type': 'application/problem+json; charset=utf-8' },
    text: JSON.stringify({ title: STATUS_CODES[status] ?? 'Error', status, code, detail }),
  };
}
