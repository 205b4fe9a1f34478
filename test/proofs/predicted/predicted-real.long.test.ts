// What a flow predicts of a command is what happens with everything real: in each moment of each flow, every command that its
// process offers is asked about and then done. What the service shows is its own listing, from before and after.
import { type WorkflowHandle, WorkflowUpdateFailedError } from '@temporalio/client';
import { afterAll, expect, test, vi } from 'vitest';
import type { Action, Consequence, ShipmentEffect } from '../../../contract/flows/actions.ts';
import type { Progress } from '../../../contract/flows/flow-messages.ts';
import { flowRules, type ShipmentFlowType } from '../../../contract/flows/flow-rules.ts';
import type { ShipmentRecord } from '../../../contract/operations/shipment-reading.ts';
import { actionsOf, verdictOf } from '../../../processes/actions.ts';
import { ourService } from '../../end-to-end/installation.ts';
import { Play } from '../../end-to-end/play.ts';
import { type Story, stories } from '../../end-to-end/stories.ts';
import { useInstallation } from '../../end-to-end/use-installation.ts';
import { movedIn } from './moved-in.ts';
import { type Fields, possible } from './offered-commands.ts';

const TIMEOUT_MS = 600_000;
const PATIENCE_MS = 300_000;
// Counted from now, it would depend on when the process gets it.
const UNTIL = '2131-05-01T12:00:00.000Z';

const installation = useInstallation(ourService);

interface Moment {
  readonly title: string;
  readonly story: Story;
  readonly steps: number;
}

/** Of each flow the first story: how a prior came to be changes little of what can be done. */
const moments: readonly Moment[] = Object.keys(flowRules).flatMap((flow) => {
  const story = stories.find((each) => each.flow === flow);
  return story ? story.steps.map((_, steps) => ({ title: story.title, story, steps })) : [];
});

const inputOf = (flow: ShipmentFlowType): object => {
  const deadlines: Record<string, Record<string, string>> = {};
  for (const { role, stage } of flowRules[flow].deadlines)
    deadlines[role] = { ...deadlines[role], [stage]: 'P9D' };
  return { deadlines };
};

interface Offered {
  readonly action: Action;
  readonly fields: Fields;
}

class Scene {
  readonly play: Play;

  private constructor(play: Play) {
    this.play = play;
  }

  /** When the flow has heard of all that people have done. */
  static async at({ story, steps }: Moment): Promise<Scene> {
    const play = await Play.begin({ installation: installation(), story, input: inputOf(story.flow) });
    await play.untilFollowed();
    await play.doAll(story.steps.slice(0, steps));
    await play.untilHeard();
    return new Scene(play);
  }

  get #workflow(): WorkflowHandle {
    return installation().client.workflow.getHandle(this.play.handle.workflowId);
  }

  /** Each command that it offers, with one choice of its fields; another choice in another moment. */
  async offered(turn: number): Promise<Offered[]> {
    const actions = await actionsOf(installation(), this.play.handle.workflowId);
    return (actions?.actions ?? []).flatMap((action) => {
      const choices = possible([action]);
      const chosen = choices[turn % choices.length];
      if (!chosen) return [];
      const { fromNow, ...others } = chosen.fields;
      return [{ action, fields: { ...others, ...(fromNow !== undefined && { until: UNTIL }) } }];
    });
  }

  async predicted({ action: { command }, fields }: Offered): Promise<Consequence> {
    const verdict = await verdictOf(installation(), this.play.handle.workflowId, { command, fields });
    expect(verdict).toMatchObject({ isPossible: true, consequence: expect.anything() });
    return verdict?.consequence as Consequence;
  }

  /** False: the service refuses it, which only the service could know. */
  async do({ action: { command, sent }, fields }: Offered): Promise<boolean> {
    if (sent.kind === 'cancellation') await this.#workflow.cancel();
    else {
      try {
        await this.#workflow.executeUpdate(sent.name, { args: [{ ...fields, ...sent.constant }] });
      } catch (error) {
        if (!(error instanceof WorkflowUpdateFailedError)) throw error;
        expect([command, error.cause?.message]).toEqual([
          expect.stringMatching(/^(?:set|remove)Receiver$/),
          expect.anything(),
        ]);
        return false;
      }
    }
    return true;
  }

  /** Of every shipment at the pick up point, also of those that are none of the flow's. */
  async listed(): Promise<ReadonlyMap<string, ShipmentRecord>> {
    const { people } = installation();
    const page = await people.call('GetShipments', {
      bookedPupUid: this.play.pupUid,
      pageNo: 1,
      pageSize: 100,
    });
    const { items } = page as unknown as { items: readonly ShipmentRecord[] };
    return new Map(items.map((each) => [String(each.shipmentUid), each]));
  }

  progress(): Promise<Progress> {
    return this.play.handle.progress();
  }

  async closed(): Promise<string | null> {
    const { status } = await this.#workflow.describe();
    return (
      { RUNNING: null, COMPLETED: 'Completed', FAILED: 'Failed', CANCELLED: 'Canceled' }[
        status.name as string
      ] ?? null
    );
  }

  /** When the process has heard of everything that followed. A change of a receiver is done when its update is answered. */
  async settled({ after, shipments }: Consequence): Promise<void> {
    const isOfReceiver = shipments.some(
      ({ effect }) => effect === 'ReceiverSet' || effect === 'ReceiverRemoved',
    );
    if (after.ends) await vi.waitUntil(() => this.closed(), { timeout: PATIENCE_MS, interval: 30 });
    else if (!isOfReceiver) await this.play.untilHeard();
  }
}

let count = 0;
let refused = 0;
afterAll(() => console.log(`${count} commands were predicted and done; the service refused ${refused} more`));

test.concurrent.each(moments.map((moment, turn) => ({ ...moment, turn })))(
  '$title after $steps steps: each command does what was predicted',
  async ({ turn, ...moment }) => {
    const all = await (await Scene.at(moment)).offered(turn);
    expect(all.map(({ action }) => action.command)).toContain('cancel');
    for (const offered of all) await expectDone(moment, offered);
  },
  TIMEOUT_MS,
);

async function expectDone(moment: Moment, { action, fields }: Offered): Promise<void> {
  const scene = await Scene.at(moment);
  // The shipments are others than those of the process that was asked what it offers.
  const again = possible((await actionsOf(installation(), scene.play.handle.workflowId))?.actions ?? []);
  const own = again.find((each) => each.action.command === action.command);
  const offered = { action, fields: fields.shipments && own ? own.fields : fields };
  const [said, before, predicted] = [
    await scene.progress(),
    await scene.listed(),
    await scene.predicted(offered),
  ];
  // Asking has changed nothing; a report may have come once more.
  expect(onceEach(await scene.progress())).toEqual(onceEach(said));
  const isDone = await scene.do(offered);
  if (!isDone) refused += 1;
  else {
    count += 1;
    await scene.settled(predicted).catch((cause: unknown) => {
      throw new Error(`${action.command} ${JSON.stringify(fields)}: what was predicted does not come`, {
        cause,
      });
    });
  }
  const what = { command: action.command, fields: offered.fields };
  const after = await scene.listed();
  if (!isDone) return expect({ what, shown: statesOf(after) }).toEqual({ what, shown: statesOf(before) });
  expectAtService(what, predicted, before, after);
  await expectInProcess(what, predicted, said, scene);
}

const onceEach = (progress: Progress) => ({
  ...progress,
  ledger: progress.ledger.map((entry) => ({ ...entry, times: 1 })),
});

const statesOf = (listed: ReadonlyMap<string, ShipmentRecord>) =>
  [...listed].map(([uid, { stateCode, toUserUid }]) => [uid, stateCode, toUserUid]);

type Shown = Pick<ShipmentRecord, 'stateCode' | 'toUserUid'>;

/** What the service shows of a shipment afterwards. A receiver moves stock on. */
function expected(
  { stateCode, toUserUid }: Shown,
  effect: ShipmentEffect | undefined,
  fields: Fields,
): unknown[] {
  switch (effect?.effect) {
    case 'Cancelled':
      return ['Cancelled', toUserUid];
    case 'ReceiverRemoved':
      return [expect.stringMatching(/^(?:WaitForReceiver|Registered|ReadyForDropoff|ReadyForPickup)$/), null];
    case 'ReceiverSet':
      return [expect.stringMatching(/^(?:Registered|ReadyForDropoff|ReadyForPickup)$/), fields.toUserUid];
    default:
      return [stateCode, toUserUid];
  }
}

function expectAtService(
  what: { readonly fields: Fields },
  { shipments }: Consequence,
  before: ReadonlyMap<string, ShipmentRecord>,
  after: ReadonlyMap<string, ShipmentRecord>,
): void {
  const effects = new Map(shipments.map((effect) => [effect.shipmentUid, effect]));
  const wanted = [...before].map(([uid, record]) => {
    const [stateCode, toUserUid] = expected(record, effects.get(uid), what.fields);
    return [uid, effects.get(uid)?.effect, stateCode, toUserUid];
  });
  const shown = [...after].map(([uid, { stateCode, toUserUid }]) => [
    uid,
    effects.get(uid)?.effect,
    stateCode,
    toUserUid,
  ]);
  expect({ what, shown }).toEqual({ what, shown: wanted });
}

async function expectInProcess(
  what: object,
  { after, shipments, itemsLeft, deadlines }: Consequence,
  said: Progress,
  scene: Scene,
): Promise<void> {
  const progress = await scene.progress();
  // A callback of the receiver's change may move its leg on.
  const isMovedOn = shipments.some(({ effect }) => effect === 'ReceiverSet' || effect === 'ReceiverRemoved');
  const happened = { activity: progress.activity, phase: progress.phase, status: await scene.closed() };
  expect({ what, ...happened }).toEqual({
    ...{ what, activity: after.activity, phase: after.phase },
    status: after.ends?.status ?? null,
  });
  if (after.ends?.outcome) expect([what, progress.outcome]).toEqual([what, after.ends.outcome]);
  const left = new Set(said.itemsLeft.map(({ shipmentUid }) => shipmentUid));
  const added = progress.itemsLeft.filter(({ shipmentUid }) => !left.has(shipmentUid));
  expect([what, added]).toEqual([what, itemsLeft]);
  if (!isMovedOn || after.ends)
    expect([what, near(movedIn(said, progress), deadlines)]).toEqual([what, deadlines]);
}

/** Where a stage begins, its deadline counts from the moment at which the process gets the command, a little later. */
const near = (
  moved: Consequence['deadlines'],
  foretold: Consequence['deadlines'],
): Consequence['deadlines'] =>
  moved.map((move, index) => {
    const until = foretold[index]?.until;
    const isNear = move.until && until && Math.abs(Date.parse(move.until) - Date.parse(until)) < PATIENCE_MS;
    return isNear ? { ...move, until } : move;
  });
