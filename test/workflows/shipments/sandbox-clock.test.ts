// Flows that follow the clock of a tenant in staging, on a real Temporal.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ActivityDependencies } from '../../../activities/activity-dependencies.ts';
import { followSandboxClock } from '../../../activities/sandbox-clock.ts';
import { readServiceProfile, serviceProfileSettings } from '../../../contract/index.ts';
import { CLOCK, type ClockStatus, MOVE_CLOCK } from '../../../engine/temporal/handlers.ts';
import { LockerApi } from '../../../shared/locker-api/index.ts';
import { eventsOf } from '../../support/history.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { Outside } from '../outside.ts';
import { follows, runningFlows, untilProgress } from '../running-flows.ts';
import { requestOf } from '../stories.ts';
import { storyOf } from '../under-way.ts';

const DAY = 86_400_000;
const AHEAD = 10 * DAY;

const flows = runningFlows();
const issue = storyOf('Issue');
let production: TestService;

beforeAll(async () => {
  production = await createTestService({ mode: 'production' });
});
afterAll(() => production[Symbol.asyncDispose]());

/** An issue at a service whose clock is ten days ahead. */
async function issued(input: object) {
  const outside = new Outside();
  outside.now = () => new Date(Date.now() + AHEAD);
  const request = await requestOf(issue, outside);
  const handle = await flows.start(outside, 'Issue', {
    request,
    deadlines: { issue: { dropOff: 'P3D', pickUp: 'P14D' } },
    ...input,
  });
  return { outside, handle };
}

// assumptions: The clock of a staging tenant, A flow with `clock: "sandbox"`
test('its deadlines count from the moments of the service, and pass when its clock has come to them', async () => {
  const { outside, handle } = await issued({ clock: 'sandbox' });
  const { deadlines } = await follows(handle);
  const until = Date.parse(deadlines[0]?.until ?? '') - Date.now();
  expect(until / DAY).toBeCloseTo(13, 1);
  const move = (aheadMs: number) =>
    handle.executeUpdate<ClockStatus, [object]>(MOVE_CLOCK, { args: [{ aheadMs }] });
  expect((await move(AHEAD + 2.9 * DAY)).next?.timer).toMatch(/^issue: .* until /);
  expect(await handle.query('progress')).toMatchObject({ phase: 'Open' });
  outside.now = () => new Date(Date.now() + AHEAD + 3.1 * DAY);
  await move(AHEAD + 3.1 * DAY);
  await untilProgress(handle, ({ phase }) => phase === 'Overdue');
  await outside.does(outside.uid('issue'), 'ItemDroppedOff');
  const later = await untilProgress(handle, ({ deadlines: [open] }) => open?.stage === 'pickUp');
  expect((Date.parse(later.deadlines[0]?.until ?? '') - Date.now()) / DAY).toBeCloseTo(27.1, 1);
  expect(await handle.query<ClockStatus>(CLOCK)).toMatchObject({ isAtRest: true, children: [] });
  // Whoever reads the log of a shift goes by the real time.
  await handle.executeUpdate('note', { args: [{ text: 'The charger is missing', by: 'noor' }] });
  const [actedAt] = ((await handle.describe()).searchAttributes.LockerActedAt ?? []) as Date[];
  expect(Math.abs(Date.now() - Number(actedAt))).toBeLessThan(60_000);
  await outside.does(outside.uid('issue'), 'ItemPickedUp');
  expect(await handle.result()).toMatchObject({ outcome: 'Done', overdue: [{ stage: 'dropOff' }] });
});

test('an update that comes with its start waits until it knows its time', async () => {
  const note = { text: 'Handle with care', by: 'noor' };
  const outside = new Outside();
  const request = await requestOf(issue, outside);
  const handle = await flows.startWithUpdate(outside, 'Issue', { request, clock: 'sandbox' }, ['note', note]);
  expect(await handle.query('progress')).toMatchObject({ note });
  await handle.terminate();
});

test('without the clock a flow has no more events than before, and nothing that moves it', async () => {
  const { outside, handle } = await issued({ deadlines: {} });
  await follows(handle);
  await expect(handle.query(CLOCK)).rejects.toThrow(/clock/);
  expect(await eventsOf(handle)).not.toContain('MARKER_RECORDED');
  await outside.does(outside.uid('issue'), 'ItemDroppedOff');
  await outside.does(outside.uid('issue'), 'ItemPickedUp');
  await handle.result();
});

test('against a service in production it fails at once, and says what was expected', async () => {
  const { address } = production;
  const credentials = { clientId: 'demo', clientSecret: 'demo-secret' };
  await using api = new LockerApi({ apiUrl: address, authUrl: address, ...credentials });
  const dependencies = {
    api,
    serviceProfile: readServiceProfile(serviceProfileSettings.parse({})),
  } as ActivityDependencies;
  const outside = new Outside();
  Object.assign(outside.activities, { followSandboxClock: () => followSandboxClock(dependencies) });
  const handle = await flows.start(outside, 'Issue', { request: {}, clock: 'sandbox' });
  await expect(handle.result()).rejects.toMatchObject({
    cause: {
      type: 'NotAvailable',
      message: expect.stringMatching(/expected one in staging; start the flow without clock/),
    },
  });
  expect(outside.calls).toEqual([]);
});
