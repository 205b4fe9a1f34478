// A deadline that passes in each state that people can leave a flow in: what is booked is undone, the wall is as it was
// but for what lies in it, and the result tells that. `npm test` has two of the states at our service, the long suite all of
// them at both vendors. Last, a locker that stays booked: a pick-up changes no state there, and yet ends the wait for it.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { UpdateRefused } from '../../client/flow-errors.ts';
import { LockerFlows } from '../../client/locker-flows.ts';
import { SandboxClocks } from '../../client/sandbox-clock.ts';
import type { Progress } from '../../contract/flows/flow-answers.ts';
import type { Role } from '../../contract/flows/flow-input.ts';
import { flowRules, type ShipmentFlowType } from '../../contract/flows/flow-rules.ts';
import { LockerApi } from '../../shared/locker-api/index.ts';
import { eachSampled } from '../support/suite.ts';
import { wordsOf } from '../workflows/playing.ts';
import { basicService, credentials, type Installation, ourService, type Vendor } from './installation.ts';
import { Play } from './play.ts';
import { type Story, stories } from './stories.ts';
import { useInstallation } from './use-installation.ts';

/** What is waited for when that is what somebody has to do next, if it can have a deadline. */
const waits = stories
  // How a prior comes to begin changes nothing of how it is undone.
  .filter(({ steps }) => steps.every(([role]) => role !== 'former'))
  .filter(({ request }) => request.keepBookedAfterPickUp !== true)
  .flatMap((story) =>
    story.steps.flatMap(([role, step], steps) => {
      const pair = { role, stage: step === 'setReceiver' ? 'receiver' : step };
      const isDeadline = flowRules[story.flow].deadlines.some(
        (each) => each.role === pair.role && each.stage === pair.stage,
      );
      return isDeadline ? [{ story, steps, ...pair, role: role as Role, title: story.title }] : [];
    }),
  );

const waitsOfOverdue = (vendor: Vendor) => (vendor === ourService ? waits : waits.filter(isNotified));

/** Where nobody can be asked, only a callback tells a new shipment's role, or the state of a prior: nothing has begun before. */
function isNotified({ story: { legs }, steps, stage }: (typeof waits)[number]): boolean {
  const isOneNewShipment = Object.values(legs).length === 1 && !Object.values(legs).includes('prior');
  return steps > 0 || stage !== 'dropOff' || isOneNewShipment;
}

const installations = {
  [ourService.name]: useInstallation(ourService),
  [basicService.name]: useInstallation(basicService),
};
const at =
  ({ name }: Vendor) =>
  (): Installation => {
    const installation = installations[name];
    if (!installation) throw new TypeError(`there is no installation of ${name}`);
    return installation();
  };

eachSampled(
  describe,
  [ourService, basicService],
  2,
)('with $name', (vendor) => {
  const installation = at(vendor);

  eachSampled(
    test.concurrent,
    waitsOfOverdue(vendor),
    Math.ceil(waits.length / 2),
  )('$title is undone when the $stage of its $role is overdue', async ({ story, steps, role, stage }) => {
    const input = { deadlines: { [role]: { [stage]: 'PT1S' } }, onOverdue: 'cancel' };
    const play = await Play.begin({ installation: installation(), story, input });
    await play.doAll(story.steps.slice(0, steps));
    const result = await play.handle.result();
    expect(result).toMatchObject({ outcome: 'Overdue', overdue: [{ role, stage }] });
    await play.expectUndone(result.itemsLeft);
  });
});

describe('with a basic service', () => {
  const installation = at(basicService);
  const unknown = waits.filter((wait) => !isNotified(wait));

  eachSampled(
    test.concurrent,
    unknown,
    unknown.length,
  )(
    '$title is not overdue before it knows that the $stage of its $role has begun',
    async ({ story, role, stage }) => {
      const input = { deadlines: { [role]: { [stage]: 'PT0.001S' } }, onOverdue: 'cancel' };
      const play = await Play.begin({ installation: installation(), story, input });
      expect((await play.untilFollowed()).deadlines).toEqual([]);
      await play.doAll();
      await play.expectDone();
    },
  );
});

const DAY_MS = 86_400_000;
const patience = { timeout: 60_000, interval: 30 };
const deadlines = { collect: { pickUp: 'P1D' } };

const kept = (flow: ShipmentFlowType): Story => ({
  title: flow,
  flow,
  request: {
    keepBookedAfterPickUp: true,
    ...(flow === 'CollectByUser' ? { toUserUid: 'user-anna' } : {}),
  },
  legs: { collect: null },
  steps: [],
  ends: { collect: 'Cancelled' },
});

const collectFlows = ['CollectOnly', 'CollectByDispatcher', 'CollectByUser'] as const;

const until = (play: Play, holds: (progress: Progress) => boolean) =>
  vi.waitUntil(async () => {
    const progress = await play.progress();
    return holds(progress) && progress;
  }, patience);

const isWaiting = ({ deadlines: open }: Progress) => open.length === 1;
const isPickedUp = ({ shipments }: Progress) => shipments.collect?.pickedUpAt !== undefined;

// assumptions: States, Pick-up deadlines with KeepBookedAfterPickUp; assumptions: States, Outcome with KeepBookedAfterPickUp
describe('a locker that stays booked, at our service', () => {
  const installation = at(ourService);
  let api: LockerApi;
  const passADay = () =>
    new SandboxClocks(installation().client, (change) => api.sandboxClock(change)).advance(DAY_MS + 60_000);

  beforeAll(() => {
    const { address } = installation().service;
    api = new LockerApi({ apiUrl: address, authUrl: address, ...credentials });
  });
  afterAll(() => api.close());

  eachSampled(
    test,
    collectFlows,
    3,
  )(
    '%s: a pick-up in time counts; the locker stays booked until a person cancels it, which is its end',
    async (flow) => {
      const input = { deadlines, onOverdue: 'cancel', clock: 'sandbox' };
      const play = await Play.begin({ installation: installation(), story: kept(flow), input });
      await until(play, isWaiting);
      await play.does(['collect', 'pickUp']);
      const progress = await until(play, isPickedUp);
      expect(progress).toMatchObject({ phase: 'Open', activity: 'Following', deadlines: [] });
      expect(wordsOf(progress.waitingFor)).toEqual([
        expect.stringMatching(/^collect to be cancelled: it is kept booked, last picked up \d{4}-.* UTC$/),
      ]);
      expect(progress.reportHistory).toMatchObject([
        { stateCode: 'ReadyForPickup', judgement: 'pickedUp', pickedUpAt: expect.any(String), times: 1 },
      ]);
      await passADay();
      expect(await play.progress()).toMatchObject({ phase: 'Open', activity: 'Following' });
      const extension = { role: 'collect', stage: 'pickUp', fromNow: 'P1D' } as const;
      await expect(play.handle.extendDeadline(extension)).rejects.toThrow(/collect is picked up/);
      await play.does(['collect', 'pickUp']);
      await until(play, ({ reportHistory }) => reportHistory.length === 2);
      await play.does(['collect', 'cancel']);
      await play.expectDone();
      const { reportHistory, shipments } = await play.handle.progress();
      expect(shipments.collect?.pickedUpAt).toBe(reportHistory[1]?.pickedUpAt);
    },
  );

  eachSampled(
    test,
    collectFlows,
    3,
    1,
  )('%s: without a pick-up in time the deadline cancels it, and it is Overdue', async (flow) => {
    const input = { deadlines, onOverdue: 'cancel', clock: 'sandbox' };
    const play = await Play.begin({ installation: installation(), story: kept(flow), input });
    await until(play, isWaiting);
    await passADay();
    const result = await play.handle.result();
    expect(result).toMatchObject({
      outcome: 'Overdue',
      overdue: [{ role: 'collect', stage: 'pickUp' }],
      shipments: { collect: { stateCode: 'Cancelled' } },
      itemsLeft: [],
    });
    await play.expectUndone([]);
  });

  test('a late pick-up ends the phase Overdue, and the passed deadline stays in the result', {
    tags: 'long',
  }, async () => {
    const input = { deadlines, clock: 'sandbox' };
    const play = await Play.begin({ installation: installation(), story: kept('CollectByUser'), input });
    await until(play, isWaiting);
    await passADay();
    await until(play, ({ phase }) => phase === 'Overdue');
    await play.does(['collect', 'pickUp']);
    await until(play, (progress) => isPickedUp(progress) && progress.phase === 'Open');
    await play.does(['collect', 'cancel']);
    expect(await play.handle.result()).toMatchObject({
      outcome: 'Done',
      overdue: [{ role: 'collect', stage: 'pickUp' }],
    });
  });
});

async function expectRefused(start: Promise<unknown>): Promise<void> {
  const error = await start.then(
    () => new Error('it was not refused'),
    (refused: Error & { code?: string }) => refused,
  );
  expect(error).toMatchObject({ code: 'InvalidRequest' });
  expect(error.message).toMatch(
    /deadlines\.collect\.pickUp.* with request\.keepBookedAfterPickUp true.*accessMessages/,
  );
}

describe('a locker that stays booked, at a basic service', () => {
  const installation = at(basicService);

  eachSampled(
    test,
    collectFlows,
    3,
    2,
  )('%s with a deadline that nobody could tell it is met is refused, and books nothing', async (flow) => {
    const story = kept(flow);
    const play = await Play.begin({ installation: installation(), story, input: { deadlines } });
    await expectRefused(play.handle.result());
    expect(await installation().people.shipmentsAt(play.pupUid)).toEqual([]);
    const { client, taskQueue } = installation();
    let key = '';
    const begun = Play.begin({
      installation: installation(),
      story,
      input: { deadlines },
      flows: new LockerFlows(client, { taskQueue, lockerCapabilities: [] }),
      before: (workflowId) => {
        key = workflowId;
      },
    });
    await expectRefused(begun);
    await expect(client.workflow.getHandle(key).describe()).rejects.toThrow(/not found/);
  });

  test('it takes such a deadline where the locker is booked for one pick-up', async () => {
    const once: Story = {
      ...kept('CollectByUser'),
      request: { keepBookedAfterPickUp: false, toUserUid: 'user-anna' },
      ends: { collect: 'Completed' },
    };
    const play = await Play.begin({ installation: installation(), story: once, input: { deadlines } });
    await until(play, isWaiting);
    await play.does(['collect', 'pickUp']);
    await play.expectDone();
  });

  test('kept booked without a deadline it is done when it is cancelled, and takes no deadline later', async () => {
    const play = await Play.begin({ installation: installation(), story: kept('CollectByUser') });
    const { waitingFor } = await play.untilFollowed();
    expect(wordsOf(waitingFor)).toEqual(['collect to be cancelled: it is kept booked']);
    const extension = { role: 'collect', stage: 'pickUp', fromNow: 'P1D' } as const;
    const refused = play.handle.extendDeadline(extension);
    await expect(refused).rejects.toThrow(UpdateRefused);
    await expect(refused).rejects.toThrow(/does not report when it is picked up/);
    await play.does(['collect', 'pickUp']);
    await play.does(['collect', 'cancel']);
    await play.expectDone();
  });
});
