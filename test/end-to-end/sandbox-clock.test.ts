// The clock of a staging tenant and of the flows that go by it, with everything real: what happens when it is moved is
// what would have happened. That each step has its own time, as in real time, is shown in test/engine/clock.test.ts.

import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { afterAll, expect, test, vi } from 'vitest';
import { Connectors } from '../../activities/connectors/connectors.ts';
import { type ClockShown, SandboxClocks } from '../../client/sandbox-clock.ts';
import { tenantIdOf } from '../../service/administration/tenants.ts';
import { deliveriesOf } from '../../service/callbacks/queue/delivery-log.ts';
import { LockerApi } from '../../shared/locker-api/index.ts';
import { readConnectors } from '../../shared/settings/connectors.ts';
import { type Ran, run } from '../cli/lockerflow-program.ts';
import { issueRequest } from '../console/console-world.ts';
import { createCallbackTest } from '../service/callbacks/support.ts';
import { json, startTestServer } from '../shared/locker-api/test-server.ts';
import { demoSettings } from '../support/caller.ts';
import { startFailing, untilFailing } from '../support/failing-workflows/failing-process.ts';
import { messagesOf } from '../support/notifications.ts';
import { startReceiver } from '../support/receiver.ts';
import { sandboxAs } from '../support/sandbox.ts';
import { createTestService } from '../support/service.ts';
import { bookingOf, type Loan, lend, patience, uidOf, untilLoan } from './device-loans.ts';
import { credentials, type Installation, ourService } from './installation.ts';
import { useInstallation } from './use-installation.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
// A program that starts, and flows, on cores that other tests keep busy.
const SLOW_MS = 120_000;

const hub = await startTestServer((response, request) => json(200, {})(response, request));
const connectors = new Connectors(
  readConnectors(
    `events: hub
connectors:
  hub: { address: "${hub.url}", events: { path: /events, signingKeyFile: keys } }`,
    () => 'whsec_dGhlIGtleSBvZiBhbGwgdGhhdCB0aGVyZSBpcw==',
  ),
);
const installation = useInstallation(ourService, { dependencies: { connectors } });
afterAll(async () => {
  await connectors.close();
  await hub[Symbol.asyncDispose]();
});

const emittedBy = ({ key }: Loan): string[] =>
  hub.requests.flatMap(({ body }) => {
    const { type, flow } = JSON.parse(body) as { type: string; flow: { key: string } };
    return flow.key === key ? [type] : [];
  });

/** Takes the device out; brings it back when it is overdue; the desk does not look at it in time. */
async function live(
  at: Installation,
  loan: Loan,
  pass: (days: number, event: string | null) => Promise<void>,
): Promise<void> {
  await at.people.pickUp(await uidOf(loan, 'issue'));
  await untilLoan(loan, ({ tags }) => tags.includes('lent'));
  await pass(12, 'loan.dueSoon');
  await pass(2, 'loan.overdue');
  await at.people.dropOff(await uidOf(loan, 'intake'));
  await untilLoan(loan, ({ questions }) => questions.length === 1);
  await pass(2, null);
}

const clocksOf = (at: Installation, api: LockerApi) =>
  new SandboxClocks(at.client, (change) => api.sandboxClock(change));

const apiOf = ({ address }: { readonly address: string }) =>
  new LockerApi({ apiUrl: address, authUrl: address, ...credentials });

test('a loan of sixteen days lives by the clock; others notice nothing', {
  tags: 'long',
  timeout: SLOW_MS,
}, async () => {
  const at = installation();
  await using api = apiOf(at.service);
  const clocks = clocksOf(at, api);
  const sandboxOfOther = await sandboxAs(at.service.address, 'other');
  const real = await at.flows.start('Issue', `real-${randomUUID()}`, {
    request: {
      pupUid: 'pup-central',
      toUserUid: 'user-bram',
      dimension: { width: 1, height: 1, length: 1 },
      allowLargerLockers: true,
      allowOverflowLockers: false,
    },
    deadlines: { issue: { dropOff: 'P2D' } },
  });
  const realHandle = at.client.workflow.getHandle(real.workflowId);
  await vi.waitUntil(async () => (await real.progress()).deadlines.length === 1, patience);
  // It writes what it has done after it has told of it.
  const isAtRest = async () => !(await realHandle.describe()).raw.pendingWorkflowTask;
  await vi.waitUntil(isAtRest, patience);
  const realBefore = [await real.progress(), (await realHandle.describe()).historyLength];

  const loan = await lend(at, { clock: 'sandbox' });
  const stops: string[] = [];
  let shown: ClockShown | undefined;
  await live(at, loan, async (days, event) => {
    shown = await clocks.advance(days * DAY + HOUR, { onStop: ({ what }) => stops.push(what) });
    if (event !== null) expect(emittedBy(loan)).toContain(event);
  });
  await loan.handle.result();
  expect(shown).toMatchObject({ aheadMs: 16 * DAY + 3 * HOUR, due: [] });
  expect(stops).toEqual([
    expect.stringContaining('P12D'),
    expect.stringMatching(/^intake: .* until /),
    'answer to check',
  ]);

  expect([await real.progress(), (await realHandle.describe()).historyLength]).toEqual(realBefore);
  expect((await sandboxOfOther('GET', 'clock')).body).toMatchObject({ aheadMs: 0, followers: [] });

  const { outcome, overdue } = await bookingOf(loan);
  expect(outcome).toBe('Done');
  expect(overdue).toMatchObject([{ role: 'intake', stage: 'dropOff' }]);
  expect(emittedBy(loan)).toEqual(['loan.dueSoon', 'loan.overdue']);
  await real.cancel();
});

function lockerflow(at: Installation, words: string[], address = at.service.address): Promise<Ran> {
  return run(words, {
    taskQueue: at.taskQueue,
    variables: demoSettings(address),
  });
}

test('the command shows what is due and moves both: what a deadline does has the time of the deadline', {
  timeout: SLOW_MS,
}, async () => {
  const at = installation();
  const key = `issue-${randomUUID()}`;
  const set = [
    ...['request.pupUid=pup-central', 'request.toUserUid=user-anna'],
    'request.dimension={"width":1,"height":1,"length":1}',
    ...['deadlines.issue.dropOff=P1D', 'onOverdue=cancel', 'clock=sandbox'],
  ].flatMap((each) => ['--set', each]);
  expect(await lockerflow(at, ['start', 'Issue', '--key', key, ...set])).toMatchObject({ code: 0 });
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
  const later = [
    'extend',
    key,
    '--deadline',
    'issue.dropOff',
    '--from-now',
    'P2D',
    '--dry-run',
    ...['--by', 'anna', '--why', 'ill'],
  ];
  const [, from = '', to = ''] =
    /(\S+ \d\d:\d\d\S*) → (\S+ \d\d:\d\d\S*)/.exec((await lockerflow(at, later)).out) ?? [];
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
  const [cancelled] = await messagesOf(at.service.database, [`${shipments.issue?.shipmentUid}`]);
  expect(cancelled?.message.stateCode).toBe('Cancelled');
  const late = Date.parse(`${cancelled?.message.stateStart}Z`) - Date.parse(deadlines[0]?.until ?? '');
  // Not three days later, when the command was done.
  expect(late).toBeGreaterThanOrEqual(-1_000);
  expect(late).toBeLessThan(HOUR);
});

test('a wait for a locker that begins after a move of the clock ends by it', {
  timeout: SLOW_MS,
}, async () => {
  const at = installation();
  await using api = apiOf(at.service);
  const clocks = clocksOf(at, api);
  const [pupUid, name] = [`pup-${randomUUID()}`, `Waits${randomUUID().slice(0, 8)}`];
  await at.people.newPickUpPoint(pupUid, 1);
  const request = { ...issueRequest, pupUid, toUserUid: 'user-anna' };
  await at.people.call('CreateLocalShipmentAsIssue', request);
  const text = `
name: ${name}
meaning: Waits for a locker that somebody else has.
context: { refused: null }
initial: pausing
states:
  pausing: { after: { P1D: booking } }
  booking:
    invoke:
      id: loan
      src: book
      input: { operation: CreateLocalShipmentAsIssue, request: ${JSON.stringify(request)}, waitForLocker: PT1H }
      onDone: over
      onError: { target: over, actions: { type: assign, params: { refused: "\${event.error.code}" } } }
  over: { type: final }
output: { refused: "\${context.refused}" }
`;
  await at.flows.publish([{ path: 'waits.flow.yaml', text }]);
  const handle = await at.flows.startPublished(name, `waits-${randomUUID()}`, { clock: 'sandbox' });
  // It goes by the clock once it waits.
  await vi.waitUntil(async () => (await handle.progress()).waitingFor[0]?.code === 'Time', patience);
  await clocks.advance(DAY + HOUR / 2);
  const workflow = at.client.workflow.getHandle(handle.workflowId);
  const wasRefused = async () => {
    const [booking] = (await workflow.describe()).raw.pendingActivities ?? [];
    return (booking?.attempt ?? 0) > 1;
  };
  await vi.waitUntil(wasRefused, patience);
  await clocks.advance(HOUR);
  expect(await handle.result()).toEqual({ refused: 'NoLockerAvailable' });
});

test('a callback that is not taken is tried again on the way, each time at its own time', {
  tags: 'long',
  timeout: SLOW_MS,
}, async () => {
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
  const tenantId = await tenantIdOf(service.database, 'demo');
  const [delivery] = await deliveriesOf(service.database, tenantId, { shipmentUid, limit: 1 });
  expect(delivery?.attempts).toBe(stops.length + 1);
  const moments = (delivery?.failures ?? []).map(({ failedAt }) => Date.parse(failedAt));
  const gaps = moments.slice(1).map((moment, index) => (moments[index] ?? 0) - moment);
  expect(Math.min(...gaps)).toBeGreaterThan(HOUR);
});

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

test('what a worker fails at is named, moves no more, and keeps no other from moving', {
  tags: 'long',
  timeout: SLOW_MS,
}, async () => {
  const at = installation();
  await using api = apiOf(at.service);
  const startsBadly = await startFailing(at.client, 'Issue', `starts-badly-${randomUUID()}`);
  const movesBadly = await startFailing(at.client, 'Intake', `moves-badly-${randomUUID()}`);
  await untilFailing(startsBadly);
  for (const { workflowId } of [startsBadly, movesBadly])
    await api.sandboxClock({ follow: `default/${workflowId}` });
  const { workflowId: key } = await at.flows.start('Issue', `issue-${randomUUID()}`, {
    request: { ...issueRequest, toUserUid: 'user-anna' },
    ...{ deadlines: { issue: { dropOff: 'P1D' } }, onOverdue: 'cancel', clock: 'sandbox' },
  });
  const shown = await lockerflow(at, ['clock', 'show']);
  expect(shown).toMatchObject({ code: 0, err: '' });
  const failsAt = ({ workflowId }: WorkflowHandle) =>
    `neither asked nor moved: ${workflowId}, because a worker fails at it: structuredClone is not defined\n`;
  expect(shown.out).toContain('3 flows go by it\n');
  expect(shown.out).toContain(failsAt(startsBadly));
  expect(shown.out).not.toContain(failsAt(movesBadly));
  const moved = await lockerflow(at, ['clock', 'advance', 'P3D']);
  expect(moved).toMatchObject({ code: 0, err: '' });
  expect(moved.out).toContain(failsAt(startsBadly));
  expect(moved.out).toContain(failsAt(movesBadly));
  expect(await at.flows.handle<'Issue'>(key).result()).toMatchObject({ outcome: 'Overdue' });
  for (const handle of [startsBadly, movesBadly]) await handle.terminate();
  const last = await lockerflow(at, ['clock', 'advance', 'P1D', '--json']);
  expect(JSON.parse(last.out)).toMatchObject({ flows: [], failing: [] });
});

test.each([['3 days'], ['P0D']])('the command refuses %j', { timeout: SLOW_MS }, async (duration) => {
  expect(await lockerflow(installation(), ['clock', 'advance', duration])).toMatchObject({
    code: 2,
    err: expect.stringContaining('expected one longer than zero, like P3D'),
  });
});

test('against a service in production the command says that it has no clock', {
  tags: 'long',
  timeout: SLOW_MS,
}, async () => {
  await using production = await createTestService({ mode: 'production' });
  for (const words of [['show'], ['advance', 'P3D']])
    expect(await lockerflow(installation(), ['clock', ...words], production.address)).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        'does not offer sandbox/clock; sandbox and clock need a service in staging',
      ),
    });
});
