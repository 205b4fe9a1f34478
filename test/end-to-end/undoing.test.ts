// Flows cancelled in each state that people can leave them in, with everything real: nothing of them stays on the wall,
// nothing of others goes from it, whether or not the flow knows which of its shipments is which. `npm test` has two of the
// states at our service, the long suite all of them at both vendors. Last, stock that is given back: its case number was the
// flow's while the flow ran, and is its own again.
import type { Client } from '@temporalio/client';
import { describe, expect, test, vi } from 'vitest';
import { FlowCancelled } from '../../client/flow-errors.ts';
import type { Consequence, ShipmentEffect } from '../../contract/flows/actions.ts';
import { UNMATCHED_CALLBACK } from '../../contract/flows/flow-types.ts';
import type { Unmatched } from '../../contract/flows/unmatched-callback.ts';
import { validationOf } from '../../processes/actions.ts';
import { OwnerSearch } from '../../shared/routing/owner-search.ts';
import { isSearchable } from '../../shared/routing/owners.ts';
import { untilDelivered } from '../service/callbacks/support.ts';
import { eachSampled } from '../support/suite.ts';
import { basicService, type Installation, ourService } from './installation.ts';
import { Play } from './play.ts';
import { stocks } from './priors.ts';
import { type Story, stories, storyOf } from './stories.ts';
import type { Legs } from './story-legs.ts';
import { useInstallation } from './use-installation.ts';

/** Being cancelled is the only end that a kept-booked locker has. */
const isKept = ({ request }: Story) => request.keepBookedAfterPickUp === true;
const moments = stories
  .filter((story) => !isKept(story))
  .flatMap((story) => story.steps.map((_, steps) => ({ title: story.title, story, steps })));

const isNew = (link: unknown) => link !== 'prior';
const hasSeveral = ({ legs }: Story) => Object.values(legs).filter(isNew).length > 1;

/** One with two new shipments before anybody has come, and one whose item is in its locker. */
const isCheap = ({ title, steps }: (typeof moments)[number]) =>
  (title === 'IssueAndSwapIntake' && steps === 0) || (title === 'Issue' && steps === 1);
const costly = moments.filter((moment) => !isCheap(moment));

const atOurService = useInstallation(ourService);

/** What the flow says of its cancellation, once it has heard of all that people have done. */
async function predictedCancellation({ client }: Installation, play: Play): Promise<Consequence> {
  await play.untilHeard();
  await play.untilAnswered();
  const validation = await validationOf({ client }, play.handle.workflowId, {
    command: 'cancel',
    fields: {},
  });
  expect(validation).toMatchObject({ isPossible: true, consequence: { after: { activity: 'Ended' } } });
  return validation?.consequence as Consequence;
}

function expectEffects(effects: readonly ShipmentEffect[], before: Legs, after: Legs): void {
  for (const [role, { shipmentUid, stateCode, toUserUid }] of after) {
    const { effect } = effects.find((each) => each.shipmentUid === shipmentUid) ?? {};
    const is = { role, effect, stateCode, toUserUid };
    if (effect === 'Cancelled') expect(is).toMatchObject({ stateCode: 'Cancelled' });
    else if (effect === 'ReceiverRemoved') expect(is).toMatchObject({ toUserUid: null });
    else expect(is).toMatchObject({ stateCode: before.get(role)?.stateCode });
  }
}

/** Unmatched callbacks of shipments that a flow has, or had, and that would stay unmatched at their next try: there are to be none. */
async function unmatchedForGood(client: Client, taskQueue: string): Promise<string[]> {
  const search = new OwnerSearch(client, 50);
  const query = `WorkflowType = '${UNMATCHED_CALLBACK}' AND ExecutionStatus = 'Running' AND TaskQueue = '${taskQueue}'`;
  const stuck: string[] = [];
  for await (const { workflowId } of client.workflow.list({ query }))
    if (!(await goesAtItsNextTry(client, search, workflowId))) stuck.push(workflowId);
  return stuck;
}

/** Its tries are up to an hour apart: what the next one will come to is asked instead of waited for. */
async function goesAtItsNextTry(client: Client, search: OwnerSearch, workflowId: string): Promise<boolean> {
  const { kept } = await client.workflow.getHandle(workflowId).query<Unmatched>('unmatched');
  for (const { callback: one } of kept) {
    if (!('shipmentUid' in one)) return false;
    if (!(await hasHadFlow(client, one.shipmentUid))) continue;
    if ((await search.deliver(one)).to === 'noFlow') return false;
  }
  return true;
}

const hasHadFlow = async (client: Client, shipmentUid: string): Promise<boolean> =>
  isSearchable(shipmentUid) &&
  (await client.workflow.count(`LockerShipmentUids = '${shipmentUid.replaceAll("'", "''")}'`)).count > 0;

eachSampled(
  describe,
  [
    { name: 'our service', setsReferences: true },
    // Nothing tells which shipment is which but what happens to it.
    { name: 'a basic service and no references', setsReferences: false },
  ],
  2,
)('with $name', ({ setsReferences }) => {
  const installation = setsReferences
    ? atOurService
    : useInstallation(basicService, { dependencies: { setsReferences } });

  const isUndone = async ({ story, steps }: (typeof moments)[number]) => {
    const play = await Play.begin({ installation: installation(), story });
    await play.doAll(story.steps.slice(0, steps));
    if (steps === 0)
      expect((await play.untilFollowed()).unassigned.length > 0).toBe(!setsReferences && hasSeveral(story));
    const before = await play.stored();
    const predicted = setsReferences ? await predictedCancellation(installation(), play) : undefined;
    await play.handle.cancel();
    await expect(play.handle.result()).rejects.toThrow(FlowCancelled);
    const { activity, itemsLeft } = await play.handle.progress();
    expect(activity).toBe('Ended');
    await play.expectUndone(itemsLeft);
    if (predicted) {
      expect(predicted.itemsLeft).toEqual(itemsLeft);
      expectEffects(predicted.shipments, before, await play.stored());
    }
  };
  const title = '$title is undone when it is cancelled after $steps steps';
  test.concurrent.each(moments.filter(isCheap))(title, isUndone);
  test.concurrent.each(costly)(title, { tags: 'long' }, isUndone);

  test('a kept-booked flow that is cancelled is done, and leaves its locker as it was', async () => {
    const play = await Play.begin({
      installation: installation(),
      story: storyOf('CollectOnly kept booked for the dispatcher'),
    });
    await play.untilBooked();
    await play.handle.cancel();
    const { outcome, itemsLeft } = await play.handle.result();
    expect(outcome).toBe('Done');
    expect(itemsLeft).toEqual([]);
    await play.expectUndone(itemsLeft);
  });

  test('no callback of cancelled shipments stays unmatched', async () => {
    const { client, taskQueue, service, received } = installation();
    await untilDelivered(service);
    expect(received.length).toBeGreaterThan(2);
    expect(await unmatchedForGood(client, taskQueue)).toEqual([]);
  });
});

const flows = [
  'IssueFromStock',
  'IssueFromStockAndSwapIntake',
  'IssueFromStockAndSubsequentIntakeAndCircularStock',
] as const;

interface Own {
  readonly referenceNo: string | null;
  readonly referenceCaseNo: string | null;
  readonly description: string | null;
}

const described: Own = { referenceNo: 'DRILL-7', referenceCaseNo: 'STOCK-7', description: 'Cordless drill' };
const nothing: Own = { referenceNo: null, referenceCaseNo: null, description: null };

/** Of stock that is still to be dropped off: it is given back, and not cancelled. */
function issuing(flow: (typeof flows)[number], own: Own, issue?: object | null): Story {
  const story = storyOf(`${flow} of ${stocks.ReadyForDropoff.words}`);
  return {
    ...story,
    request: { ...story.request, ...(issue === undefined ? {} : { issue }) },
    prior: (before) =>
      stocks.ReadyForDropoff.make({ ...before, booking: { ...before.booking, details: own } }),
  };
}

async function begun(installation: () => Installation, story: Story) {
  const play = await Play.begin({ installation: installation(), story });
  await play.untilFollowed();
  const caseNo = async () => (await installation().people.shipment(play.prior)).referenceCaseNo;
  return { play, caseNo };
}

async function cancelled(play: Play): Promise<void> {
  await play.handle.cancel();
  await expect(play.handle.result()).rejects.toThrow(FlowCancelled);
}

// assumptions: A bare vendor, The case number of stock
describe('stock that a flow issued, at our service', () => {
  const installation = atOurService;
  const cases = flows.flatMap((flow) => [
    { flow, what: 'that has its own', own: described, issue: undefined },
    { flow, what: 'that has none', own: nothing, issue: undefined },
    {
      flow,
      what: "that is overridden by the caller's",
      own: described,
      issue: { referenceCaseNo: 'ORDER-1' },
    },
  ]);

  eachSampled(
    test.concurrent,
    cases,
    cases.length,
  )('$flow gives the stock its case number back when it is undone: $what', async ({ flow, own, issue }) => {
    const { play, caseNo } = await begun(installation, issuing(flow, own, issue));
    expect(await caseNo()).toBe(issue?.referenceCaseNo ?? play.handle.workflowId);
    await cancelled(play);
    expect(await installation().people.shipment(play.prior)).toMatchObject({ ...own, toUserUid: null });
    await play.expectUndone([]);
  });

  test('a case number that somebody has changed since is left alone', async () => {
    const { play, caseNo } = await begun(installation, issuing('IssueFromStock', described));
    const theirs = { referenceNo: 'DRILL-8', referenceCaseNo: 'THEIRS', description: null };
    await installation().people.call('SetShipmentDetails', { shipmentUid: play.prior, ...theirs });
    await cancelled(play);
    expect(await caseNo()).toBe('THEIRS');
  });
});

describe.each([ourService, basicService])(
  'stock whose case number the caller leaves alone, at $name',
  { tags: 'long' },
  (vendor) => {
    const installation = useInstallation(vendor);

    test.concurrent.each(
      flows.flatMap((flow) => [
        { flow, what: 'a case number of null', issue: { referenceCaseNo: null } },
        { flow, what: 'an issue of null', issue: null },
      ]),
    )(
      '$flow leaves the stock its case number where the caller gives $what, and finds its end',
      async ({ flow, issue }) => {
        const undone = await begun(installation, issuing(flow, described, issue));
        expect(await undone.caseNo()).toBe('STOCK-7');
        await cancelled(undone.play);
        await undone.play.expectStockAsItWas();
        const { play, caseNo } = await begun(installation, issuing(flow, described, issue));
        await play.doAll();
        await play.expectDone();
        expect(await caseNo()).toBe('STOCK-7');
      },
    );
  },
);

describe('stock that a flow issued, at a basic service', { tags: 'long' }, () => {
  const installation = useInstallation(basicService);

  test("nobody can read the stock's own case number, so the flow's stays", async () => {
    const { play, caseNo } = await begun(installation, issuing('IssueFromStock', described));
    await cancelled(play);
    await vi.waitUntil(async () => (await installation().people.shipment(play.prior)).toUserUid === null, {
      timeout: 60_000,
    });
    expect(await caseNo()).toBe(play.handle.workflowId);
  });
});
