// @module-tag invariant
// A booking whose request or answer is lost on the way: never two bookings and none lost, whatever the service offers to
// find out; and where it cannot be known, the flow waits for a person. `npm test` plays one that the flow
// finds out and one that a person adopts, the long suite all of them.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ActivityDependencies } from '../../activities/activity-dependencies.ts';
import { FlowFailed } from '../../client/flow-errors.ts';
import { tryingOf } from '../../processes/views/execution.ts';
import { eachSampled } from '../support/suite.ts';
import { connectClient } from '../support/temporal.ts';
import { type Loss, type LossyWay, lossyWay } from './lossy-way.ts';
import { Play } from './play.ts';
import { type Story, storyOf } from './stories.ts';
import { useInstallation } from './use-installation.ts';

const lossyStories = [
  'Issue',
  'IssueAndSwapIntake',
  'IssueFromStock of stock that waits for a receiver',
  'IssueFromStockAndSubsequentIntakeAndCircularStock of stock that waits for a receiver',
].map(storyOf);
const cases = lossyStories.flatMap((story) =>
  (['before', 'after'] as const).map((loss) => ({ story, loss, title: story.title })),
);

/** An installation with such a way between worker and service; gives how a story begins with a loss on it. */
function useLossyWay(capabilities: string, dependencies?: Partial<ActivityDependencies>) {
  const vendor = {
    name: capabilities,
    switches: { idempotencyKey: capabilities.includes('idempotencyKey'), shuffledShipmentUids: true },
    settings: { LOCKER_CAPABILITIES: capabilities },
  };
  let way: LossyWay | undefined;
  const through = async (address: string) => (way = await lossyWay(address));
  const installation = useInstallation(vendor, { through, ...(dependencies && { dependencies }) });
  return async (story: Story, loss: Loss): Promise<Play> =>
    await Play.begin({
      installation: installation(),
      story,
      before: (workflowId) => way?.lose(workflowId, loss),
    });
}

const offers = ['getShipments', 'idempotencyKey', 'idempotencyKey,getShipments'];

eachSampled(
  describe,
  offers,
  offers.length,
)('where the service offers %s', (capabilities) => {
  const begin = useLossyWay(capabilities);
  eachSampled(
    test.concurrent,
    cases,
    cases.length,
    1,
  )('$title, lost $loss the service acts, books once', async ({ story, loss }) => {
    const play = await begin(story, loss);
    await play.doAll();
    await play.expectDone();
  });
});

describe('while it is in doubt', { tags: 'long' }, () => {
  // Long enough to look at it.
  const waiting = { pace: { settleMs: 300, firstDelayMs: 10_000, longestDelayMs: 10_000 } };
  const begin = useLossyWay('idempotencyKey', waiting);

  test('Temporal and `show` tell the attempt, what failed last, and when it is tried again', async () => {
    const play = await begin(storyOf('Issue'), 'after');
    const { client, close } = await connectClient();
    onTestFinished(close);
    const seen = await vi.waitUntil(
      async () => {
        const described = await client.workflow.getHandle(play.handle.workflowId).describe();
        const [trying] = await tryingOf(client, described);
        return trying?.lastFailure ? trying : undefined;
      },
      { timeout: 60_000, interval: 30 },
    );
    expect(seen).toEqual({
      activity: 'book',
      attempt: 1,
      lastFailure: expect.stringContaining('CreateLocalShipmentAsIssue'),
      nextTryAt: expect.any(String),
    });
    expect(Date.parse(seen.nextTryAt ?? '')).toBeGreaterThan(Date.now() - 10_000);
    await play.doAll();
    await play.expectDone();
  });
});

const decided = { by: 'ada', why: 'the service was asked by telephone' };

async function untilPersonIsNeeded({ handle }: Play): Promise<void> {
  const needsPerson = async () => (await handle.progress()).activity === 'NeedsPerson';
  await vi.waitUntil(needsPerson, { timeout: 60_000, interval: 30 });
}

describe('if the service has no way to find out', () => {
  const begin = useLossyWay('');

  eachSampled(
    test.concurrent,
    lossyStories,
    lossyStories.length,
    1,
  )('$title waits for a person, who adopts the booked shipments', async (story) => {
    const play = await begin(story, 'after');
    await untilPersonIsNeeded(play);
    const shipments = Object.fromEntries(
      [...(await play.untilBooked())].map(([role, { shipmentUid }]) => [role, shipmentUid]),
    );
    await play.handle.resolve({ ...decided, action: 'adopt', shipments });
    await play.doAll();
    await play.expectDone();
  });

  test.concurrent.each(lossyStories)(
    '$title waits for a person, who chooses retry',
    { tags: 'long' },
    async (story) => {
      const play = await begin(story, 'before');
      await untilPersonIsNeeded(play);
      expect(await play.booked()).toBeUndefined();
      await play.handle.resolve({ ...decided, action: 'retry' });
      await play.doAll();
      await play.expectDone();
    },
  );

  test.concurrent.each(lossyStories)(
    '$title waits for a person, who gives it up',
    { tags: 'long' },
    async (story) => {
      const play = await begin(story, 'before');
      await untilPersonIsNeeded(play);
      await play.handle.resolve({ ...decided, action: 'giveUp' });
      const failed = await play.handle.result().catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(FlowFailed);
      expect(failed).toMatchObject({ code: 'OutcomeUnknown' });
      expect(await play.booked()).toBeUndefined();
    },
  );
});
