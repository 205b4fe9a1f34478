// The scenes that are recorded for each flow. Each scene lets its process wait in some states, then brings it to its end.
// Do not change a scene of a version that is recorded: its recordings are never made again.
import { ApplicationFailure } from '@temporalio/common';
import type { Progress } from '../../../contract/flows/flow-messages.ts';
import { type Outside, reportOf } from '../outside.ts';
import type { Action, Story } from '../stories.ts';

export interface Stage {
  readonly outside: Outside;
  /** Waits until the process is at rest and `where` is true. Then records the waiting process. */
  waits(where: (progress: Progress) => boolean): Promise<void>;
  does(action: Action): Promise<void>;
  /** Waits until the process continues as a new run. */
  growsLong(): Promise<void>;
  signal(name: string, payload: object): Promise<void>;
  update(name: string, payload: object): Promise<void>;
  cancel(): Promise<void>;
}

export interface Scene {
  /** The name of the recording at the end. The recordings of the waiting process add a number to it. */
  readonly name: string;
  /** Further fields of the request, in addition to the story's. */
  readonly request?: object;
  readonly input?: object;
  /** Whether the peer is bare: it reports no roles, and its answers have no states. */
  readonly isBare?: boolean;
  play(stage: Stage): Promise<void>;
}

const isBooked = ({ activity }: Progress) => activity !== 'Booking';
const is = (activity: Progress['activity']) => (progress: Progress) => progress.activity === activity;
const decided = { by: 'ada', why: 'the service was asked by telephone' };

export function scenesOf(story: Story): Scene[] {
  const [[role, action] = []] = story.actions;
  const stage = action === 'ItemDroppedOff' ? 'dropOff' : 'pickUp';
  const firstEndsIn = (duration: string) => ({ deadlines: { [role ?? '']: { [stage]: duration } } });
  return [
    { name: 'done', play: (on) => goesOn(on, story.actions) },
    {
      name: 'cancelled',
      input: firstEndsIn('P1D'),
      play: async (on) => {
        await on.waits(isBooked);
        await on.cancel();
      },
    },
    { name: 'retried', play: (on) => isRetried(on, story) },
    { name: 'adopted', play: (on) => isAdopted(on, story) },
    { name: 'locker', input: { waitForLocker: 'PT1H' }, play: (on) => waitsForLocker(on, story) },
    {
      name: 'overdue',
      input: firstEndsIn('PT1S'),
      play: async (on) => {
        await on.waits(({ phase }) => phase === 'Overdue');
        await on.update('extendDeadline', { role, stage, fromNow: 'P1D' });
        await goesOn(on, story.actions);
      },
    },
    {
      name: 'continued',
      input: firstEndsIn('P1D'),
      play: async (on) => {
        await on.waits(isBooked);
        await on.growsLong();
        await goesOn(on, story.actions);
      },
    },
    {
      name: 'overdue-cancelled',
      input: { ...firstEndsIn('PT1S'), onOverdue: 'cancel' },
      play: async () => {},
    },
    { name: 'stuck', play: isStuck },
    { name: 'bare', isBare: true, play: (on) => goesOn(on, story.actions) },
    { name: 'corrected', play: (on) => isCorrected(on, story) },
    { name: 'superseded', play: isSuperseded },
    ...(story.flow === 'LocalShipment' ? [receiver] : []),
    ...(role === 'collect' ? [pickedUp] : []),
  ];
}

const receiver: Scene = {
  name: 'receiver',
  request: { toUserUid: undefined, fromUserUid: 'user-bram', isReceiverDelayed: true },
  play: async (on) => {
    await on.waits(isBooked);
    await on.does(['shipment', 'ItemDroppedOff']);
    await on.waits(({ shipments }) => shipments.shipment?.stateCode === 'WaitForReceiver');
    await on.update('setReceiver', { role: 'shipment', toUserUid: 'user-anna' });
    await goesOn(on, [['shipment', 'ItemPickedUp']]);
  },
};

const pickedUp: Scene = {
  name: 'picked-up',
  request: { keepBookedAfterPickUp: true },
  input: { deadlines: { collect: { pickUp: 'P1D' } }, onOverdue: 'cancel' },
  play: async (on) => {
    await on.waits(({ deadlines }) => deadlines.length === 1);
    await on.does(['collect', 'ItemPickedUp']);
    await on.waits(({ deadlines, shipments }) => deadlines.length === 0 && shipments.collect !== undefined);
    await on.does(['collect', 'Cancelled']);
  },
};

/** Lets the process wait before each action. The last action ends it. */
async function goesOn(on: Stage, actions: readonly Action[]): Promise<void> {
  for (const action of actions) {
    await on.waits(isBooked);
    await on.does(action);
  }
}

async function isRetried(on: Stage, { actions }: Story): Promise<void> {
  const { activities } = on.outside;
  const { book } = activities;
  activities.book = async () => {
    throw unknownOutcome();
  };
  await on.waits(is('NeedsPerson'));
  activities.book = book;
  await on.update('resolve', { ...decided, action: 'retry' });
  await goesOn(on, actions);
}

async function isAdopted(on: Stage, { actions }: Story): Promise<void> {
  const { activities, roles } = on.outside;
  const { book } = activities;
  activities.book = async (input) => {
    await book(input);
    throw unknownOutcome();
  };
  await on.waits(is('NeedsPerson'));
  await on.update('resolve', { ...decided, action: 'adopt', shipments: Object.fromEntries(roles) });
  await goesOn(on, actions);
}

async function waitsForLocker(on: Stage, { actions }: Story): Promise<void> {
  const { activities } = on.outside;
  const { book } = activities;
  activities.book = async () => {
    throw ApplicationFailure.create({
      type: 'NoLockerAvailable',
      message: 'all are booked',
      nextRetryDelay: '200 ms',
      category: 'BENIGN',
    });
  };
  await on.waits(is('Booking'));
  activities.book = book;
  await goesOn(on, actions);
}

/** The undoing takes long, fails, and then waits for a person. */
async function isStuck(on: Stage): Promise<void> {
  const { activities } = on.outside;
  const { undo } = activities;
  const answered = Promise.withResolvers<void>();
  activities.undo = async ({ shipments }) => {
    await answered.promise;
    return {
      shipments: shipments.map(({ shipmentUid }) => ({
        shipmentUid,
        undone: 'NotUndone' as const,
        stateCode: null,
        error: 'Unauthorized',
      })),
    };
  };
  await on.waits(is('Following'));
  await on.cancel();
  await on.waits(is('Undoing'));
  answered.resolve();
  await on.waits(is('NeedsPerson'));
  activities.undo = undo;
  await on.update('resolve', { ...decided, action: 'retry' });
}

/** A report contradicts what the flow knows, and a person says that nothing has changed. */
async function isCorrected(on: Stage, { actions }: Story): Promise<void> {
  const [[role] = []] = actions;
  if (!role) return;
  await on.waits(isBooked);
  const shipmentUid = on.outside.uid(role);
  const stateCode = on.outside.stateOf(shipmentUid);
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  await on.outside.deliver(reportOf(shipmentUid, 'Registered', inAnHour));
  await on.waits(({ phase }) => phase === 'NeedsPerson');
  await on.update('resolve', { ...decided, action: 'setState', role, stateCode });
  await goesOn(on, actions);
}

/** Other flows take over its shipments, one after the other. */
async function isSuperseded(on: Stage): Promise<void> {
  await on.waits(isBooked);
  for (const shipmentUid of on.outside.roles.values()) {
    await on.signal('superseded', { shipmentUid, byWorkflowId: 'another-flow' });
  }
}

function unknownOutcome(): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'OutcomeUnknown',
    message: 'nobody knows',
    nonRetryable: true,
    details: [{ why: 'the answer was lost', candidates: [] }],
    category: 'BENIGN',
  });
}
