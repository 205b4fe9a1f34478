// Events by correlation: an event names processes by keys of their data, in place of their workflow ids. What the processes, the
// queues between them and the senders say to each other; pure, also in the workflow sandbox.
import type {
  CorrelatedEvent as AnyEvent,
  CorrelationKeys,
  Listening,
  queueQueries as queries,
  queueSignals as signals,
} from '../../contract/flows/correlation.ts';
import { matchesAny } from '../../engine/chart/messages.ts';
import { durationMs } from './duration.ts';
import { bounds, type Json } from './flow-file.ts';
import { jsonBytes } from './json-bytes.ts';

export type {
  CorrelationKeys,
  EventOutlook,
  Listening,
  ListeningProcess,
  QueuedEvent,
  QueuedEvents,
} from '../../contract/flows/correlation.ts';

export type CorrelatedEvent = AnyEvent & { readonly data: Json };

/** What a process gives to its worker to pass on. */
export type CorrelationMessage =
  | { readonly kind: 'event'; readonly event: Omit<CorrelatedEvent, 'id'> & { readonly id?: string } }
  /** It listens so from now on, null: no more. `before`: the keys that it had. */
  | { readonly kind: 'listening'; readonly now: Listening | null; readonly before: CorrelationKeys };

/** Repeated here, and held to be the same by its type: in the sandbox of workflows there are no values of the contract. */
export const queueSignals: typeof signals = { event: 'event', listen: 'listen', leave: 'leave' };
export const queueQueries: typeof queries = { listening: 'listening', queued: 'queued' };

/** The update and the memo of the workflow that names the flows that an event may start. */
export const startsUpdate = 'add';
export const STARTED_FLOWS_MEMO = 'flows';

/** For a process that begins a little later. */
const DEFAULT_KEEP_FOR_MS = 3_600_000;
const LONGEST_KEEP_FOR_MS = 30 * 86_400_000;

export const MAX_KEYS = 8;
export const LONGEST_VALUE = 200;
export const KEY_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
export const EVENT_TYPE = /^[A-Za-z][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*$/;

/** An event as somebody gives it. */
export interface GivenEvent {
  readonly type: string;
  readonly where: Json;
  readonly data?: Json;
  readonly id?: string;
  readonly keepFor?: Json;
}

interface Issue {
  readonly field: string;
  readonly message: string;
}

/** The keys of a map; those that are null are none. Otherwise what is wrong. */
export function correlationKeys(given: Json): CorrelationKeys | Issue[] {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return [{ field: '', message: 'expected a map of keys, such as { "device": "laptop-7" }' }];
  const entries = Object.entries(given).filter(([, value]) => value !== null);
  const issues = entries.flatMap(([field, value]) => {
    const message = keyProblem(field, value);
    return message === undefined ? [] : [{ field, message }];
  });
  if (entries.length > MAX_KEYS) issues.push({ field: '', message: `expected at most ${MAX_KEYS} keys` });
  if (issues.length > 0) return issues;
  return Object.fromEntries(
    entries
      .map(([key, value]): [string, string] => [key, String(value)])
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

function keyProblem(name: string, value: Json): string | undefined {
  if (!KEY_NAME.test(name)) return 'expected a name of letters, digits, - and _';
  if (!['string', 'number', 'boolean'].includes(typeof value))
    return 'expected a text, a number, true or false';
  return isPartOfId(String(value), LONGEST_VALUE)
    ? undefined
    : `expected 1 to ${LONGEST_VALUE} characters, no NUL and no half of a surrogate pair`;
}

/** Whether Temporal can take it within the id of a workflow. It would refuse each attempt to send another one. */
const isPartOfId = (text: string, longest: number): boolean =>
  text.length > 0 && text.length <= longest && text.isWellFormed() && !text.includes('\0');

/** With what is left out, or what is wrong. */
export function correlatedEvent({
  type,
  where,
  data = null,
  id,
  keepFor,
}: GivenEvent): (Omit<CorrelatedEvent, 'id'> & { readonly id?: string }) | Issue[] {
  const keys = correlationKeys(where);
  const isWrong = Array.isArray(keys);
  const problem = dataProblem(data);
  const keepForMs = keepFor === undefined ? DEFAULT_KEEP_FOR_MS : durationMs(keepFor);
  const issues = [
    ...(EVENT_TYPE.test(type) && !/^(?:xstate|lockerflow)\./.test(type)
      ? []
      : [{ field: 'type', message: 'expected words with dots between them, such as device.returned' }]),
    ...(isWrong
      ? keys.map(({ field, message }) => ({ field: field === '' ? 'where' : `where.${field}`, message }))
      : []),
    ...(!isWrong && Object.keys(keys).length === 0
      ? [{ field: 'where', message: 'has no key; expected at least one, such as { "device": "laptop-7" }' }]
      : []),
    ...(keepForMs !== null && keepForMs <= LONGEST_KEEP_FOR_MS
      ? []
      : [{ field: 'keepFor', message: 'expected a duration such as PT1H, of at most P30D' }]),
    ...(problem === undefined ? [] : [{ field: 'data', message: problem }]),
  ];
  if (issues.length > 0 || isWrong || keepForMs === null) return issues;
  return { type, where: keys, data, keepForMs, ...(id !== undefined && { id }) };
}

/** Why an event cannot carry the data: the history keeps all of it, and a process takes no more into its context. */
export const dataProblem = (data: Json): string | undefined =>
  jsonBytes(data) <= bounds.contextBytes
    ? undefined
    : `expected at most ${bounds.contextBytes} bytes as JSON`;

/** Whether the event is for who listens so. */
export const isFor = (
  { where, type }: Pick<CorrelatedEvent, 'where' | 'type'>,
  { keys, subscriptions }: Listening,
): boolean => hasKeys(keys, where) && matchesAny(type, subscriptions);

export const hasKeys = (keys: CorrelationKeys, wanted: CorrelationKeys): boolean =>
  Object.entries(wanted).every(([key, value]) => keys[key] === value);
