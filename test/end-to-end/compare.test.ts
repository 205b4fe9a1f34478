// `lockerflow compare` and the commands that it names, with everything real. No callback is sent here, so a flow knows
// what it has booked and nothing else.
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { run } from '../client/command-line/lockerflow-program.ts';
import { ourService } from './installation.ts';
import { dimension } from './story-legs.ts';
import { useInstallation } from './use-installation.ts';

const installation = useInstallation(ourService, { sender: false });

interface Line {
  readonly kind: string;
  readonly shipmentUid: string;
  readonly workflowId: string | null;
  readonly mend: readonly string[];
}

/** The disagreements about these shipments; the summary where there are none to choose from. */
async function compared(...more: string[]): Promise<{ lines: Line[]; out: string }> {
  const { code, out, err } = await lockerflow('compare', '--settle', 'PT0.2S', '--json', ...more);
  expect(err).toBe('');
  expect(code).toBe(0);
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  return { lines: lines.slice(0, -1), out };
}

function lockerflow(...words: string[]) {
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
}

const booking = (pupUid: string) => ({
  ...{ pupUid, toUserUid: 'user-anna', dimension },
  ...{ allowLargerLockers: false, allowOverflowLockers: false },
});

async function issue(pupUid: string) {
  const { flows } = installation();
  const key = `order-${randomUUID()}`;
  const handle = await flows.start('Issue', key, { request: booking(pupUid) });
  const shipmentUid = await vi.waitUntil(async () => (await handle.progress()).shipments.issue?.shipmentUid, {
    timeout: 60_000,
  });
  return { key, handle, shipmentUid };
}

async function newPickUpPoint(): Promise<string> {
  const pupUid = `pup-${randomUUID()}`;
  await installation().people.newPickUpPoint(pupUid, 6);
  return pupUid;
}

const about = (lines: readonly Line[], shipmentUid: string) =>
  lines.filter((line) => line.shipmentUid === shipmentUid).map(({ kind }) => kind);

test('flows and service that agree, a lost callback, a terminated flow, bookings by hand, and what mends each', async () => {
  const { client, people } = installation();
  const pupUid = await newPickUpPoint();
  const good = await issue(pupUid);
  expect((await compared()).lines).toEqual([]);

  const untold = await issue(pupUid);
  await people.dropOff(untold.shipmentUid);
  const terminated = await issue(pupUid);
  await client.workflow.getHandle(terminated.key).terminate('a test');
  const byHand = (await people.call('CreateLocalShipmentAsIssue', booking(pupUid))).shipmentUids as string[];
  const twice = (
    await people.call('CreateLocalShipmentAsIssue', {
      ...booking(pupUid),
      details: { referenceCaseNo: good.key },
    })
  ).shipmentUids as string[];

  const kinds = {
    [untold.shipmentUid]: ['serviceAhead'],
    [terminated.shipmentUid]: ['flowEnded'],
    [byHand[0] ?? '']: ['noFlow'],
    [twice[0] ?? '']: ['bookedTwice'],
  };
  const { lines } = await vi.waitUntil(
    async () => {
      const now = await compared();
      return now.lines.length === 4 ? now : undefined;
    },
    { timeout: 60_000 },
  );
  for (const [uid, expected] of Object.entries(kinds)) expect(about(lines, uid)).toEqual(expected);

  const { out } = await lockerflow('compare', '--settle', 'PT0.2S');
  expect(out).toContain(`flowEnded: ${terminated.key} issue ${terminated.shipmentUid}`);
  expect(out).toContain('4 disagreements');

  for (const line of lines) {
    const [words = []] = line.mend
      .filter((each) => each.startsWith('lockerflow '))
      .map((each) => each.replace('<you>', 'anna').replace('<reason>', 'compared').split(' ').slice(1));
    const mended = await lockerflow(...words, ...(words[0] === 'shipment' ? ['--yes'] : []));
    expect([mended.code, mended.err]).toEqual([0, '']);
  }
  expect((await compared()).lines).toEqual([]);
});

test('a schedule compares, and its last result can be shown', async () => {
  const before = await lockerflow('compare', '--last');
  expect(before.code).toBe(3);
  expect(before.err).toContain('there is no schedule');

  const made = await lockerflow('compare', '--every', 'P1D', '--settle', 'PT0.2S');
  expect(made.out).toContain('lockerflow compare --last');
  const { out } = await vi.waitUntil(
    async () => {
      const last = await lockerflow('compare', '--last', '--json');
      return last.code === 0 ? last : undefined;
    },
    { timeout: 60_000 },
  );
  expect(JSON.parse(out.trim().split('\n').at(-1) ?? '')).toMatchObject({ summary: { isComplete: true } });
  expect((await lockerflow('compare', '--every', 'never')).out).toContain('is deleted');
});

test('wrong lengths of time are refused with what was expected', async () => {
  const wrong = await lockerflow('compare', '--since', 'yesterday');
  expect(wrong.code).toBe(2);
  expect(wrong.err).toContain('expected one like');
  expect((await lockerflow('compare', '--settle', 'soon')).err).toContain('--settle: soon is no duration');
});
