// The case number of stock that a flow issues: it is the flow's while the flow runs, and the stock's own again when the flow
// is undone, as far as the service shows it; a caller who gives null leaves it alone. With everything real.
import { describe, expect, test, vi } from 'vitest';
import { FlowCancelled } from '../../client/flow-errors.ts';
import { bareVendor, type Installation, ourService, type Vendor } from './installation.ts';
import { Play } from './play.ts';
import { stocks } from './priors.ts';
import { type Story, storyOf } from './stories.ts';
import { useInstallation } from './use-installation.ts';

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

describe('with our service', () => {
  const installation = useInstallation(ourService);

  test.concurrent.each(
    flows.flatMap((flow) => [
      { flow, what: 'that has its own', own: described, issue: undefined },
      { flow, what: 'that has none', own: nothing, issue: undefined },
      {
        flow,
        what: "that is overridden by the caller's",
        own: described,
        issue: { referenceCaseNo: 'ORDER-1' },
      },
    ]),
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

describe.each([ourService, bareVendor] satisfies Vendor[])('with $name', (vendor) => {
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
});

describe('with a bare vendor', () => {
  const installation = useInstallation(bareVendor);

  test("nobody can read the stock's own case number, so the flow's stays", async () => {
    const { play, caseNo } = await begun(installation, issuing('IssueFromStock', described));
    await cancelled(play);
    await vi.waitUntil(async () => (await installation().people.shipment(play.prior)).toUserUid === null, {
      timeout: 60_000,
    });
    expect(await caseNo()).toBe(play.handle.workflowId);
  });
});
