// A shipment flow as the driver runs it: the chart of its declaration, its messages, and what people see of it.
import type { AnyMachineSnapshot } from 'xstate';
import type { Definition, MessageEvent, SearchAttributes } from '../../driver/definition.ts';
import type { Declaration } from '../../flows/declaration.ts';
import { parkCall } from './calls.ts';
import { shipmentChart } from './chart.ts';
import { deadlineOf, stageDelays } from './deadlines.ts';
import { details } from './details.ts';
import { extension } from './extension.ts';
import { type Knowledge, shipmentOf } from './knowledge.ts';
import { progress } from './progress.ts';
import { reportIn } from './reading.ts';
import { receiverRefusal } from './receiver.ts';
import { type ResolveAction, resolveRefusal } from './resolution.ts';
import { minute, type Place, phaseOf, stageWords } from './words.ts';

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
  return {
    machine: shipmentChart(flow),
    signals,
    updates,
    refusal: (snapshot, event) => `${flow.name}: ${refusal(flow, snapshot, event)}`,
    progress: (snapshot, late) =>
      progress(
        flow,
        knownIn(snapshot),
        placeIn(snapshot),
        late.flatMap((one) => reportIn(one) ?? []),
      ),
    details: (snapshot) => details(flow, knownIn(snapshot), placeIn(snapshot)),
    searchAttributes: (snapshot) => attributes(flow, knownIn(snapshot), placeIn(snapshot)),
    timerSummary: (delay, snapshot) => timerSummary(flow, knownIn(snapshot), delay),
    isOurs: (snapshot, { payload }) => isOurs(knownIn(snapshot), payload),
    handOver: parkCall,
    versionAttribute: 'LockerFlowVersion',
  };
}

/** What tells of no shipment at all is nobody else's either. */
function isOurs(known: Knowledge, payload: unknown): boolean {
  const report = reportIn(payload);
  return !report || shipmentOf(known, report.shipmentUid) !== undefined;
}

function knownIn(snapshot: AnyMachineSnapshot): Knowledge {
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
  stuck: ['retry', 'setState', 'giveUp'],
};

function refusal(flow: Declaration, snapshot: AnyMachineSnapshot, event: MessageEvent): string {
  const known = knownIn(snapshot);
  const place = placeIn(snapshot);
  if (event.type === 'resolve')
    return resolveRefusal(flow, known, event, resolvable[place] ?? []) ?? 'there is nothing to resolve';
  if (place !== 'following') return `${event.type} is possible only while its shipments are followed`;
  if (event.type === 'extendDeadline') {
    const wanted = extension(flow, known, event);
    return typeof wanted === 'string' ? wanted : 'the deadline cannot be extended now';
  }
  return receiverRefusal(flow, known, event) ?? 'the receiver cannot be changed now';
}

/** Nothing before the booking is known: one upsert tells it all, unless a person is needed before, and no more at the end. */
function attributes(flow: Declaration, known: Knowledge, place: Place): SearchAttributes | null {
  const phase = phaseOf(flow, known, place);
  const wasDecided = place === 'ended' && known.resolutions.length > 0;
  if (!known.booking) return phase === 'NeedsPerson' || wasDecided ? { LockerPhase: phase } : null;
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
  callbacksOfUndoing: 'wait for the callbacks of what was undone',
  nextTryOfUndoing: 'wait before it is tried again to undo',
};

function timerSummary(flow: Declaration, known: Knowledge, delay: string): string {
  const named = stageDelays.find((each) => each.delay === delay);
  if (!named) return otherDelays[delay] ?? delay;
  const until = deadlineOf(flow, known, named.role, named.stage);
  return `${named.role}: ${stageWords[named.stage]} until ${until === null ? 'no deadline' : minute(until)}`;
}
