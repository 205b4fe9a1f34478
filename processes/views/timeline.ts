// The events of a process in the order of its history, as data, and their cost. No inputs and no results: they may be of persons.

import type { Client } from '@temporalio/client';
import { z } from 'zod';
import { withCode } from '../../client/flow-errors.ts';
import { type Attribution, attributionIn, formatAttribution } from '../../contract/flows/attribution.ts';
import { isOutreach } from '../../contract/flows/outreach.ts';
import { lockersTriedIn } from '../../contract/wire/lockers-tried.ts';
import { titleIn } from '../../flows/language/item-title.ts';
import { yieldToEventLoop } from '../../shared/limits/yield-to-event-loop.ts';
import { isoTime } from './found-flows.ts';
import {
  type CallData,
  type FailureData,
  sentData,
  startedData,
  type TimelineData,
  timelineData,
  timerData,
  updateData,
} from './timeline-data.ts';
import { isOfQuestion } from './updates.ts';

export const timelineEntry = z.object({
  at: z.string().nullable(),
  data: timelineData.meta({ description: 'What happened, as data' }),
  by: z.string().nullable().meta({ description: 'Who made it happen; null: nobody has said' }),
  onBehalfOf: z.string().nullable().meta({ description: 'The person for whom a program said that it acts' }),
  why: z.string().nullable(),
  runId: z.string(),
  eventId: z.string().meta({ description: 'Of the event in the history of its run' }),
});
export type TimelineEntry = Readonly<z.infer<typeof timelineEntry>>;

/** Actions as Temporal Cloud counts them, without queries and heartbeats: these are not in a history. */
const cost = z.object({
  events: z.int(),
  actions: z.int().meta({ description: 'Temporal’s billable actions' }),
});
export type Cost = Readonly<z.infer<typeof cost>>;

export const timeline = z.object({
  entries: z.array(timelineEntry).meta({ description: 'What happened, the oldest first' }),
  cost,
  runs: z.int().meta({ description: 'More than one if it continued as new' }),
});
type Timeline = Readonly<z.infer<typeof timeline>>;

type History = NonNullable<
  Awaited<ReturnType<Client['workflowService']['getWorkflowExecutionHistory']>>['history']
>;
export type HistoryEvent = NonNullable<History['events']>[number];

/** Decodes the payload of a data converter; null without one. */
export type Decode = (payload: Payload | null | undefined) => Promise<unknown>;
type Payload = NonNullable<NonNullable<HistoryEvent['userMetadata']>['summary']>;

/** The role of a shipment in its flow, if it is known. */
type RoleOf = (shipmentUid: string) => string | undefined;

export async function timelineOf(
  runs: readonly (readonly HistoryEvent[])[],
  decode: Decode,
  roleOf: RoleOf,
): Promise<Timeline> {
  const entries: TimelineEntry[] = [];
  const of = { decode, roleOf, children: new Map<string, Child>(), eventIds: new Set<string>() };
  for (const events of runs) entries.push(...(await entriesOf(events, of)));
  return { entries, cost: costOf(runs.flat()), runs: runs.length };
}

const costOf = (events: readonly HistoryEvent[]): Cost => ({
  events: events.length,
  actions: events.reduce((sum, event) => sum + actionsOf(event), 0),
});

/** As people read it; null: nobody has said. */
export const nameIn = ({ by, onBehalfOf }: Pick<TimelineEntry, 'by' | 'onBehalfOf'>): string | null =>
  by === null ? null : formatAttribution({ by, onBehalfOf: onBehalfOf ?? undefined });

/** Null: somebody else has written it. */
function jsonIn(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}

/** Those that tell a person something, of one run. */
async function entriesOf(
  events: readonly HistoryEvent[],
  of: Pick<Around, 'decode' | 'roleOf' | 'children' | 'eventIds'>,
): Promise<TimelineEntry[]> {
  const { decode } = of;
  const all: TimelineEntry[] = [];
  const names = new Map<string, string>();
  const calls = new Map<string, CallData>();
  const answers = new Map(events.flatMap(answerIn));
  const yieldNow = yieldToEventLoop();
  const runId = events[0]?.workflowExecutionStartedEventAttributes?.originalExecutionRunId ?? '';
  for (const event of events) {
    await yieldNow();
    const summary = await decode(event.userMetadata?.summary);
    const id = String(event.eventId ?? '');
    if (typeof summary === 'string') names.set(id, summary);
    const { activityTaskScheduledEventAttributes: scheduled } = event;
    if (scheduled) calls.set(id, await callIn(scheduled, names.get(id), decode));
    const at = isoTime(event.eventTime);
    const said = await readEvent(event, { ...of, id, at, names, calls, answers });
    for (const { data, who } of [said ?? []].flat())
      all.push({
        at,
        data,
        by: who?.by ?? null,
        onBehalfOf: who?.onBehalfOf ?? null,
        why: who?.why ?? null,
        runId,
        eventId: id,
      });
  }
  return all;
}

function answerIn({ workflowExecutionUpdateCompletedEventAttributes: completed }: HistoryEvent) {
  const [answer] = completed?.outcome?.success?.payloads ?? [];
  return answer ? [[String(completed?.acceptedEventId), answer] as const] : [];
}

/** The signal by which a flow tells the one that has started it (engine/temporal/family.ts). */
const CHILD_EVENT = 'childEvent';

/** These name in their input what they call, or deliver. */
const namedCalls: ReadonlySet<string> = new Set(['callConnector', 'callLockerApi', 'book', 'emitEvent']);

async function callIn(
  { activityType, input }: Of<'activityTaskScheduledEventAttributes'>,
  summary: string | undefined,
  decode: Decode,
): Promise<CallData> {
  const activity = activityType?.name ?? 'unknown';
  const isNamed = namedCalls.has(activity);
  const given = isNamed ? await decode(input?.payloads?.[0]) : null;
  if (activity === 'emitEvent')
    return {
      activity,
      id: null,
      connector: fieldOf(given, 'to'),
      operation: null,
      event: fieldOf(given, 'type') ?? 'unknown',
    };
  const connector = fieldOf(given, 'connector');
  // The id is not in the input; the name of the call begins with it.
  const id = connector === null ? null : (summary?.split(':')[0] ?? null);
  const itemTitle = isNamed && summary !== undefined ? titleIn(summary) : undefined;
  return {
    activity,
    id,
    connector,
    operation: fieldOf(given, 'operation'),
    ...(itemTitle !== undefined && { itemTitle }),
  };
}

/** A flow that the process has started. */
interface Child {
  readonly flow: string;
  readonly itemTitle?: string;
}

interface Around {
  /** The id of the event. */
  readonly id: string;
  /** When it was, ISO 8601. */
  readonly at: string | null;
  /** By their keys, over all runs. */
  readonly children: Map<string, Child>;
  /** The ids of the events received so far, over all runs. */
  readonly eventIds: Set<string>;
  /** Those of started timers, by the id of their event. */
  readonly names: ReadonlyMap<string, string>;
  /** By the id of the event that scheduled it. */
  readonly calls: ReadonlyMap<string, CallData>;
  /** To updates, by the id of the event that accepted it. */
  readonly answers: ReadonlyMap<string, Payload>;
  readonly decode: Decode;
  readonly roleOf: RoleOf;
}

interface Said {
  readonly data: TimelineData;
  /** Who has made it happen, and why; absent: nobody has said. */
  readonly who?: Attribution | null;
}

async function readEvent(event: HistoryEvent, around: Around): Promise<Found> {
  for (const [attributes, read] of readers) {
    const value = event[attributes];
    if (value) return await read(value as never, around);
  }
  return null;
}

/** Null: it tells a person nothing. */
type Read<Value> = (value: Value, around: Around) => Promise<Found> | Found;
type Found = Said | readonly Said[] | null;
type Attributes = keyof HistoryEvent;
type Of<Name extends Attributes> = NonNullable<HistoryEvent[Name]>;
const row = <Name extends Attributes>(
  name: Name,
  read: Read<Of<Name>>,
): readonly [Attributes, Read<never>] => [name, read];

const UNKNOWN_CALL: CallData = { activity: 'unknown', id: null, connector: null, operation: null };

const callAt = (id: unknown, { calls }: Around): CallData => calls.get(String(id)) ?? UNKNOWN_CALL;

const endOf =
  (type: 'callDone' | 'callTimedOut' | 'callCancelled'): Read<{ readonly scheduledEventId?: unknown }> =>
  ({ scheduledEventId }, around) => ({ data: { type, ...callAt(scheduledEventId, around) } });

const ofTimer = (
  type: 'timerBegun' | 'timerPassed' | 'timerDropped',
  id: unknown,
  { names }: Around,
): Said => ({ data: { type, ...timerData(names.get(String(id)) ?? 'a timer') } });

const readers: readonly (readonly [Attributes, Read<never>])[] = [
  row('workflowExecutionStartedEventAttributes', async (started, { decode }) => {
    if (started.continuedExecutionRunId) return { data: { type: 'continued' } };
    const flow = started.workflowType?.name ?? '';
    const { who, movedFrom, startedAgainAfter } = started.memo?.fields ?? {};
    const memo = {
      movedFrom: await decode(movedFrom),
      startedAgainAfter: await decode(startedAgainAfter),
    };
    return { data: startedData(flow, memo), who: attributionIn(await decode(who)) };
  }),
  row('activityTaskScheduledEventAttributes', (_, around) => ({
    data: { type: 'callBegun', ...callAt(around.id, around) },
  })),
  row('activityTaskCompletedEventAttributes', endOf('callDone')),
  row('activityTaskFailedEventAttributes', async ({ scheduledEventId, failure }, around) => ({
    data: {
      type: 'callFailed',
      ...callAt(scheduledEventId, around),
      failure: await failureData(failure, around),
    },
  })),
  row('activityTaskTimedOutEventAttributes', endOf('callTimedOut')),
  row('activityTaskCanceledEventAttributes', endOf('callCancelled')),
  row('startChildWorkflowExecutionInitiatedEventAttributes', ({ workflowType, workflowId }, around) => {
    const itemTitle = titleIn(around.names.get(around.id) ?? '');
    const child = { flow: workflowType?.name ?? '', ...(itemTitle !== undefined && { itemTitle }) };
    const key = workflowId ?? '';
    around.children.set(key, child);
    return { data: { type: 'flowStarted', key, ...child } };
  }),
  row('signalExternalWorkflowExecutionInitiatedEventAttributes', async (sent, { decode, children }) => {
    const payload = await decode(sent.input?.payloads?.[0]);
    const event = eventIn(sent.signalName, payload);
    const key = sent.workflowExecution?.workflowId ?? '';
    const child = children.get(key) ?? { flow: null };
    return event === null ? null : { data: { type: 'told', key, event, ...child } };
  }),
  row('markerRecordedEventAttributes', async ({ details }, { decode, at }) => {
    const result = await decode(details?.result?.payloads?.[0]);
    return sentData(result, Date.parse(at ?? '')).map((data) => ({ data }));
  }),
  row('timerStartedEventAttributes', (_, around) => ofTimer('timerBegun', around.id, around)),
  row('timerFiredEventAttributes', ({ startedEventId }, around) =>
    ofTimer('timerPassed', startedEventId, around),
  ),
  row('timerCanceledEventAttributes', ({ startedEventId }, around) =>
    ofTimer('timerDropped', startedEventId, around),
  ),
  row('workflowExecutionSignaledEventAttributes', async (signal, { decode, roleOf, children, eventIds }) => {
    const payload = await decode(signal.input?.payloads?.[0]);
    if (signal.signalName === CHILD_EVENT) return toldBy(signal, payload, children);
    const { who } = (payload ?? {}) as { readonly who?: unknown };
    const data = signalData(signal.signalName ?? '', payload, roleOf);
    const id = signal.signalName === 'event' ? fieldOf(payload, 'id') : null;
    const isRepeated = id !== null && eventIds.has(id);
    if (id !== null) eventIds.add(id);
    return { data: isRepeated ? { ...data, isRepeated } : data, who: attributionIn(who) };
  }),
  row('workflowExecutionUpdateAcceptedEventAttributes', async ({ acceptedRequest }, around) => {
    const { id, answers, decode } = around;
    const { name, args } = acceptedRequest?.input ?? {};
    const payload = await decode(args?.payloads?.[0]);
    // Other answers may be about people.
    const isShown = name === 'extendDeadline' || isOutreach(name ?? '') || isOfQuestion(name ?? '');
    const answer = isShown ? await decode(answers.get(id)) : null;
    return { data: updateData(name ?? '', payload, answer), who: attributionIn(payload) };
  }),
  row('upsertWorkflowSearchAttributesEventAttributes', async ({ searchAttributes }, { decode }) => {
    const phase = await decode(searchAttributes?.indexedFields?.LockerPhase);
    return phase ? { data: { type: 'phase', phase: String(phase) } } : null;
  }),
  row('workflowTaskFailedEventAttributes', async ({ failure }, around) => ({
    data: { type: 'workerFailed', failure: await failureData(failure, around) },
  })),
  row('workflowExecutionCancelRequestedEventAttributes', ({ cause }) => ({
    data: { type: 'cancelRequested' },
    who: attributionIn(jsonIn(cause)),
  })),
  row('workflowExecutionCompletedEventAttributes', async ({ result }, { decode }) => {
    const value = await decode(result?.payloads?.[0]);
    return { data: { type: 'ended', outcome: fieldOf(value, 'outcome') ?? fieldOf(value, 'ended') } };
  }),
  row('workflowExecutionFailedEventAttributes', async ({ failure }, around) => ({
    data: { type: 'failed', failure: await failureData(failure, around) },
  })),
  row('workflowExecutionCanceledEventAttributes', () => ({ data: { type: 'cancelled' } })),
  row('workflowExecutionTerminatedEventAttributes', ({ reason }) => ({
    data: { type: 'terminated', reason: reason || null },
  })),
  row('workflowExecutionTimedOutEventAttributes', () => ({ data: { type: 'timedOut' } })),
];

interface FailureInHistory {
  readonly message?: string | null;
  readonly applicationFailureInfo?: {
    readonly type?: string | null;
    readonly details?: { readonly payloads?: Payload[] | null } | null;
  } | null;
  readonly cause?: FailureInHistory | null;
}

export function failureText(failure: FailureInHistory | null | undefined): string {
  const type = failure?.applicationFailureInfo?.type;
  const message = failure?.message;
  if (type && message) return withCode(type, message);
  return type || message || 'no reason given';
}

async function failureData(
  failure: FailureInHistory | null | undefined,
  { decode }: Pick<Around, 'decode'>,
): Promise<FailureData> {
  const { type, details } = failure?.applicationFailureInfo ?? {};
  const tried = lockersTriedIn(await decode(details?.payloads?.[0]));
  return { code: type || null, message: failure?.message || null, ...(tried && { lockersTried: tried }) };
}

/** The type of an event for a process that this one has started, or for the one that has started it. */
function eventIn(signal: string | null | undefined, payload: unknown): string | null {
  if (signal === 'event') return fieldOf(payload, 'type');
  return signal === CHILD_EVENT ? childEventIn(payload) : null;
}

const childEventIn = (payload: unknown): string | null =>
  fieldOf((payload as { readonly event?: unknown } | null)?.event, 'type');

function toldBy(
  { externalWorkflowExecution }: Of<'workflowExecutionSignaledEventAttributes'>,
  payload: unknown,
  children: Around['children'],
): Said {
  const event = childEventIn(payload);
  if (event === null) return { data: { type: 'signalled', name: CHILD_EVENT, event } };
  const key = externalWorkflowExecution?.workflowId || null;
  const child = children.get(key ?? '') ?? { flow: null };
  return { data: { type: 'toldBy', key, event, ...child } };
}

function signalData(name: string, payload: unknown, roleOf: RoleOf): TimelineData {
  const shipmentUid = fieldOf(payload, 'shipmentUid') ?? '';
  const shipment = { role: roleOf(shipmentUid) ?? null, shipmentUid };
  if (name === 'superseded' || name === 'alsoFollowed')
    return { type: name, byKey: fieldOf(payload, 'byWorkflowId') ?? '', ...shipment };
  const stateCode = fieldOf(payload, 'stateCode');
  const event = name === 'event' ? fieldOf(payload, 'type') : null;
  if (event || !stateCode) return { type: 'signalled', name, event };
  return { type: 'reported', source: fieldOf(payload, 'source') ?? 'report', stateCode, ...shipment };
}

function fieldOf(value: unknown, name: string): string | null {
  const field: unknown =
    typeof value === 'object' && value !== null
      ? Object.entries(value).find(([key]) => key === name)?.[1]
      : null;
  return typeof field === 'string' ? field : null;
}

/** https://docs.temporal.io/cloud/actions: what starts, schedules, signals, updates or upserts; each try of an activity. */
function actionsOf(event: HistoryEvent): number {
  const { activityTaskStartedEventAttributes: attempt } = event;
  if (attempt) return attempt.attempt ?? 1;
  return billed.some((attributes) => event[attributes]) ? 1 : 0;
}

const billed: readonly Attributes[] = [
  'workflowExecutionStartedEventAttributes',
  'timerStartedEventAttributes',
  'workflowExecutionSignaledEventAttributes',
  'workflowExecutionUpdateAcceptedEventAttributes',
  'upsertWorkflowSearchAttributesEventAttributes',
];
