// The events of a process in the order of its history, and their cost: the command line, the API and the page tell the same. It
// uses only texts without personal data: no inputs and no results.
import type { Client } from '@temporalio/client';
import { z } from 'zod';
import { withCode } from '../../client/flow-errors.ts';
import { isoTime } from './found-flows.ts';
import { updateWords } from './update-words.ts';

export interface TimelineEntry {
  readonly at: string | null;
  readonly what: string;
  /** Who made it happen, where a person did by the console. */
  readonly by: string | null;
  /** Whether it came to the process, or is what the process did then. */
  readonly kind: 'came' | 'did';
  readonly runId: string;
  readonly eventId: string;
}

export interface Timeline {
  readonly entries: readonly TimelineEntry[];
  readonly cost: Cost;
  /** Counts all its runs; more than one if it continued as new. */
  readonly runs: number;
}

/** Actions as Temporal Cloud counts them, without queries and heartbeats: these are not in a history. */
export interface Cost {
  readonly events: number;
  readonly actions: number;
}

export const timeline = z.object({
  entries: z
    .array(
      z.object({
        at: z.string().nullable(),
        what: z.string().meta({ description: 'In words, for people' }),
        by: z
          .string()
          .nullable()
          .meta({ description: 'Who made it happen, where a person did by the console' }),
        kind: z
          .enum(['came', 'did'])
          .meta({ description: 'Whether it came to the process, or is what the process did then' }),
        runId: z.string(),
        eventId: z.string().meta({ description: 'Of the event in the history of its run' }),
      }),
    )
    .meta({ description: 'What happened, the oldest first' }),
  cost: z.object({
    events: z.int(),
    actions: z.int().meta({ description: 'Temporal’s billable actions' }),
  }),
  runs: z.int().meta({ description: 'More than one if it continued as new' }),
}) satisfies z.ZodType<Timeline>;

type History = NonNullable<
  Awaited<ReturnType<Client['workflowService']['getWorkflowExecutionHistory']>>['history']
>;
export type HistoryEvent = NonNullable<History['events']>[number];

/** Decodes the payload of a data converter; null without one. */
export type Decode = (payload: Payload | null | undefined) => Promise<unknown>;
type Payload = NonNullable<NonNullable<HistoryEvent['userMetadata']>['summary']>;

/** The role of a shipment in its flow, if it is known. */
export type RoleOf = (shipmentUid: string) => string | undefined;

export async function timelineOf(
  runs: readonly (readonly HistoryEvent[])[],
  decode: Decode,
  roleOf: RoleOf,
): Promise<Timeline> {
  const entries: TimelineEntry[] = [];
  for (const events of runs) entries.push(...(await entriesOf(events, decode, roleOf)));
  const all = runs.flat();
  const actions = all.reduce((sum, event) => sum + actionsOf(event), 0);
  return { entries, cost: { events: all.length, actions }, runs: runs.length };
}

async function entriesOf(
  events: readonly HistoryEvent[],
  decode: Decode,
  roleOf: RoleOf,
): Promise<TimelineEntry[]> {
  const runId = runIdOf(events);
  const described = await describedEvents(events, decode, roleOf);
  return described.map(({ event, what }) => ({
    ...{ at: isoTime(event.eventTime), what, by: personOf(event), kind: kindOf(event) },
    ...{ runId, eventId: String(event.eventId) },
  }));
}

export const runIdOf = ([started]: readonly HistoryEvent[]): string =>
  started?.workflowExecutionStartedEventAttributes?.originalExecutionRunId ?? '';

export interface DescribedEvent {
  readonly event: HistoryEvent;
  readonly what: string;
  /** For the end of an activity: its type. */
  readonly activity?: string | undefined;
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

const OF_PERSON = / \(console\)$/;

/** The person's name, if a person did it by the console: it is Temporal's identity of the request. */
const personIn = (identity: string | null | undefined): string | null =>
  identity && OF_PERSON.test(identity) ? identity.replace(OF_PERSON, '') : null;

export function personOf(event: HistoryEvent): string | null {
  const { workflowExecutionSignaledEventAttributes: signal } = event;
  const cancelling = event.workflowExecutionCancelRequestedEventAttributes;
  const update = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.meta;
  return personIn(signal?.identity ?? cancelling?.identity ?? update?.identity);
}

/** The ids of the events with which the tasks of a run began that its workers have done. */
export const tasksIn = (events: readonly HistoryEvent[]): number[] =>
  events.flatMap(({ workflowTaskCompletedEventAttributes: done }) =>
    done ? [Number(done.startedEventId)] : [],
  );

/** Those that tell a person something, of one run. */
export async function describedEvents(
  events: readonly HistoryEvent[],
  decode: Decode,
  roleOf: RoleOf,
): Promise<DescribedEvent[]> {
  const all: DescribedEvent[] = [];
  const words = new Map<string, string>();
  const activities = new Map<string, string>();
  for (const event of events) {
    const summary = await decode(event.userMetadata?.summary);
    const id = String(event.eventId ?? '');
    if (typeof summary === 'string') words.set(id, summary);
    const { activityType } = event.activityTaskScheduledEventAttributes ?? {};
    if (activityType?.name) activities.set(id, activityType.name);
    const what = await described(event, { words, decode, roleOf });
    if (what !== null) all.push({ event, what, activity: activities.get(String(endOfActivity(event))) });
  }
  return all;
}

/** The id of the event that scheduled it; undefined: it is no end of an activity. */
const endOfActivity = (event: HistoryEvent) =>
  (
    event.activityTaskCompletedEventAttributes ??
    event.activityTaskFailedEventAttributes ??
    event.activityTaskTimedOutEventAttributes ??
    event.activityTaskCanceledEventAttributes
  )?.scheduledEventId;

interface Description {
  /** The texts of scheduled activities and started timers, by the id of their event. */
  readonly words: ReadonlyMap<string, string>;
  readonly decode: Decode;
  readonly roleOf: RoleOf;
}

async function described(event: HistoryEvent, description: Description): Promise<string | null> {
  for (const [attributes, tell] of tellers) {
    const value = event[attributes];
    if (value) return await tell(value as never, { ...description, id: String(event.eventId ?? '') });
  }
  return null;
}

type Teller = (
  value: never,
  description: Description & { readonly id: string },
) => Promise<string | null> | string | null;
type Attributes = keyof HistoryEvent;
type Of<Name extends Attributes> = NonNullable<HistoryEvent[Name]>;
const row = <Name extends Attributes>(
  name: Name,
  tell: (
    value: Of<Name>,
    description: Description & { readonly id: string },
  ) => Promise<string | null> | string | null,
): readonly [Attributes, Teller] => [name, tell as Teller];

const named = (words: ReadonlyMap<string, string>, id: unknown, otherwise: string) =>
  words.get(String(id)) ?? otherwise;

const tellers: readonly (readonly [Attributes, Teller])[] = [
  row('workflowExecutionStartedEventAttributes', ({ workflowType, continuedExecutionRunId }) =>
    continuedExecutionRunId ? 'goes on in a new run' : `${workflowType?.name} is started`,
  ),
  row(
    'activityTaskScheduledEventAttributes',
    ({ activityType }, { words, id }) => `begins: ${named(words, id, activityType?.name ?? 'an activity')}`,
  ),
  row(
    'activityTaskCompletedEventAttributes',
    ({ scheduledEventId }, { words }) => `done: ${named(words, scheduledEventId, 'an activity')}`,
  ),
  row(
    'activityTaskFailedEventAttributes',
    ({ scheduledEventId, failure }, { words }) =>
      `failed: ${named(words, scheduledEventId, 'an activity')}: ${failureText(failure)}`,
  ),
  row(
    'activityTaskTimedOutEventAttributes',
    ({ scheduledEventId }, { words }) => `timed out: ${named(words, scheduledEventId, 'an activity')}`,
  ),
  row(
    'activityTaskCanceledEventAttributes',
    ({ scheduledEventId }, { words }) => `cancelled: ${named(words, scheduledEventId, 'an activity')}`,
  ),
  row(
    'startChildWorkflowExecutionInitiatedEventAttributes',
    ({ workflowType, workflowId }) => `starts: ${workflowType?.name} ${workflowId}`,
  ),
  row('timerStartedEventAttributes', (_, { words, id }) => `timer: ${named(words, id, 'a timer')}`),
  row(
    'timerFiredEventAttributes',
    ({ startedEventId }, { words }) => `passed: ${named(words, startedEventId, 'a timer')}`,
  ),
  row(
    'timerCanceledEventAttributes',
    ({ startedEventId }, { words }) => `no more: ${named(words, startedEventId, 'a timer')}`,
  ),
  row('workflowExecutionSignaledEventAttributes', async ({ signalName, input }, { decode, roleOf }) =>
    signalText(signalName ?? '', await decode(input?.payloads?.[0]), roleOf),
  ),
  row('workflowExecutionUpdateAcceptedEventAttributes', async ({ acceptedRequest }, { decode }) => {
    const { name, args } = acceptedRequest?.input ?? {};
    return updateWords(name ?? '', await decode(args?.payloads?.[0]));
  }),
  row('upsertWorkflowSearchAttributesEventAttributes', async ({ searchAttributes }, { decode }) => {
    const phase = await decode(searchAttributes?.indexedFields?.LockerPhase);
    return phase ? `phase: ${phase}` : null;
  }),
  row('workflowTaskFailedEventAttributes', ({ failure }) => `a worker fails at it: ${failureText(failure)}`),
  row('workflowExecutionCancelRequestedEventAttributes', () => 'its cancellation is asked for'),
  row('workflowExecutionCompletedEventAttributes', async ({ result }, { decode }) => {
    const value = await decode(result?.payloads?.[0]);
    const outcome = fieldOf(value, 'outcome') ?? fieldOf(value, 'ended');
    return `ends${outcome ? `: ${outcome}` : ''}`;
  }),
  row('workflowExecutionFailedEventAttributes', ({ failure }) => `fails: ${failureText(failure)}`),
  row('workflowExecutionCanceledEventAttributes', () => 'ends: Cancelled'),
  row(
    'workflowExecutionTerminatedEventAttributes',
    ({ reason }) => `is terminated: ${reason || 'no reason given'}`,
  ),
  row('workflowExecutionTimedOutEventAttributes', () => 'times out'),
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

function signalText(name: string, payload: unknown, roleOf: RoleOf): string {
  const uid = fieldOf(payload, 'shipmentUid') ?? '';
  const shipment = roleOf(uid) ?? uid;
  if (name === 'superseded') return `superseded: ${shipment} by ${fieldOf(payload, 'byWorkflowId') ?? ''}`;
  const state = fieldOf(payload, 'stateCode');
  return state ? `${fieldOf(payload, 'source') ?? 'report'}: ${shipment} ${state}` : `signal ${name}`;
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
