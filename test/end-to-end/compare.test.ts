// `lockerflow compare` and the commands that it names, with everything real. No callback is sent here, so a flow knows
// what it has booked and nothing else.
import { randomUUID } from 'node:crypto';
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import type { Choice } from '../../processes/action-forms/action-form.ts';
import type { ComparisonView } from '../../processes/views/comparison.ts';
import type { InboxView } from '../../processes/views/inbox/inbox-entry.ts';
import { run } from '../client/command-line/lockerflow-program.ts';
import { demoToken, programOf } from '../console/api/program.ts';
import { newConsoleOf } from '../console/console-world.ts';
import { isLongSuite } from '../support/suite.ts';
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

type Disagreements = NonNullable<ComparisonView['comparison']>['disagreements'];

/** What the tests do at an installation. */
function useComparison(installation: () => Installation) {
  const lockerflow = (...words: string[]) => {
    const { taskQueue, service } = installation();
    return run(words, {
      taskQueue,
      variables: {
        LOCKER_API_URL: service.address,
        LOCKER_AUTH_URL: service.address,
        LOCKER_CLIENT_ID: 'demo',
        LOCKER_CLIENT_SECRET: 'demo-secret',
      },
    });
  };
  const begun = (pupUid: string, key: string) =>
    installation().flows.start('Issue', key, { request: booking(pupUid) });
  return {
    lockerflow,
    begun,
    /** What is found. */
    async compared(): Promise<Disagreements> {
      const { code, out, err } = await lockerflow('compare', '--settle', 'PT0.2S', '--json');
      expect(err).toBe('');
      expect(code).toBe(0);
      const { comparison } = JSON.parse(out) as ComparisonView;
      return comparison?.disagreements ?? [];
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

    const { out } = await lockerflow('compare', '--settle', 'PT0.2S');
    expect(out).toContain(`noFlow: ${terminated.key} ${terminated.shipmentUid}`);
    expect(out).toContain('4 disagreements');

    for (const { mend } of found) {
      const [words = []] = mend
        .filter((each) => each.startsWith('lockerflow '))
        .map((each) => each.replace('<you>', 'anna').replace('<reason>', 'compared').split(' ').slice(1));
      const mended = await lockerflow(...words, ...(words[0] === 'shipment' ? ['--yes'] : []));
      expect([mended.code, mended.err]).toEqual([0, '']);
    }
    await expect.poll(compared, { timeout: 60_000 }).toEqual([]);
  });

  test.runIf(isLongSuite)('a schedule compares, and its last result can be shown', async () => {
    const before = await lockerflow('compare', '--last');
    expect(before.code).toBe(3);
    expect(before.err).toContain('no comparison is scheduled');

    const made = await lockerflow('compare', '--every', 'P1D', '--settle', 'PT0.2S');
    expect(made.out).toContain('lockerflow compare --last');
    const { out } = await vi.waitUntil(
      async () => {
        const last = await lockerflow('compare', '--last', '--json');
        return last.code === 0 ? last : undefined;
      },
      { timeout: 60_000 },
    );
    expect(JSON.parse(out)).toMatchObject({ isPlanned: true, comparison: { isComplete: true } });
    expect((await lockerflow('compare', '--every', 'never')).out).toContain('is deleted');
  });

  test('wrong lengths of time are refused with what was expected', async () => {
    const wrong = await lockerflow('compare', '--since', 'yesterday');
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain('expected one like');
    expect((await lockerflow('compare', '--settle', 'soon')).err).toContain(
      '--settle: soon is not a duration',
    );
  });
});

/** The worker cannot look whether it has booked; a person's comparison can. */
const askedByNoWorker: Vendor = {
  name: 'a service that the worker cannot ask',
  switches: { idempotencyKey: false, shuffledShipmentUids: true },
  settings: { LOCKER_CAPABILITIES: '' },
};

describe.runIf(isLongSuite)(
  'where the answer to a booking is lost, and the worker cannot ask the service',
  () => {
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

    test('the inbox has one entry for a booking in doubt that was found, and what is adopted is not cancelled', async () => {
      const { service } = installation();
      vi.stubEnv('TEMPORAL_ADDRESS', inject('temporalAddress'));
      onTestFinished(() => void vi.unstubAllEnvs());
      await using console = await newConsoleOf(installation());
      const api = programOf(console.address, await demoToken(service.address));
      const key = newKey();
      way?.lose(key, 'after');
      const handle = await begun(await newPickUpPoint(), key);
      await vi.waitUntil(async () => (await handle.progress()).activity === 'NeedsPerson', {
        timeout: 60_000,
      });
      const entriesOf = async () => {
        const { body } = await api.get('/v1/inbox/entries');
        return (body as unknown as InboxView).entries.filter((entry) => entry.key === key);
      };
      expect((await api.post('/v1/comparison', {})).status).toBe(200);
      const [entry, ...others] = await vi.waitUntil(
        async () => {
          const found = await entriesOf();
          return found[0]?.actions.some(({ id }) => id === 'cancelShipment') && found;
        },
        { timeout: 60_000 },
      );
      expect(others).toEqual([]);
      expect(entry?.actions.map(({ id }) => id)).toEqual(['adopt', 'retry', 'giveUp', 'cancelShipment']);
      const [adoption, , , cancellation] = entry?.actions ?? [];
      const field = adoption?.fields.find(({ name }) => name === 'shipments.issue');
      expect(field?.suggested).toBe(entry?.shipmentUid);

      // Somebody else adopts it; who still has the old entry before him cancels.
      const { request } = adoption as Choice;
      const shipments = { issue: entry?.shipmentUid };
      const adopted = await api.post(request.path, { ...request.body, shipments, why: 'it is in the list' });
      expect([adopted.status, adopted.body]).toMatchObject([200, { key }]);
      const { path, body } = (cancellation as Choice).request;
      expect(await api.post(path, body)).toMatchObject({ status: 409, body: { code: 'NotSoAnyMore' } });
      await expect.poll(entriesOf, { timeout: 60_000 }).toEqual([]);
      await expect.poll(compared, { timeout: 60_000 }).toEqual([]);
    });
  },
);
