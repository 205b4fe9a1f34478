// A shipment flow for the engine: the chart of its declaration, its messages, and what people see.

import type { AnyMachineSnapshot } from 'xstate';
import type { FlowResult, Progress } from '../../contract/flows/flow-answers.ts';
import type { FlowInput, FlowRequest } from '../../contract/flows/flow-input.ts';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import type { FlowMemo } from '../../contract/flows/search-attributes.ts';
import type { Definition, MessageEvent, SearchAttributes } from '../../engine/definition.ts';
import type { Obstacle, Plan } from '../../engine/migration-plan.ts';
import { type Workflow, flow as workflowOf } from '../../engine/temporal/workflow.ts';
import { deadlineOf, extension } from '../../flows/booking/deadlines.ts';
import { type ResolveAction, receiverRefusal, resolveRefusal } from '../../flows/booking/decisions.ts';
import { type FlowContext, shipmentOf } from '../../flows/booking/known.ts';
import { isFinal, legState } from '../../flows/booking/leg-state.ts';
import { reportIn } from '../../flows/booking/messages.ts';
import { bookingProgress } from '../../flows/booking/progress.ts';
import { type FlowView, type Place, stageNames, viewOf } from '../../flows/booking/view.ts';
import { type Declaration, legOf, rolesOf, type Versions } from '../../flows/built-in/declaration.ts';
import { newestOf } from '../../flows/built-in/flows.ts';
import { nothingOfChart } from '../../flows/language/machine/progress.ts';
import { minute } from '../../flows/language/waiting-for.ts';
import { loadedChart } from '../chart-data.ts';
import { notificationOutbox } from '../event-delivery.ts';
import { clockOf } from '../sandbox-clock.ts';
import { parkCall } from './calls.ts';
import { shipmentChart } from './chart.ts';
import { shipmentCommands } from './commands.ts';
import { details } from './details.ts';
import { notifications, parentEvents } from './notifications.ts';
import { shipmentVocabulary } from './vocabulary.ts';

type InputOf<Flow extends Versions> = FlowInput<FlowRequest<Flow[keyof Flow & number]['operation']>>;

/** The workflow function of a shipment flow, made of the versions of its declaration. */
export function shipmentWorkflow<const Flow extends Versions>(
  versions: Flow,
): Workflow<InputOf<Flow>, FlowResult> {
  const built = Object.entries<Flow[number]>(versions).map(([version, declared]) => [
    version,
    () => shipmentFlow(declared),
  ]);
  return workflowOf(newestOf(versions).name, Object.fromEntries(built));
}

const signals = {
  shipmentStatus: 'A shipment has changed its state, as the callback or the listing said',
  superseded: 'Another flow has taken a shipment over and follows it from now on',
};

const updates = {
  setReceiver: 'Sets the receiver of a shipment: role, toUserUid, caseReferenceNew',
  removeReceiver: 'Removes the receiver of a shipment: role',
  extendDeadline: 'Sets a deadline anew: role, stage, and until (an instant) or fromNow (a duration)',
  resolve:
    'Decides what the flow cannot know: by, why, and action retry, adopt (shipments), setState (role, stateCode) or giveUp',
};

export function shipmentFlow(flow: Declaration): Definition {
  const view = views(flow);
  return {
    machine: loadedChart(shipmentChart(flow), shipmentVocabulary(flow)),
    signals,
    updates,
    refusal: (snapshot, event) => `${flow.name}: ${refusal(flow, view(snapshot), event)}`,
    progress: (snapshot, late) =>
      progress(
        flow,
        view(snapshot),
        snapshot,
        late.flatMap((one) => reportIn(one, Date.now()) ?? []),
      ),
    commands: shipmentCommands(flow, ({ snapshot }) => view(snapshot)),
    details: (snapshot) => details(flow, view(snapshot)),
    searchAttributes: (snapshot) => attributes(view(snapshot)),
    timerSummary: (delay, snapshot) => timerSummary(flow, knownIn(snapshot), delay),
    isOurs: (snapshot, { payload }) => isOurs(knownIn(snapshot), payload),
    handOver: parkCall,
    notifications: (before, now) => notifications(before, now, view),
    outbox: notificationOutbox,
    parentEvents: (before, now) => parentEvents(before && view(before), view(now)),
    versionAttribute: 'LockerFlowVersion',
    detailsMemo: 'consoleLink' satisfies keyof FlowMemo,
    clock: clockOf,
    takesOver: (snapshot, version, plan) => takenOver(flow, snapshot, version, plan),
  };
}

/** Each leg is then in the state that this declaration gives it, by the same facts. */
function takenOver(
  flow: Declaration,
  snapshot: AnyMachineSnapshot,
  version: number,
  { states: meant = {} }: Plan,
): ReturnType<NonNullable<Definition['takesOver']>> {
  const { following = {} } = snapshot.value as { readonly following?: Readonly<Record<string, string>> };
  const before = snapshot.machine.root.states.following?.states;
  const known = knownIn(snapshot);
  const states: Record<string, string> = {};
  const obstacles: Obstacle[] = [];
  for (const role of rolesOf(flow)) {
    const [was, state] = [following[role], legState(flow, known, role)];
    if (was === undefined || was === state) continue;
    const [path, image] = [`following.${role}.${was}`, `following.${role}.${state}`];
    states[path] = image;
    const isOver = before?.[role]?.states[was]?.type === 'final';
    if (isOver !== isFinal(legOf(flow, role), state) && !Object.hasOwn(meant, path))
      obstacles.push({
        code: 'FinalChanged',
        at: path,
        reason: `the leg ${role} is ${isOver ? 'over' : 'open'} in its version, and ${isOver ? 'open' : 'over'} in the other one (${state})`,
        remedy: `say that it is meant: states: { ${path}: ${image} } in the plan`,
      });
  }
  return {
    plan: { states },
    obstacles,
    context: (context) => {
      const { start, ...others } = context as FlowContext;
      return { ...others, start: { ...start, version } };
    },
  };
}

/** Computed once for each snapshot. */
function views(flow: Declaration): (snapshot: AnyMachineSnapshot) => FlowView {
  const computed = new WeakMap<AnyMachineSnapshot, FlowView>();
  return (snapshot) => {
    const view = computed.get(snapshot) ?? viewOf(flow, knownIn(snapshot), placeIn(snapshot));
    computed.set(snapshot, view);
    return view;
  };
}

/** A report that names no shipment is not handed to another flow. */
function isOurs(known: FlowContext, payload: unknown): boolean {
  const report = reportIn(payload, Date.now());
  return !report || shipmentOf(known, report.shipmentUid) !== undefined;
}

function knownIn(snapshot: AnyMachineSnapshot): FlowContext {
  return snapshot.context;
}

function placeIn(snapshot: AnyMachineSnapshot): Place {
  if (snapshot.matches({ undoing: 'stuck' })) return 'stuck';
  const { value } = snapshot;
  return (typeof value === 'string' ? value : Object.keys(value)[0]) as Place;
}

const resolvable: Readonly<Partial<Record<Place, readonly ResolveAction[]>>> = {
  bookingUnknown: ['retry', 'adopt', 'giveUp'],
  following: ['adopt', 'setState'],
  // Until it is known which shipment is which leg, nobody can say how a leg has ended.
  stuck: ['retry', 'adopt', 'setState', 'giveUp'],
};

/** Why an update is not possible now. */
type RefusalOf = (flow: Declaration, view: FlowView, event: MessageEvent) => string;

const onlyFollowing =
  (refusalOf: RefusalOf): RefusalOf =>
  (flow, view, event) =>
    view.place === 'following'
      ? refusalOf(flow, view, event)
      : `${event.type} is possible only while its shipments are followed`;

const ofReceiver = onlyFollowing(
  (flow, { known }, event) => receiverRefusal(flow, known, event) ?? 'the receiver cannot be changed now',
);

const refusals: Readonly<Record<keyof typeof updates, RefusalOf>> = {
  setReceiver: ofReceiver,
  removeReceiver: ofReceiver,
  extendDeadline: onlyFollowing((flow, { known }, { payload }) => {
    const wanted = extension(flow, known, payload, Date.now());
    return typeof wanted === 'string' ? wanted : 'the deadline cannot be extended now';
  }),
  resolve: (flow, { place, known }, { payload }) =>
    resolveRefusal(flow, known, payload, resolvable[place] ?? []) ?? 'there is nothing to resolve',
};

const isUpdate = (type: string): type is keyof typeof updates => Object.hasOwn(updates, type);

function refusal(flow: Declaration, view: FlowView, event: MessageEvent): string {
  const { type } = event;
  return isUpdate(type) ? refusals[type](flow, view, event) : `it has no update ${type}`;
}

function progress(
  flow: Declaration,
  view: FlowView,
  { value: state }: AnyMachineSnapshot,
  late: readonly ShipmentReport[],
): Progress {
  const booking = bookingProgress({ id: 'shipments', isWhole: true }, flow, view, late);
  const { id: _, isWhole: __, ...own } = booking;
  const { known, place, phase, waitingFor } = view;
  return {
    flow: flow.name,
    version: known.start.version,
    phase: place === 'ended' ? null : phase,
    waitingFor,
    state,
    ...nothingOfChart,
    ...own,
    bookings: [booking],
  };
}

/** Before the booking is known, only the need for a person is set or removed; one upsert sets the rest. */
function attributes({ phase, known }: FlowView): SearchAttributes | null {
  if (!known.booking)
    return phase === 'NeedsPerson' || known.resolutions.length > 0 ? { LockerPhase: phase } : null;
  const { caseNo, pupUid, knownAt } = known.booking;
  return {
    LockerPhase: phase,
    LockerShipmentUids: known.shipments.map(({ shipmentUid }) => shipmentUid),
    LockerBookedAt: new Date(knownAt),
    ...(caseNo === null ? {} : { LockerCase: caseNo }),
    ...(pupUid === null ? {} : { LockerPickUpPoint: pupUid }),
  };
}

const otherDelays: Readonly<Record<string, string>> = {
  callbacksOfUndoing: 'wait for the callbacks of the shipments that were undone',
  nextTryOfUndoing: 'wait before the next try to undo',
};

const stages = ['dropOff', 'receiver', 'pickUp'] as const;

function timerSummary(flow: Declaration, known: FlowContext, delay: string): string {
  const isReminder = delay.startsWith('reminder.');
  const [named = '', stageName] = delay.replace('reminder.', '').split('.');
  const role = rolesOf(flow).find((each) => each === named);
  const stage = stages.find((each) => each === stageName);
  if (!role || !stage) return otherDelays[delay] ?? delay;
  const until = deadlineOf(known, role, stage);
  const words = `${role}: ${stageNames[stage]} until ${until === null ? 'no deadline' : minute(until)}`;
  return isReminder ? `reminder of ${words}` : words;
}
