// The scenes that are recorded: for each flow how it is done, how it is undone, and two others. The flows have one engine and
// one chart, so each kind of scene is recorded for two or three of them. Each brings its process to its end.
import { ApplicationFailure } from '@temporalio/common';
import type { Progress } from '../../../contract/flows/flow-answers.ts';
import { notUndone, type Outside, reportOf } from '../outside.ts';
import { type Action, requestOf, type Story, stories } from '../stories.ts';

export interface Stage {
  readonly outside: Outside;
  /** Waits until the process is at rest and `where` is true. */
  waits(where: (progress: Progress) => boolean): Promise<void>;
  does(action: Action): Promise<void>;
  /** Waits until the process continues as a new run, and records the one before. */
  growsLong(): Promise<void>;
  signal(name: string, payload: object): Promise<void>;
  update(name: string, payload: object): Promise<void>;
  cancel(): Promise<void>;
}

export interface Scene {
  readonly flow: string;
  readonly name: string;
  /** Whether the peer is bare: it reports no roles, and its answers have no states. */
  readonly isBare?: boolean | undefined;
  /** With what the process is started. */
  input(outside: Outside): Promise<object>;
  play(stage: Stage): Promise<void>;
}

interface ShipmentScene extends Pick<Scene, 'name' | 'isBare' | 'play'> {
  /** Further fields of the request, in addition to the story's. */
  readonly request?: object;
  readonly input?: object;
}

const isBooked = ({ activity }: Progress) => activity !== 'Booking';
const is = (activity: Progress['activity']) => (progress: Progress) => progress.activity === activity;
const decided = { by: 'ada', why: 'the service was asked by telephone' };

/** In addition to `done`. */
const recorded: Readonly<Record<string, readonly string[]>> = {
  LocalShipment: ['cancelled', 'receiver', 'locker'],
  Issue: ['cancelled', 'adopted', 'superseded'],
  IssueAndSwapIntake: ['stuck', 'bare', 'adopted'],
  Stock: ['overdue-cancelled', 'locker', 'retried'],
  StockAfterSwapIntake: ['cancelled', 'bare', 'corrected'],
  IssueFromStock: ['cancelled', 'overdue', 'superseded'],
  IssueFromStockAndSwapIntake: ['overdue-cancelled', 'continued'],
  Intake: ['stuck', 'continued'],
  IntakeAndCircularStock: ['cancelled', 'bare', 'corrected'],
  IssueFromStockAndSubsequentIntakeAndCircularStock: ['stuck', 'overdue', 'adopted'],
  CollectOnly: ['overdue-cancelled', 'picked-up', 'superseded'],
  CollectByDispatcher: ['cancelled', 'picked-up', 'retried'],
  CollectByUser: ['stuck', 'overdue', 'locker'],
};
const ofAnotherFlow = ['cancelled', 'overdue', 'adopted'];

export const scenes = (): Scene[] => [...stories.flatMap(recordedOf), ...onboarding];

const recordedOf = (story: Story): Scene[] =>
  scenesOf(story)
    .filter(({ name }) => name === 'done' || (recorded[story.flow] ?? ofAnotherFlow).includes(name))
    .map(({ name, isBare, play, request, input }) => ({
      flow: story.flow,
      name,
      isBare,
      play,
      input: async (outside: Outside) => ({
        request: { ...(await requestOf(story, outside)), ...request },
        ...input,
      }),
    }));

/** An onboarding waits for nobody. It only reports the details of its account, or sets them. */
const onboarding = Object.entries({ done: {}, applied: { applyDetails: true } }).map(([name, given]) => ({
  flow: 'OnboardAccount',
  name,
  input: async () => ({
    request: {
      emailAddress: 'a@example.com',
      firstName: 'A',
      lastName: 'B',
      pickUpPointUid: 'pup-central',
    },
    ...given,
  }),
  play: async () => {},
}));

function scenesOf(story: Story): ShipmentScene[] {
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

const receiver: ShipmentScene = {
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

const pickedUp: ShipmentScene = {
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
  activities.undo = async (input) => {
    await answered.promise;
    return notUndone(input);
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
