// What an entry of the timeline says, as data; sentences.ts words it for people. No inputs, no results, no receiver: they may be of
// persons.
import { z } from 'zod';
import { roles, stages } from '../../contract/flows/flow-input.ts';
import { isOutreach } from '../../contract/flows/outreach.ts';
import { refusedCall } from '../../contract/wire/refused-call.ts';
import { timerNamed } from '../../flows/booking/timer-names.ts';
import { statuses } from './process-fields.ts';
import { isOfQuestion, type Moved, shownOf } from './updates.ts';

const failure = z.object({
  code: z.string().nullable().meta({ description: 'As the step itself names it' }),
  message: z.string().nullable().meta({ description: 'For people' }),
  ...refusedCall,
});

const movedFrom = z.object({ key: z.string(), lockerName: z.string().nullable() });

const startedAgainAfter = z.object({
  key: z.string(),
  runId: z.string(),
  at: z.string().nullable(),
  status: z.enum(statuses),
  failure: failure.nullable().meta({ description: 'Null: it has not failed, or nobody could read why' }),
});
export type StartedAgainAfter = z.output<typeof startedAgainAfter>;

const itemTitle = z.string().exactOptional().meta({
  description: 'Of an `each`: what people call the item that it is for, if the file says it',
});

const call = {
  activity: z.string().meta({ description: 'Its type, like `book`' }),
  id: z.string().nullable().meta({ description: 'Of a call to a connector: its id in the flow file' }),
  connector: z.string().nullable(),
  operation: z
    .string()
    .nullable()
    .meta({ description: 'Of the locker API, or the connector’s, where it calls one' }),
  fields: z.array(z.string()).exactOptional().meta({
    description: 'Of SetAccount: the names of the fields that are set',
  }),
  itemTitle,
  event: z.string().exactOptional().meta({
    description: 'That is delivered: the type. `connector` is null where it goes to the one for events',
  }),
};

const timer = {
  timer: z.string().meta({ description: 'As the process names it' }),
  deadline: z
    .object({ role: z.enum(roles), stage: z.enum(stages), isReminder: z.boolean() })
    .nullable()
    .meta({ description: 'Of a built-in flow' }),
  delay: z
    .object({ state: z.string(), after: z.string() })
    .nullable()
    .meta({ description: 'Of a flow file: the state, and its delay as an ISO 8601 duration or a name' }),
};

const shipment = { role: z.string().nullable(), shipmentUid: z.string() };

export const timelineData = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('started'),
    flow: z.string(),
    movedFrom: movedFrom
      .exactOptional()
      .meta({ description: 'The process whose place it has taken, and the locker that this had' }),
    startedAgainAfter: startedAgainAfter
      .exactOptional()
      .meta({ description: 'The start before, which has ended without a result, or has another key' }),
  }),
  z.object({ type: z.literal('continued') }),
  z.object({ type: z.enum(['callBegun', 'callDone', 'callTimedOut', 'callCancelled']), ...call }),
  z.object({ type: z.literal('callFailed'), ...call, failure }),
  z.object({ type: z.literal('flowStarted'), flow: z.string(), key: z.string(), itemTitle }),
  z
    .object({
      type: z.literal('told'),
      key: z.string(),
      flow: z.string().nullable(),
      event: z.string(),
      itemTitle,
    })
    .meta({
      description:
        'It has sent an event to a process that it has started, or to the one that has started it: then `flow` is null',
    }),
  z
    .object({
      type: z.literal('toldBy'),
      key: z.string().nullable(),
      flow: z.string().nullable(),
      event: z.string(),
      itemTitle,
    })
    .meta({ description: 'A flow that it has started has sent it an event; null: nobody can say which' }),
  z
    .object({
      type: z.literal('sent'),
      event: z.string(),
      id: z.string(),
      where: z.record(z.string(), z.string()),
      until: z.string().meta({ description: 'So long it waits for processes that begin to listen' }),
      processes: z
        .int()
        .nullable()
        .meta({ description: 'How many have received it; null: nobody knows any more, or answers' }),
      isWaiting: z.literal(true).exactOptional().meta({ description: 'It waits still' }),
    })
    .meta({ description: 'It has sent an event to whoever has these keys' }),
  z.object({ type: z.enum(['timerBegun', 'timerPassed', 'timerDropped']), ...timer }),
  z.object({ type: z.literal('reported'), source: z.string(), stateCode: z.string(), ...shipment }),
  z.object({ type: z.enum(['superseded', 'alsoFollowed']), byKey: z.string(), ...shipment }),
  z.object({
    type: z.literal('signalled'),
    name: z.string().meta({ description: '`event`: an event of a flow file' }),
    event: z.string().nullable().meta({ description: 'The type of that event' }),
    isRepeated: z.literal(true).exactOptional().meta({
      description: 'An event with its id had come before: it takes effect once',
    }),
    putAside: z.string().exactOptional().meta({
      description: 'Why it has reached no state, without what it said: it is not as the file describes it',
    }),
  }),
  z.object({
    type: z.literal('updated'),
    name: z.string(),
    fields: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .meta({ description: 'What was said, without the receiver' }),
    values: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .nullable()
      .meta({
        description: 'Of an answer to a question; of a message, to whom; for who may act on processes',
      }),
    delivery: z.string().exactOptional().meta({
      description: 'Of what somebody sends outside: the workflow that delivers it',
    }),
    moved: z
      .object({ from: z.string().nullable(), until: z.string().nullable() })
      .nullable()
      .meta({ description: 'The end of a deadline or a wait: before, and since then; null for none' }),
  }),
  z.object({ type: z.literal('phase'), phase: z.string() }),
  z.object({ type: z.literal('workerFailed'), failure }),
  z.object({ type: z.literal('cancelRequested') }),
  z.object({ type: z.literal('ended'), outcome: z.string().nullable() }),
  z.object({ type: z.literal('failed'), failure }),
  z.object({ type: z.literal('cancelled') }),
  z.object({ type: z.literal('terminated'), reason: z.string().nullable() }),
  z.object({ type: z.literal('timedOut') }),
]);

export type TimelineData = z.output<typeof timelineData>;
export type FailureData = z.output<typeof failure>;
export type CallData = z.output<z.ZodObject<typeof call>>;
export type TimerData = z.output<z.ZodObject<typeof timer>>;

/** @param memo of the start, field by field */
export function startedData(flow: string, memo: Readonly<Record<string, unknown>>): TimelineData {
  const { data: from } = movedFrom.safeParse(memo.movedFrom);
  const { data: after } = startedAgainAfter.safeParse(memo.startedAgainAfter);
  return {
    type: 'started',
    flow,
    ...(from && { movedFrom: from }),
    ...(after && { startedAgainAfter: after }),
  };
}

/** As flow files name theirs: `lent.after.P3D`. */
const DELAY = /^(?<state>.*)\.after\.(?<after>.+)$/s;

/** Temporal keeps of a timer only its name. */
export function timerData(name: string): TimerData {
  const { state, after } = DELAY.exec(name)?.groups ?? {};
  const delay = state !== undefined && after !== undefined ? { state, after } : null;
  return { timer: name, deadline: timerNamed(name, roles), delay };
}

const passedEvents = z.array(
  z.object({
    type: z.string(),
    id: z.string(),
    where: z.record(z.string(), z.string()),
    keepForMs: z.number(),
  }),
);

/** @param passed the result of the activity that passes events by correlation on */
export function sentData(passed: unknown, at: number): TimelineData[] {
  const { data = [] } = passedEvents.safeParse(passed);
  return data.map(({ type: event, id, where, keepForMs }) => {
    const until = new Date(at + keepForMs).toISOString();
    return { type: 'sent', event, id, where, until, processes: null };
  });
}

type Scalar = string | number | boolean;

const isScalar = (value: unknown): value is Scalar => ['string', 'number', 'boolean'].includes(typeof value);

export function updateData(name: string, payload: unknown, answer?: unknown): TimelineData {
  const given = fieldsIn(payload);
  const { version } = fieldsIn(given.to);
  const { fields, longest } = shownOf(name);
  return {
    type: 'updated',
    name,
    fields: {
      ...onlyNamed(given, fields, longest),
      ...(typeof version === 'number' && { version }),
      ...(isOfQuestion(name) && onlyNamed(fieldsIn(answer), ['itemTitle'])),
    },
    values: valuesIn(name, given),
    ...deliveryIn(name, answer),
    moved: name === 'extendDeadline' ? movedIn(answer) : null,
  };
}

/** What only who may act on processes reads. */
function valuesIn(name: string, given: Readonly<Record<string, unknown>>): Record<string, Scalar> | null {
  if (name === 'answer') return onlyNamed(fieldsIn(given.values));
  return name === 'message' ? onlyNamed(given, ['to']) : null;
}

function deliveryIn(name: string, answer: unknown): { readonly delivery?: string } {
  const { delivery } = fieldsIn(answer);
  return isOutreach(name) && typeof delivery === 'string' ? { delivery } : {};
}

function movedIn(answer: unknown): Moved | null {
  const { from = null, until } = fieldsIn(answer);
  const isEnd = (value: unknown): value is string | null => value === null || typeof value === 'string';
  return isEnd(from) && isEnd(until) ? { from, until } : null;
}

const fieldsIn = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

// The whole text is in the history.
const LONGEST_ANSWER = 200;

function onlyNamed(
  fields: Readonly<Record<string, unknown>>,
  names: readonly string[] = Object.keys(fields),
  longest = LONGEST_ANSWER,
): Record<string, Scalar> {
  const all = names.flatMap((name): [string, Scalar][] => {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!isScalar(value)) return [];
    return [[name, typeof value === 'string' ? value.slice(0, longest) : value]];
  });
  return Object.fromEntries(all);
}
