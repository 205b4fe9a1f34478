// One flow of the plan, from what was there before it to its end: whoever starts it and the people at the lockers try
// each thing until it is done. What it came to is kept, to be judged when all is quiet.
import type { InputOf } from '../../../../client/flow-contract.ts';
import { FlowCancelled, FlowFailed } from '../../../../client/flow-errors.ts';
import type { FlowHandle } from '../../../../client/flow-handle.ts';
import type { LockerFlows } from '../../../../client/locker-flows.ts';
import type { Role } from '../../../../contract/flows/flow-input.ts';
import type { FlowResult } from '../../../../contract/flows/flow-result.ts';
import type { ShipmentFlowType } from '../../../../contract/flows/flow-rules.ts';
import { isActive } from '../../../../contract/machines/chart.ts';
import type { Priors, Step } from '../../../end-to-end/priors.ts';
import type { Story } from '../../../end-to-end/stories.ts';
import { areBooked, dimension, type Legs, legsOf, requestOf } from '../../../end-to-end/story-legs.ts';
import type { StoredShipment } from '../../../support/chains/stored-shipments.ts';
import type { Progress } from './disturb.ts';
import { type PatientPeople, untilDone, untilThere } from './patience.ts';
import type { PlannedFlow } from './plan.ts';
import type { Attempt } from './stands-still.ts';

export interface Player {
  readonly flows: LockerFlows;
  readonly people: PatientPeople;
  readonly progress: Progress;
  /** Has one locker, which no other flow that is open books: it must be free again for the next. */
  readonly pupUid: string;
}

/** What a flow came to, in its own words and in the database. */
export interface PlayedFlow {
  readonly workflowId: string;
  readonly planned: PlannedFlow;
  readonly ended: FlowResult | 'Cancelled' | { readonly failed: string };
  readonly legs: Legs;
  /** How many shipments were booked since it began. */
  readonly made: number;
  readonly lockersToBeEmptied: readonly string[];
}

interface Open extends Player {
  readonly story: Story;
  readonly priors: Priors | undefined;
  readonly before: readonly StoredShipment[];
  readonly handle: FlowHandle<FlowResult>;
  readonly attempt: Attempt;
}

export async function playFlow(
  player: Player,
  workflowId: string,
  planned: PlannedFlow,
  attempt: Attempt,
): Promise<PlayedFlow> {
  const { story, cancelledAfter } = planned;
  const { people, flows, progress, pupUid } = player;
  const booking = { pupUid, dimension, allowLargerLockers: false, allowOverflowLockers: false };
  const priors = await story.prior?.({ people, booking });
  const before = await people.shipmentsAt(pupUid);
  const input = { request: requestOf(story, priors, booking) } as InputOf<ShipmentFlowType>;
  await untilDone(() => flows.start(story.flow, workflowId, input), attempt.giveUp);
  progress.make();
  const handle = flows.handle<ShipmentFlowType>(workflowId);
  const open: Open = { ...player, story, priors, before, handle, attempt };
  for (const step of story.steps.slice(0, cancelledAfter ?? undefined)) {
    attempt.giveUp.throwIfAborted();
    await does(open, step);
    progress.make();
  }
  attempt.peopleWaitFor = cancelledAfter === null ? 'its end' : 'its end, for it was cancelled';
  if (cancelledAfter !== null) await untilDone(() => handle.cancel(), attempt.giveUp);
  const ended = await endOf(handle, attempt.giveUp);
  progress.make();
  const all = await people.shipmentsAt(pupUid);
  return {
    workflowId,
    planned,
    ended,
    legs: legsOf(story, priors, before, all),
    made: all.length - before.length,
    lockersToBeEmptied: (await people.lockersToBeEmptied(pupUid)).map(({ lockerName }) => lockerName),
  };
}

/** As the dispatcher does it: what is still active is cancelled, what was left behind is taken out. */
export async function clearAway({ people, pupUid }: Player): Promise<void> {
  await untilDone(async () => {
    const active = (await people.shipmentsAt(pupUid)).find(({ stateCode }) => isActive(stateCode));
    if (!active) return;
    await people.cancel(active.shipmentUid);
    throw new Error(`${active.shipmentUid} was still active at ${pupUid}`);
  });
  await people.takeOut(pupUid);
}

async function does(open: Open, [role, step]: Step): Promise<void> {
  const { people, priors, attempt } = open;
  attempt.peopleWaitFor = 'its booking';
  const legs = await booked(open);
  const uid = role === 'former' ? priors?.former : legs.get(role)?.shipmentUid;
  if (uid === undefined) throw new TypeError(`${open.story.title} has no ${role}`);
  attempt.peopleWaitFor = `${step} of the ${role} ${uid}`;
  if (step !== 'setReceiver') await people[step](uid);
  else if (role !== 'former') await setReceiver(open, role, uid);
}

function booked({ story, priors, before, people, pupUid, attempt }: Open): Promise<Legs> {
  const look = async () => {
    const legs = legsOf(story, priors, before, await people.shipmentsAt(pupUid));
    return areBooked(story, legs) ? legs : undefined;
  };
  return untilThere(`the booking of ${story.title}`, look, attempt.giveUp);
}

/** By the flow itself, which refuses it before it knows that the item is there, and once it is done. */
function setReceiver({ handle, people, attempt }: Open, role: Role, uid: string): Promise<string> {
  const look = async () => {
    const { toUserUid } = await people.shipment(uid);
    if (toUserUid === null) await handle.setReceiver({ role, toUserUid: 'user-bram' });
    return toUserUid ?? undefined;
  };
  return untilThere(`the receiver of ${uid}`, look, attempt.giveUp);
}

function endOf(handle: FlowHandle<FlowResult>, giveUp: AbortSignal): Promise<PlayedFlow['ended']> {
  return untilDone(async () => {
    try {
      return await handle.result();
    } catch (error) {
      if (error instanceof FlowCancelled) return 'Cancelled';
      if (error instanceof FlowFailed) return { failed: `${error.code}: ${error.message}` };
      throw error;
    }
  }, giveUp);
}
