// The clock of a staging tenant and of the flows that go by it, with everything real: what happens when it is moved is
// what would have happened.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { LockerApi } from '../../activities/api/index.ts';
import { Connectors } from '../../activities/connectors/connectors.ts';
import { type ClockShown, SandboxClocks } from '../../client/sandbox-clock.ts';
import type { FlowFileProgress } from '../../flow-files/machine/progress.ts';
import { readConnectors } from '../../runtime/settings/connectors.ts';
import { json, startPeer } from '../activities/api/peer.ts';

import { type Ran, run } from '../client/command-line/lockerflow-program.ts';
import { createCallbackTest } from '../service/callbacks/support.ts';
import { startReceiver } from '../support/receiver.ts';
import { sandboxAs } from '../support/sandbox.ts';
import { createTestService } from '../support/service.ts';
import { isLongSuite } from '../support/suite.ts';

import { credentials, type Installation, ourService } from './installation.ts';
import { useInstallation } from './use-installation.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
// A program that starts, and flows, on cores that other tests keep busy.
const SLOW_MS = 120_000;
const patience = { timeout: 60_000, interval: 20 };

const hub = await startPeer((response, request) => json(200, {})(response, request));
const connectors = new Connectors(
  readConnectors(
    `events: hub
connectors:
  hub: { address: "${hub.url}", events: { path: /events, signingKeyFile: keys } }`,
    () => 'whsec_dGhlIGtleSBvZiBhbGwgdGhhdCB0aGVyZSBpcw==',
  ),
);
const installation = useInstallation(ourService, { means: { connectors } });
afterAll(async () => {
  await connectors.close();
  await hub[Symbol.asyncDispose]();
});

const loanFile = await readFile(
  new URL('../../examples/flow-files/device-loan.flow.yaml', import.meta.url),
  'utf8',
);

type ThreeLegs = 'IssueFromStockAndSubsequentIntakeAndCircularStock';

interface Loan {
  readonly key: string;
  readonly item: string;
  readonly handle: ReturnType<Installation['flows']['fileHandle']>;
}

/** DeviceLoan with these times in place of its own. */
async function lend(
  at: Installation,
  times: Readonly<Record<string, string>>,
  clock: { readonly clock?: 'sandbox' },
): Promise<Loan> {
  const name = `DeviceLoan${randomUUID().slice(0, 8)}`;
  const timed = loanFile.replaceAll(/\bP\d+D\b/g, (time) => times[time] ?? time);
  await at.flows.publish([
    { path: 'device-loan.flow.yaml', text: timed.replace('name: DeviceLoan', `name: ${name}`) },
  ]);
  const [key, item] = [`loan-${randomUUID()}`, await at.people.newStock()];
  const request = { item, user: 'user-anna' };
  return { key, item, handle: await at.flows.startPublished(name, key, { request, ...clock }) };
}

const emittedBy = ({ key }: Loan): string[] =>
  hub.requests.flatMap(({ body }) => {
    const { type, flow } = JSON.parse(body) as { type: string; flow: { key: string } };
    return flow.key === key ? [type] : [];
  });

const legs = (at: Installation, { key }: Loan) => at.flows.handle<ThreeLegs>(`${key}/loan`);

const uidOf = (at: Installation, loan: Loan, role: 'issue' | 'intake' | 'circularStock') =>
  vi.waitUntil(async () => {
    const progress = await legs(at, loan)
      .progress()
      .catch(() => undefined);
    return progress?.shipments[role]?.shipmentUid ?? false;
  }, patience);

const until = ({ handle }: Loan, holds: (progress: FlowFileProgress) => boolean) =>
  vi.waitUntil(async () => {
    const progress = await handle.progress().catch(() => undefined);
    return progress !== undefined && holds(progress);
  }, patience);

/** Takes the device out; brings it back when it is overdue; the desk does not look at it in time. */
async function live(
  at: Installation,
  loan: Loan,
  pass: (days: number, event: string | null) => Promise<void>,
): Promise<void> {
  await at.people.pickUp(await uidOf(at, loan, 'issue'));
  await until(loan, ({ tags }) => tags.includes('lent'));
  await pass(12, 'loan.dueSoon');
  await pass(2, 'loan.overdue');
  await at.people.dropOff(await uidOf(at, loan, 'intake'));
  await until(loan, ({ questions }) => questions.length === 1);
  await pass(2, null);
}

/** States, deadlines, callbacks, events and results, without moments and uids. */
async function traceOf(at: Installation, loan: Loan) {
  const result = await loan.handle.result();
  const flow = await legs(at, loan).result();
  const { ledger, deadlines } = await legs(at, loan).progress();
  const roles = new Map(Object.entries(flow.shipments).map(([role, leg]) => [leg?.shipmentUid, role]));
  const sandbox = await sandboxAs(at.service.address);
  const told = await Promise.all(
    [...roles].map(async ([uid, role]) => {
      const { body } = await sandbox('GET', `events?shipmentUid=${uid}`);
      const events = body.events as { isPending: boolean; message: { stateCode: string } }[];
      return { role, told: events.map(({ isPending, message }) => [message.stateCode, isPending]) };
    }),
  );
  return {
    result,
    outcome: flow.outcome,
    legs: Object.entries(flow.shipments).map(([role, leg]) => [role, leg?.stateCode]),
    overdue: flow.overdue.map(({ role, stage }) => [role, stage]),
    deadlines,
    reports: [...roles].map(([uid, role]) => ({
      role,
      // A stale one is of the time before the loan, when the item was put into stock: it may come later, or not at all.
      heard: ledger
        .filter(({ shipmentUid, verdict }) => shipmentUid === uid && verdict !== 'stale')
        .map(({ stateCode, verdict }) => [stateCode, verdict]),
    })),
    told,
    emitted: emittedBy(loan),
  };
}

const clocksOf = (at: Installation, api: LockerApi) =>
  new SandboxClocks(at.client, (change) => api.sandboxClock(change));

const apiOf = ({ address }: { readonly address: string }) =>
  new LockerApi({ apiUrl: address, authUrl: address, ...credentials });

test.runIf(isLongSuite)(
  'a loan of sixteen days lives as one in real time with short deadlines lives; others notice nothing',
  {
    timeout: SLOW_MS,
  },
  async () => {
    const at = installation();
    await using api = apiOf(at.service);
    const clocks = clocksOf(at, api);
    const sandboxOfOther = await sandboxAs(at.service.address, 'other');
    const real = await at.flows.start('Issue', `real-${randomUUID()}`, {
      request: {
        ...{ pupUid: 'pup-central', toUserUid: 'user-bram', dimension: { width: 1, height: 1, length: 1 } },
        ...{ allowLargerLockers: true, allowOverflowLockers: false },
      },
      deadlines: { issue: { dropOff: 'P2D' } },
    });
    const realHandle = at.client.workflow.getHandle(real.workflowId);
    await vi.waitUntil(async () => (await real.progress()).deadlines.length === 1, patience);
    // It writes what it has done after it has told of it.
    const isAtRest = async () => !(await realHandle.describe()).raw.pendingWorkflowTask;
    await vi.waitUntil(isAtRest, patience);
    const realBefore = [await real.progress(), (await realHandle.describe()).historyLength];

    // The last one is how long the desk has to look: so long that the question is seen on a busy machine too.
    const short = { P12D: 'PT2S', P14D: 'PT8S', P2D: 'PT10S' };
    const inRealTime = await lend(at, short, {});
    await live(at, inRealTime, async (_, event) => {
      if (event !== null) await vi.waitUntil(() => emittedBy(inRealTime).includes(event), patience);
    });
    const traceInRealTime = await traceOf(at, inRealTime);

    const loan = await lend(at, {}, { clock: 'sandbox' });
    const stops: string[] = [];
    let shown: ClockShown | undefined;
    await live(at, loan, async (days, event) => {
      shown = await clocks.advance(days * DAY + HOUR, { onStop: ({ what }) => stops.push(what) });
      if (event !== null) expect(emittedBy(loan)).toContain(event);
    });
    const trace = await traceOf(at, loan);
    expect(shown).toMatchObject({ aheadMs: 16 * DAY + 3 * HOUR, due: [] });
    expect(stops).toEqual([
      expect.stringContaining('P12D'),
      expect.stringMatching(/^intake: .* until /),
      'answer to check',
    ]);

    expect([await real.progress(), (await realHandle.describe()).historyLength]).toEqual(realBefore);
    expect((await sandboxOfOther('GET', 'clock')).body).toMatchObject({ aheadMs: 0, followers: [] });

    expect(trace).toEqual(traceInRealTime);
    expect(trace).toMatchObject({
      outcome: 'Done',
      overdue: [['intake', 'dropOff']],
      emitted: ['loan.dueSoon', 'loan.overdue'],
    });
    await real.cancel();
  },
);

function lockerflow(at: Installation, words: string[], address = at.service.address): Promise<Ran> {
  return run(words, {
    taskQueue: at.taskQueue,
    variables: {
      LOCKER_API_URL: address,
      LOCKER_AUTH_URL: address,
      LOCKER_CLIENT_ID: credentials.clientId,
      LOCKER_CLIENT_SECRET: credentials.clientSecret,
    },
  });
}

test('the command shows what is due and moves both: what a deadline does has the time of the deadline', {
  timeout: SLOW_MS,
}, async () => {
  const at = installation();
  const key = `issue-${randomUUID()}`;
  const place = ['--pup-uid', 'pup-central', '--to-user-uid', 'user-anna', '--dimension', '1x1x1'];
  const deadline = ['--deadline', 'issue.dropOff=P1D', '--on-overdue', 'cancel', '--clock', 'sandbox'];
  expect(await lockerflow(at, ['start', 'Issue', '--key', key, ...place, ...deadline])).toMatchObject({
    code: 0,
  });
  const flow = at.flows.handle<'Issue'>(key);
  const { deadlines } = await vi.waitUntil(async () => {
    const progress = await flow.progress().catch(() => undefined);
    return progress !== undefined && progress.deadlines.length === 1 && progress;
  }, patience);
  const shown = JSON.parse((await lockerflow(at, ['clock', 'show', '--json'])).out) as ClockShown;
  expect(shown).toMatchObject({ flows: [key], outOfReach: [] });
  expect(shown.due).toMatchObject([{ flow: key, what: expect.stringMatching(/^issue: /) }]);
  // Remaining times are those by the flow's clock, which may be ahead of the real one.
  expect((await lockerflow(at, ['show', key])).out).toMatch(/in (23 h|1 d)/);
  const later = ['extend', key, '--deadline', 'issue.dropOff', '--from-now', 'P2D', '--dry-run'];
  const [, from = '', to = ''] = /(\S+Z) -> (\S+Z)/.exec((await lockerflow(at, later)).out) ?? [];
  expect(Date.parse(to) - Date.parse(from)).toBeGreaterThan(DAY - HOUR);
  expect(Date.parse(to) - Date.parse(from)).toBeLessThan(DAY + HOUR);
  const moved = await lockerflow(at, ['clock', 'advance', 'P3D']);
  expect(moved).toMatchObject({ code: 0, err: '' });
  expect(moved.out).toMatch(
    new RegExp(
      `^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC  ${key}  issue: .*\\nthe clock shows .*; 0 flows go by it\\n`,
    ),
  );
  const { outcome, shipments } = await flow.result();
  expect(outcome).toBe('Overdue');
  const sandbox = await sandboxAs(at.service.address);
  const { body } = await sandbox('GET', `events?shipmentUid=${shipments.issue?.shipmentUid}`);
  const [cancelled] = body.events as { message: { stateCode: string; stateStart: string } }[];
  expect(cancelled?.message.stateCode).toBe('Cancelled');
  const late = Date.parse(`${cancelled?.message.stateStart}Z`) - Date.parse(deadlines[0]?.until ?? '');
  // Not three days later, when the command was done.
  expect(late).toBeGreaterThanOrEqual(-1_000);
  expect(late).toBeLessThan(HOUR);
});

test.runIf(isLongSuite)(
  'a callback that is not taken is tried again on the way, each time at its own time',
  {
    timeout: SLOW_MS,
  },
  async () => {
    await using receiver = await startReceiver(() => 500);
    await using service = await createCallbackTest();
    const patience = { firstMs: 4 * HOUR, lastMs: 4 * HOUR };
    service.sender({ patience, probePatience: patience });
    await service.configure({ url: receiver.url, authType: 'None' });
    const shipmentUid = await service.shipment();
    await using api = apiOf(service);
    const stops: string[] = [];
    const onStop = ({ flow, what }: { flow: string | null; what: string }) => stops.push(`${flow} ${what}`);
    await new SandboxClocks(installation().client, (change) => api.sandboxClock(change)).advance(DAY, {
      onStop,
    });
    expect(stops.length).toBeGreaterThanOrEqual(5);
    expect(stops).toEqual(stops.map((_, index) => `null callback of ${shipmentUid}, attempt ${index + 2}`));
    const { body } = await (await sandboxAs(service.address))('GET', `deliveries?shipmentUid=${shipmentUid}`);
    const [delivery] = body.deliveries as { attempts: number; failures: { failedAt: string }[] }[];
    expect(delivery?.attempts).toBe(stops.length + 1);
    const moments = (delivery?.failures ?? []).map(({ failedAt }) => Date.parse(failedAt));
    const gaps = moments.slice(1).map((moment, index) => (moments[index] ?? 0) - moment);
    expect(Math.min(...gaps)).toBeGreaterThan(HOUR);
  },
);

test('what does not come to rest is named, and the clock is not moved past it', {
  timeout: SLOW_MS,
}, async () => {
  const at = installation();
  await using api = apiOf(at.service);
  const { sandboxClock } = api;
  const busy = async (change?: object) => ({ ...(await sandboxClock.call(api, change)), underWay: 1 });
  const clocks = new SandboxClocks(at.client, busy);
  const before = await api.sandboxClock();
  await expect(clocks.advance(DAY, { patienceMs: 100 })).rejects.toThrow(
    /not happened within 0.1 s: the service sends callbacks of 1 shipments/,
  );
  expect((await api.sandboxClock()).aheadMs).toBe(before.aheadMs);
});

test.each([['3 days'], ['P0D']])('the command refuses %j', { timeout: SLOW_MS }, async (duration) => {
  expect(await lockerflow(installation(), ['clock', 'advance', duration])).toMatchObject({
    code: 2,
    err: expect.stringContaining('expected one longer than zero, like P3D'),
  });
});

test.runIf(isLongSuite)(
  'against a service in production the command says that it has no clock',
  {
    timeout: SLOW_MS,
  },
  async () => {
    await using production = await createTestService({ mode: 'production' });
    for (const words of [['show'], ['advance', 'P3D']])
      expect(await lockerflow(installation(), ['clock', ...words], production.address)).toMatchObject({
        code: 1,
        err: expect.stringContaining(
          'does not offer sandbox/clock; sandbox and clock need a service in staging',
        ),
      });
  },
);
