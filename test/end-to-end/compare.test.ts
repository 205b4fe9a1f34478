// `lockerflow compare` and the commands that it names, with everything real. No callback is sent here, so a flow knows
// what it has booked and nothing else.

import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import type { ShownComparison } from '../../cli/verbs/compare.ts';
import { run } from '../cli/lockerflow-program.ts';
import { demoSettings } from '../support/caller.ts';
import { type Installation, ourService, type Vendor } from './installation.ts';
import { type LossyWay, lossyWay } from './lossy-way.ts';
import { dimension } from './story-legs.ts';
import { useInstallation } from './use-installation.ts';

const booking = (pupUid: string) => ({
  pupUid,
  toUserUid: 'user-anna',
  dimension,
  allowLargerLockers: false,
  allowOverflowLockers: false,
});

type Disagreements = ShownComparison['disagreements'];

/** What the tests do at an installation. */
function useComparison(installation: () => Installation) {
  const lockerflow = (...words: string[]) => {
    const { taskQueue, service } = installation();
    return run(words, {
      taskQueue,
      variables: demoSettings(service.address),
    });
  };
  const begun = (pupUid: string, key: string) =>
    installation().flows.start('Issue', key, { request: booking(pupUid) });
  return {
    lockerflow,
    begun,
    /** What is found. */
    async compared(): Promise<Disagreements> {
      const { code, out, err } = await lockerflow('compare', '--json');
      expect(err).toBe('');
      expect(code).toBe(0);
      return (JSON.parse(out) as ShownComparison).disagreements;
    },
    async newPickUpPoint(): Promise<string> {
      const pupUid = `pup-${randomUUID()}`;
      await installation().people.newPickUpPoint(pupUid, 6);
      return pupUid;
    },
    async issue(pupUid: string) {
      const key = newKey();
      const handle = await begun(pupUid, key);
      const shipmentUid = await vi.waitUntil(
        async () => (await handle.progress()).shipments.issue?.shipmentUid,
        { timeout: 60_000 },
      );
      // A comparison searches for flows, and the search lags behind what a flow tells.
      const { workflow } = installation().client;
      const query = `WorkflowId = '${key}' AND LockerShipmentUids = '${shipmentUid}'`;
      await vi.waitUntil(async () => (await workflow.count(query)).count > 0, { timeout: 60_000 });
      return { key, handle, shipmentUid };
    },
  };
}

const newKey = () => `order-${randomUUID()}`;

const about = (found: Disagreements, shipmentUid: string) =>
  found.filter((line) => line.shipmentUid === shipmentUid).map(({ kind }) => kind);

describe('with the service as it is', () => {
  const installation = useInstallation(ourService, { sender: false });
  const { lockerflow, compared, newPickUpPoint, issue } = useComparison(installation);

  test('flows and service that agree, a lost callback, a terminated flow, bookings by hand, and what mends each', async () => {
    const { client, people } = installation();
    const pupUid = await newPickUpPoint();
    const good = await issue(pupUid);
    expect(await compared()).toEqual([]);

    const untold = await issue(pupUid);
    await people.dropOff(untold.shipmentUid);
    const terminated = await issue(pupUid);
    await client.workflow.getHandle(terminated.key).terminate('a test');
    const byHand = (await people.call('CreateLocalShipmentAsIssue', booking(pupUid)))
      .shipmentUids as string[];
    const twice = (
      await people.call('CreateLocalShipmentAsIssue', {
        ...booking(pupUid),
        details: { referenceCaseNo: good.key },
      })
    ).shipmentUids as string[];

    const kinds = {
      [untold.shipmentUid]: ['lateCallback'],
      [terminated.shipmentUid]: ['noFlow'],
      [byHand[0] ?? '']: ['noFlow'],
      [twice[0] ?? '']: ['noFlow'],
    };
    // Until the search knows what has ended, an ended flow counts as open.
    const found = await vi.waitFor(
      async () => {
        const now = await compared();
        for (const [uid, expected] of Object.entries(kinds)) expect(about(now, uid)).toEqual(expected);
        return now;
      },
      { timeout: 60_000 },
    );
    expect(found).toHaveLength(4);

    const byCase = await lockerflow('shipment', 'find', '--case', good.key, '--active', '--json');
    const ofCase = JSON.parse(byCase.out).shipments as { shipmentUid: string }[];
    expect(ofCase.map(({ shipmentUid }) => shipmentUid)).toEqual([twice[0], good.shipmentUid]);

    const { out } = await lockerflow('compare');
    expect(out).toContain(`noFlow: ${terminated.key} ${terminated.shipmentUid}`);
    expect(out).toContain('4 disagreements');
    // Whoever reads it must not cancel what somebody else has booked.
    const foreign = found.find(({ shipmentUid }) => shipmentUid === byHand[0]);
    expect(foreign?.meaning).toContain('If another system has made it, leave it');

    for (const { mend } of found) {
      const [words = []] = mend
        .filter((each) => each.startsWith('lockerflow '))
        .map((each) => each.replace('<you>', 'anna').replace('<reason>', 'compared').split(' ').slice(1));
      const mended = await lockerflow(...words, ...(words[0] === 'shipment' ? ['--yes'] : []));
      expect([mended.code, mended.err]).toEqual([0, '']);
    }
    await expect.poll(compared, { timeout: 60_000 }).toEqual([]);
  });

  test('a wrong moment is refused with what was expected', async () => {
    const wrong = await lockerflow('compare', '--since', 'yesterday');
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain('expected one like');
  });
});

/** The worker cannot look whether it has booked; a person's comparison can. */
const askedByNoWorker: Vendor = {
  name: 'a service that the worker cannot ask',
  switches: { idempotencyKey: false, shuffledShipmentUids: true },
  settings: { LOCKER_CAPABILITIES: '' },
};

describe('where the answer to a booking is lost, and the worker cannot ask the service', {
  tags: 'long',
}, () => {
  let way: LossyWay | undefined;
  const installation = useInstallation(askedByNoWorker, {
    sender: false,
    through: async (address) => (way = await lossyWay(address)),
  });
  const { lockerflow, compared, newPickUpPoint, issue, begun } = useComparison(installation);

  test('a person adopts the shipment of another flow: its own booking has no flow until it is adopted', async () => {
    const pupUid = await newPickUpPoint();
    const other = await issue(pupUid);
    const key = newKey();
    way?.lose(key, 'after');
    const handle = await begun(pupUid, key);
    await vi.waitUntil(async () => (await handle.progress()).activity === 'NeedsPerson', {
      timeout: 60_000,
    });
    const adopt = async (shipmentUid: string, ...more: string[]) => {
      const words = ['--shipments', `issue=${shipmentUid}`, '--by', 'anna', '--why', 'found', ...more];
      const { code, err } = await lockerflow('adopt', key, ...words);
      expect([code, err]).toEqual([0, '']);
    };

    await adopt(other.shipmentUid, '--yes');
    const own = await vi.waitUntil(
      async () => (await compared()).find((each) => each.kind === 'noFlow' && each.key === key),
      { timeout: 60_000 },
    );
    await adopt(own.shipmentUid);
    await expect.poll(compared, { timeout: 60_000 }).toEqual([]);
  });
});
