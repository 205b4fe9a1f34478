// The events of a process in the order of its history, and their cost: the command line, the API and the page tell the same. It
// uses only texts without personal data: no inputs and no results.
import type { Client } from '@temporalio/client';
import { z } from 'zod';
import { withCode } from '../../client/flow-errors.ts';
import { type Attribution, attributionIn, nameOf } from '../../contract/flows/attribution.ts';
import { breathing } from '../../shared/limits/turns.ts';
import { formatUpdate } from './format-update.ts';
import { isoTime } from './found-flows.ts';
import {
  type CallData,
  type FailureData,
  type TimelineData,
  timelineData,
  timerData,
  updateData,
} from './timeline-data.ts';

const entry = z.object({
  at: z.string().nullable(),
  what: z.string().meta({ description: 'In words, for people' }),
  data: timelineData.meta({ description: 'The same as data' }),
  by: z.string().nullable().meta({ description: 'Who made it happen; null: nobody has said' }),
  onBehalfOf: z.string().nullable().meta({ description: 'The person for whom a program said that it acts' }),
  why: z.string().nullable(),
  kind: z
    .enum(['came', 'did'])
    .meta({ description: 'Whether it came to the process, or is what the process did then' }),
  runId: z.string(),
  eventId: z.string().meta({ description: 'Of the event in the history of its run' }),
});
export type TimelineEntry = Readonly<z.infer<typeof entry>>;

/** Actions as Temporal Cloud counts them, without queries and heartbeats: these are not in a history. */
const cost = z.object({
  events: z.int(),
  actions: z.int().meta({ description: 'Temporal’s billable actions' }),
});
export type Cost = Readonly<z.infer<typeof cost>>;

export const timeline = z.object({
  entries: z.array(entry).meta({ description: 'What happened, the oldest first' }),
  cost,
  runs: z.int().meta({ description: 'More than one if it continued as new' }),
});
export type Timeline = Readonly<z.infer<typeof timeline>>;

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
  for (const events of runs)
    entries.push(...entriesOf(runIdOf(events), await describedEvents(events, decode, roleOf)));
  return { entries, cost: costOf(runs.flat()), runs: runs.length };
}

const costOf = (events: readonly HistoryEvent[]): Cost => ({
  events: events.length,
  actions: events.reduce((sum, event) => sum + actionsOf(event), 0),
});

const entriesOf = (runId: string, described: readonly DescribedEvent[]): TimelineEntry[] =>
  described.map(({ event, what, data, who }) => ({
    at: isoTime(event.eventTime),
    what,
    data,
    by: who?.by ?? null,
    onBehalfOf: who?.onBehalfOf ?? null,
    why: who?.why ?? null,
    kind: kindOf(event),
    runId,
    eventId: String(event.eventId),
  }));

/** As people read it; null: nobody has said. */
export const nameIn = ({ by, onBehalfOf }: Pick<TimelineEntry, 'by' | 'onBehalfOf'>): string | null =>
  by === null ? null : nameOf({ by, onBehalfOf: onBehalfOf ?? undefined });

/** An entry with who and why, where its words do not say it. */
export function formatWithWho({ what, why, ...who }: TimelineEntry): string {
  const name = nameIn(who);
  return [
    what,
    ...(name !== null && !what.includes(name) ? [`by ${name}`] : []),
    ...(why !== null && !what.includes(why) ? [`because ${why}`] : []),
  ].join(', ');
}

const runIdOf = ([started]: readonly HistoryEvent[]): string =>
  started?.workflowExecutionStartedEventAttributes?.originalExecutionRunId ?? '';

interface DescribedEvent {
  readonly event: HistoryEvent;
  readonly what: string;
  readonly data: TimelineData;
  /** Who has made it happen, and why; null: nobody has said. */
  readonly who: Attribution | null;
}

/** What the process asks for, which Temporal then notes. */
const asked: readonly Attributes[] = [
  'activityTaskScheduledEventAttributes',
  'timerStartedEventAttributes',
  'timerCanceledEventAttributes',
  'upsertWorkflowSearchAttributesEventAttributes',
  'startChildWorkflowExecutionInitiatedEventAttributes',
];

const kindOf = (event: HistoryEvent): TimelineEntry['kind'] =>
  asked.some((attributes) => event[attributes]) ? 'did' : 'came';

/** Null: somebody else has written it. */
function jsonIn(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}

/** Those that tell a person something, of one run. */
async function describedEvents(
  events: readonly HistoryEvent[],
  decode: Decode,
  roleOf: RoleOf,
): Promise<DescribedEvent[]> {
  const all: DescribedEvent[] = [];
  const words = new Map<string, string>();
  const calls = new Map<string, CallData>();
  const breathe = breathing();
  for (const event of events) {
    await breathe();
    const summary = await decode(event.userMetadata?.summary);
    const id = String(event.eventId ?? '');
    if (typeof summary === 'string') words.set(id, summary);
    const { activityTaskScheduledEventAttributes: scheduled } = event;
    if (scheduled) calls.set(id, await callIn(scheduled, words.get(id), decode));
    const entry = await described(event, { words, calls, decode, roleOf });
    if (entry) all.push({ event, ...entry });
  }
  return all;
}

/** These name in their input what they call. */
async function callIn(
  { activityType, input }: Of<'activityTaskScheduledEventAttributes'>,
  summary: string | undefined,
  decode: Decode,
): Promise<CallData> {
  const activity = activityType?.name ?? 'unknown';
  const isNamed = activity === 'callConnector' || activity === 'callLockerApi' || activity === 'book';
  const given = isNamed ? await decode(input?.payloads?.[0]) : null;
  const connector = fieldOf(given, 'connector');
  // The id is not in the input; the name of the call begins with it.
  const id = connector === null ? null : (summary?.split(':')[0] ?? null);
  return { activity, id, connector, operation: fieldOf(given, 'operation') };
}

interface Description {
  /** The texts of scheduled activities and started timers, by the id of their event. */
  readonly words: ReadonlyMap<string, string>;
  /** By the id of the event that scheduled it. */
  readonly calls: ReadonlyMap<string, CallData>;
  readonly decode: Decode;
  readonly roleOf: RoleOf;
}

type EventSummary = Pick<DescribedEvent, 'what' | 'data' | 'who'>;
/** Null: it tells a person nothing. */
type OptionalSummary = EventSummary | null;

async function described(event: HistoryEvent, description: Description): Promise<OptionalSummary> {
  for (const [attributes, summarize] of summarizers) {
    const value = event[attributes];
    if (value) return await summarize(value as never, { ...description, id: String(event.eventId ?? '') });
  }
  return null;
}

type Summarizer = (
  value: never,
  description: Description & { readonly id: string },
) => Promise<OptionalSummary> | OptionalSummary;
type Attributes = keyof HistoryEvent;
type Of<Name extends Attributes> = NonNullable<HistoryEvent[Name]>;
const row = <Name extends Attributes>(
  name: Name,
  summarize: (
    value: Of<Name>,
    description: Description & { readonly id: string },
  ) => Promise<OptionalSummary> | OptionalSummary,
): readonly [Attributes, Summarizer] => [name, summarize as Summarizer];

const eventSummary = (what: string, data: TimelineData, who: Attribution | null = null): EventSummary => ({
  what,
  data,
  who,
});

const named = (words: ReadonlyMap<string, string>, id: unknown, otherwise: string) =>
  words.get(String(id)) ?? otherwise;

const UNKNOWN_CALL: CallData = { activity: 'unknown', id: null, connector: null, operation: null };

const endOf =
  (verb: string, type: 'callDone' | 'callTimedOut' | 'callCancelled') =>
  (
    { scheduledEventId }: { readonly scheduledEventId?: unknown },
    { words, calls }: Description,
  ): EventSummary =>
    eventSummary(`${verb}: ${named(words, scheduledEventId, 'an activity')}`, {
      type,
      ...(calls.get(String(scheduledEventId)) ?? UNKNOWN_CALL),
    });

function ofTimer(
  verb: string,
  type: 'timerBegun' | 'timerPassed' | 'timerDropped',
  name: string,
): EventSummary {
  return eventSummary(`${verb}: ${name}`, { type, ...timerData(name) });
}

const summarizers: readonly (readonly [Attributes, Summarizer])[] = [
  row('workflowExecutionStartedEventAttributes', async (started, { decode }) => {
    if (started.continuedExecutionRunId) return eventSummary('goes on in a new run', { type: 'continued' });
    const flow = started.workflowType?.name ?? '';
    const who = attributionIn(await decode(started.memo?.fields?.who));
    return eventSummary(`${flow} is started`, { type: 'started', flow }, who);
  }),
  row('activityTaskScheduledEventAttributes', ({ activityType }, { words, calls, id }) =>
    eventSummary(`begins: ${named(words, id, activityType?.name ?? 'an activity')}`, {
      type: 'callBegun',
      ...(calls.get(id) ?? UNKNOWN_CALL),
    }),
  ),
  row('activityTaskCompletedEventAttributes', endOf('done', 'callDone')),
  row('activityTaskFailedEventAttributes', ({ scheduledEventId, failure }, { words, calls }) =>
    eventSummary(`failed: ${named(words, scheduledEventId, 'an activity')}: ${failureText(failure)}`, {
      type: 'callFailed',
      ...(calls.get(String(scheduledEventId)) ?? UNKNOWN_CALL),
      failure: failureData(failure),
    }),
  ),
  row('activityTaskTimedOutEventAttributes', endOf('timed out', 'callTimedOut')),
  row('activityTaskCanceledEventAttributes', endOf('cancelled', 'callCancelled')),
  row('startChildWorkflowExecutionInitiatedEventAttributes', ({ workflowType, workflowId }) =>
    eventSummary(`starts: ${workflowType?.name} ${workflowId}`, {
      type: 'flowStarted',
      flow: workflowType?.name ?? '',
      key: workflowId ?? '',
    }),
  ),
  row('timerStartedEventAttributes', (_, { words, id }) =>
    ofTimer('timer', 'timerBegun', named(words, id, 'a timer')),
  ),
  row('timerFiredEventAttributes', ({ startedEventId }, { words }) =>
    ofTimer('passed', 'timerPassed', named(words, startedEventId, 'a timer')),
  ),
  row('timerCanceledEventAttributes', ({ startedEventId }, { words }) =>
    ofTimer('no more', 'timerDropped', named(words, startedEventId, 'a timer')),
  ),
  row('workflowExecutionSignaledEventAttributes', async (signal, { decode, roleOf }) => {
    const payload = await decode(signal.input?.payloads?.[0]);
    const { what, data } = signalSummary(signal.signalName ?? '', payload, roleOf);
    return eventSummary(what, data, attributionIn((payload as { readonly who?: unknown } | null)?.who));
  }),
  row('workflowExecutionUpdateAcceptedEventAttributes', async ({ acceptedRequest }, { decode }) => {
    const { name, args } = acceptedRequest?.input ?? {};
    const payload = await decode(args?.payloads?.[0]);
    const who = attributionIn(payload);
    return eventSummary(formatUpdate(name ?? '', payload), updateData(name ?? '', payload), who);
  }),
  row('upsertWorkflowSearchAttributesEventAttributes', async ({ searchAttributes }, { decode }) => {
    const phase = await decode(searchAttributes?.indexedFields?.LockerPhase);
    return phase ? eventSummary(`phase: ${phase}`, { type: 'phase', phase: String(phase) }) : null;
  }),
  row('workflowTaskFailedEventAttributes', ({ failure }) =>
    eventSummary(`a worker fails at it: ${failureText(failure)}`, {
      type: 'workerFailed',
      failure: failureData(failure),
    }),
  ),
  row('workflowExecutionCancelRequestedEventAttributes', ({ cause }) =>
    eventSummary('its cancellation is asked for', { type: 'cancelRequested' }, attributionIn(jsonIn(cause))),
  ),
  row('workflowExecutionCompletedEventAttributes', async ({ result }, { decode }) => {
    const value = await decode(result?.payloads?.[0]);
    const outcome = fieldOf(value, 'outcome') ?? fieldOf(value, 'ended');
    return eventSummary(`ends${outcome ? `: ${outcome}` : ''}`, { type: 'ended', outcome });
  }),
  row('workflowExecutionFailedEventAttributes', ({ failure }) =>
    eventSummary(`fails: ${failureText(failure)}`, { type: 'failed', failure: failureData(failure) }),
  ),
  row('workflowExecutionCanceledEventAttributes', () =>
    eventSummary('ends: Cancelled', { type: 'cancelled' }),
  ),
  row('workflowExecutionTerminatedEventAttributes', ({ reason }) =>
    eventSummary(`is terminated: ${reason || 'no reason given'}`, {
      type: 'terminated',
      reason: reason || null,
    }),
  ),
  row('workflowExecutionTimedOutEventAttributes', () => eventSummary('times out', { type: 'timedOut' })),
  row('workflowExecutionContinuedAsNewEventAttributes', () => null),
];

interface FailureInHistory {
  readonly message?: string | null;
  readonly applicationFailureInfo?: { readonly type?: string | null } | null;
  readonly cause?: FailureInHistory | null;
}

export function failureText(failure: FailureInHistory | null | undefined): string {
  const type = failure?.applicationFailureInfo?.type;
  const message = failure?.message;
  if (type && message) return withCode(type, message);
  return type || message || 'no reason given';
}

const failureData = (failure: FailureInHistory | null | undefined): FailureData => ({
  code: failure?.applicationFailureInfo?.type || null,
  message: failure?.message || null,
});

function signalSummary(name: string, payload: unknown, roleOf: RoleOf): EventSummary {
  const shipmentUid = fieldOf(payload, 'shipmentUid') ?? '';
  const role = roleOf(shipmentUid) ?? null;
  const shipment = role ?? shipmentUid;
  if (name === 'superseded') {
    const byKey = fieldOf(payload, 'byWorkflowId') ?? '';
    return eventSummary(`superseded: ${shipment} by ${byKey}`, {
      type: 'superseded',
      byKey,
      role,
      shipmentUid,
    });
  }
  const stateCode = fieldOf(payload, 'stateCode');
  const event = name === 'event' ? fieldOf(payload, 'type') : null;
  if (event) return eventSummary(`event ${event}`, { type: 'signalled', name, event });
  if (!stateCode) return eventSummary(`signal ${name}`, { type: 'signalled', name, event });
  const source = fieldOf(payload, 'source') ?? 'report';
  return eventSummary(`${source}: ${shipment} ${stateCode}`, {
    type: 'reported',
    source,
    stateCode,
    role,
    shipmentUid,
  });
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
