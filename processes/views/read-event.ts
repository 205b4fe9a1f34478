// What one event of a history tells a person, by its kind.
import type { FlowActivities } from '../../activities/flow-activities.ts';
import { type Attribution, attributionIn } from '../../contract/flows/attribution.ts';
import { isOutreach } from '../../contract/flows/outreach.ts';
import { refusedCallIn } from '../../contract/wire/refused-call.ts';
import { titleIn } from '../../flows/language/item-title.ts';
import type { EventsPutAside } from './events-put-aside.ts';
import {
  type Attributes,
  type Decode,
  type FailureInHistory,
  fieldOf,
  type HistoryEvent,
  type Of,
  type Payload,
} from './history-event.ts';
import {
  type CallData,
  type FailureData,
  sentData,
  startedData,
  type TimelineData,
  timerData,
  updateData,
} from './timeline-data.ts';
import { isOfQuestion } from './updates.ts';

type Booked = Awaited<ReturnType<FlowActivities['book']>>;

/** The role of a shipment in its flow, if it is known. */
type RoleOf = (shipmentUid: string) => string | undefined;

/** A flow that the process has started. */
interface Child {
  readonly flow: string;
  readonly itemTitle?: string;
}

export interface EventContext {
  /** The id of the event. */
  readonly id: string;
  /** When it was, ISO 8601. */
  readonly at: string | null;
  /** By their keys, over all runs. */
  readonly children: Map<string, Child>;
  /** By shipment, as its booking was answered: a process forgets those of former bookings. Over all runs. */
  readonly bookedRoles: Map<string, string>;
  /** The ids of the events taken so far, over all runs. */
  readonly eventIds: Set<string>;
  /** Those of started timers, by the id of their event. */
  readonly names: ReadonlyMap<string, string>;
  /** By the id of the event that scheduled it. */
  readonly calls: ReadonlyMap<string, CallData>;
  /** To updates, by the id of the event that accepted it. */
  readonly answers: ReadonlyMap<string, Payload>;
  readonly putAside: Pick<EventsPutAside, 'reasonOf'>;
  readonly decode: Decode;
  readonly roleOf: RoleOf;
}

interface Said {
  readonly data: TimelineData;
  /** Who has made it happen, and why; absent: nobody has said. */
  readonly who?: Attribution | null;
}

export async function readEvent(event: HistoryEvent, context: EventContext): Promise<Found> {
  for (const [attributes, read] of readers) {
    const value = event[attributes];
    if (value) return await read(value as never, context);
  }
  return null;
}

/** Null: it tells a person nothing. */
type Read<Value> = (value: Value, context: EventContext) => Promise<Found> | Found;
type Found = Said | readonly Said[] | null;
const row = <Name extends Attributes>(
  name: Name,
  read: Read<Of<Name>>,
): readonly [Attributes, Read<never>] => [name, read];

const UNKNOWN_CALL: CallData = { activity: 'unknown', id: null, connector: null, operation: null };

const callAt = (id: unknown, { calls }: EventContext): CallData => calls.get(String(id)) ?? UNKNOWN_CALL;

const endOf =
  (type: 'callTimedOut' | 'callCancelled'): Read<{ readonly scheduledEventId?: unknown }> =>
  ({ scheduledEventId }, context) => ({ data: { type, ...callAt(scheduledEventId, context) } });

const ofTimer = (
  type: 'timerBegun' | 'timerPassed' | 'timerDropped',
  id: unknown,
  { names }: EventContext,
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
  row('activityTaskScheduledEventAttributes', (_, context) => ({
    data: { type: 'callBegun', ...callAt(context.id, context) },
  })),
  row('activityTaskCompletedEventAttributes', async ({ scheduledEventId, result }, context) => {
    const call = callAt(scheduledEventId, context);
    if (call.activity === 'book') {
      const { shipments = [] } = ((await context.decode(result?.payloads?.[0])) ?? {}) as Partial<Booked>;
      for (const { shipmentUid, role } of shipments) if (role) context.bookedRoles.set(shipmentUid, role);
    }
    return { data: { type: 'callDone', ...call } };
  }),
  row('activityTaskFailedEventAttributes', async ({ scheduledEventId, failure }, context) => ({
    data: {
      type: 'callFailed',
      ...callAt(scheduledEventId, context),
      failure: await failureData(failure, context),
    },
  })),
  row('activityTaskTimedOutEventAttributes', endOf('callTimedOut')),
  row('activityTaskCanceledEventAttributes', endOf('callCancelled')),
  row('startChildWorkflowExecutionInitiatedEventAttributes', ({ workflowType, workflowId }, context) => {
    const itemTitle = titleIn(context.names.get(context.id) ?? '');
    const child = { flow: workflowType?.name ?? '', ...(itemTitle !== undefined && { itemTitle }) };
    const key = workflowId ?? '';
    context.children.set(key, child);
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
  row('timerStartedEventAttributes', (_, context) => ofTimer('timerBegun', context.id, context)),
  row('timerFiredEventAttributes', ({ startedEventId }, context) =>
    ofTimer('timerPassed', startedEventId, context),
  ),
  row('timerCanceledEventAttributes', ({ startedEventId }, context) =>
    ofTimer('timerDropped', startedEventId, context),
  ),
  row('workflowExecutionSignaledEventAttributes', async (signal, context) => {
    const { decode, roleOf, bookedRoles, children } = context;
    const payload = await decode(signal.input?.payloads?.[0]);
    if (signal.signalName === CHILD_EVENT) return toldBy(signal, payload, children);
    const { who } = (payload ?? {}) as { readonly who?: unknown };
    const data = signalData(signal.signalName ?? '', payload, (uid) => roleOf(uid) ?? bookedRoles.get(uid));
    const became = signal.signalName === 'event' ? becameOf(payload, context) : {};
    return { data: { ...data, ...became }, who: attributionIn(who) };
  }),
  row('workflowExecutionUpdateAcceptedEventAttributes', async ({ acceptedRequest }, context) => {
    const { id, answers, decode } = context;
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
  row('workflowTaskFailedEventAttributes', async ({ failure }, context) => ({
    data: { type: 'workerFailed', failure: await failureData(failure, context) },
  })),
  row('workflowExecutionCancelRequestedEventAttributes', ({ cause }) => ({
    data: { type: 'cancelRequested' },
    who: attributionIn(jsonIn(cause)),
  })),
  row('workflowExecutionCompletedEventAttributes', async ({ result }, { decode }) => {
    const value = await decode(result?.payloads?.[0]);
    return { data: { type: 'ended', outcome: fieldOf(value, 'outcome') ?? fieldOf(value, 'ended') } };
  }),
  row('workflowExecutionFailedEventAttributes', async ({ failure }, context) => ({
    data: { type: 'failed', failure: await failureData(failure, context) },
  })),
  row('workflowExecutionCanceledEventAttributes', () => ({ data: { type: 'cancelled' } })),
  row('workflowExecutionTerminatedEventAttributes', ({ reason }) => ({
    data: { type: 'terminated', reason: reason || null },
  })),
  row('workflowExecutionTimedOutEventAttributes', () => ({ data: { type: 'timedOut' } })),
];

async function failureData(
  failure: FailureInHistory | null | undefined,
  { decode }: Pick<EventContext, 'decode'>,
): Promise<FailureData> {
  const { type, details } = failure?.applicationFailureInfo ?? {};
  const refused = refusedCallIn(type, await decode(details?.payloads?.[0]));
  return { code: type || null, message: failure?.message || null, ...refused };
}

/** The signal by which a flow tells the one that has started it (engine/temporal/family.ts). */
const CHILD_EVENT = 'childEvent';

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
  children: EventContext['children'],
): Said {
  const event = childEventIn(payload);
  if (event === null) return { data: { type: 'signalled', name: CHILD_EVENT, event } };
  const key = externalWorkflowExecution?.workflowId || null;
  const child = children.get(key ?? '') ?? { flow: null };
  return { data: { type: 'toldBy', key, event, ...child } };
}

/** What became of an event from outside; nothing if it was taken, or cannot be decoded. */
function becameOf(
  payload: unknown,
  { eventIds, putAside }: EventContext,
): Pick<Extract<TimelineData, { type: 'signalled' }>, 'isRepeated' | 'putAside'> {
  if (fieldOf(payload, 'type') === null) return {};
  const reason = putAside.reasonOf(payload);
  if (reason !== undefined) return { putAside: reason };
  const id = fieldOf(payload, 'id');
  if (id === null) return {};
  if (eventIds.has(id)) return { isRepeated: true };
  eventIds.add(id);
  return {};
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

/** Null: somebody else has written it. */
function jsonIn(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}
