// docs/connectors.md: What built-in flows tell
// The events that a built-in flow sends to the outside, on a real Temporal, if its start asks for them by `tell`.
import { Context } from '@temporalio/activity';
import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { Connectors } from '../../../activities/connectors/connectors.ts';
import { yamlText } from '../../../flows/language/reading/yaml-text.ts';
import { onboardAccount } from '../../../flows/shipped/onboard-account.ts';
import { readConnectors } from '../../../shared/settings/connectors.ts';
import { json, startTestServer } from '../../shared/locker-api/test-server.ts';
import { eventsOf } from '../../support/history.ts';
import { Outside, reportOf } from '../outside.ts';
import { runningFiles, uniqueName, untilProgress } from './running-files.ts';

const files = runningFiles();
const server = await startTestServer(json(200, {}));
files.connectors = new Connectors(
  readConnectors(
    `events: hub\nconnectors: { hub: { address: "${server.url}", events: { signingKeyFile: keys } } }`,
    () => `whsec_${Buffer.alloc(32, 5).toString('base64')}`,
  ),
);
afterAll(async () => {
  await files.connectors.close();
  await server[Symbol.asyncDispose]();
});
beforeEach(() => {
  server.requests.length = 0;
});

interface Notification {
  readonly type: string;
  readonly timestamp: string;
  readonly data: object;
}

const notifications = (): Notification[] => server.requests.map(({ body }) => JSON.parse(body));

/** An issue that is booked. */
async function begun(input: object) {
  const handle = await files.start('Issue', {
    request: { toUserUid: 'user-anna', dimension: { height: 1, width: 1, length: 1 } },
    ...input,
  });
  const outside = new Outside();
  files.attend(handle.workflowId, outside);
  await vi.waitUntil(() => outside.roles.get('issue') ?? false, { timeout: 60_000, interval: 30 });
  return { handle, outside };
}

const phaseOf = (handle: WorkflowHandle, phase: string) =>
  untilProgress(handle, (progress) => (progress.phase as string) === phase);

async function issue(tell?: object) {
  const { handle, outside } = await begun({
    deadlines: { issue: { pickUp: 'PT1S' } },
    ...(tell && { tell }),
  });
  const uid = outside.uid('issue');
  await outside.does(uid, 'ItemDroppedOff');
  await phaseOf(handle, 'Overdue');
  await outside.does(uid, 'ItemPickedUp');
  return { handle, result: await handle.result(), uid };
}

test('a flow tells that a deadline has passed and that it has ended, in order, with its result', async () => {
  const { handle, result, uid } = await issue({ events: ['overdue', 'needsPerson', 'ended'] });
  expect(notifications()).toMatchObject([
    {
      type: 'flow.overdue',
      number: 1,
      flow: { key: handle.workflowId, name: 'Issue' },
      data: { role: 'issue', stage: 'pickUp', until: expect.any(String) },
    },
    { type: 'flow.ended', number: 2, data: { result } },
  ]);
  expect(JSON.stringify(result)).toContain(uid);
});

test('a flow reminds before a deadline, once for each deadline, and only where there is time for it', async () => {
  // An hour before its end there is a second left. So a reminder comes soon, and the deadline itself only when that is moved.
  const { handle, outside } = await begun({
    deadlines: { issue: { pickUp: 'PT1H' } },
    tell: { events: ['reminder', 'overdue', 'ended'], remindBefore: 'PT59M59S' },
  });
  const uid = outside.uid('issue');
  await outside.does(uid, 'ItemDroppedOff');
  const untilTold = (count: number) =>
    vi.waitUntil(() => notifications().length === count, { timeout: 60_000, interval: 30 });
  const extended = (fromNow: string) =>
    handle.executeUpdate('extendDeadline', { args: [{ role: 'issue', stage: 'pickUp', fromNow }] });
  await untilTold(1);
  // The later deadline has its own reminder.
  await extended('PT1H');
  await untilTold(2);
  // For this one there is no time.
  await extended('PT0.5S');
  await phaseOf(handle, 'Overdue');
  await outside.does(uid, 'ItemPickedUp');
  await handle.result();
  const [first, second] = notifications() as [Notification, Notification];
  expect(first).toMatchObject({
    type: 'flow.reminder',
    number: 1,
    flow: { key: handle.workflowId, name: 'Issue' },
    data: { role: 'issue', stage: 'pickUp', until: expect.any(String) },
  });
  const { until } = first.data as { until: string };
  expect(Date.parse(until) - Date.parse(first.timestamp)).toBeLessThanOrEqual(3_599_000);
  expect(second.data).not.toMatchObject({ until });
  expect(notifications().map(({ type }) => type)).toEqual([
    ...['flow.reminder', 'flow.reminder', 'flow.overdue', 'flow.ended'],
  ]);
});

test('a flow tells that it needs a person, and what it waits for', async () => {
  const { handle, outside } = await begun({ tell: { events: ['needsPerson', 'ended'] } });
  const uid = outside.uid('issue');
  await outside.does(uid, 'ItemDroppedOff');
  const long = new Date(Date.now() + 3_600_000).toISOString().replace('Z', '');
  await outside.deliver(reportOf(uid, 'ReadyForDropoff', long));
  await phaseOf(handle, 'NeedsPerson');
  await vi.waitUntil(() => notifications().length > 0, { timeout: 60_000, interval: 30 });
  expect(notifications()).toMatchObject([
    {
      type: 'flow.needsPerson',
      number: 1,
      flow: { key: handle.workflowId, name: 'Issue' },
      data: { waitingFor: expect.arrayContaining([expect.stringContaining('a person:')]) },
    },
  ]);
  await handle.executeUpdate('resolve', {
    args: [{ action: 'setState', role: 'issue', stateCode: 'Completed', by: 'anna', why: 'seen' }],
  });
  await handle.result();
  expect(notifications().map(({ type }) => type)).toEqual(['flow.needsPerson', 'flow.ended']);
});

const request = {
  emailAddress: 'anna@example.com',
  firstName: 'Anna',
  lastName: 'Jansen',
  pickUpPointUid: 'pup-central',
};

test.each([
  ['OnboardAccount', async () => 'OnboardAccount'],
  [
    'a copy of it',
    async () => {
      const name = uniqueName('Onboard');
      await files.publish(yamlText({ ...onboardAccount, name }));
      return name;
    },
  ],
])('%s tells its end: its result, or the code of the service', async (_, named) => {
  const name = await named();
  const tell = { events: ['ended'] };
  const outside = new Outside();
  const done = await files.start(name, { request, tell });
  files.attend(done.workflowId, outside);
  const result = await done.result();
  expect(notifications()).toMatchObject([
    { type: 'flow.ended', data: { result }, flow: { key: done.workflowId, name } },
  ]);
  server.requests.length = 0;
  const refusing = new Outside();
  refusing.activities.callLockerApi = async () => {
    throw ApplicationFailure.nonRetryable('it belongs to another', 'AccessDenied');
  };
  const refused = await files.start(name, { request, tell });
  files.attend(refused.workflowId, refusing);
  await expect(refused.result()).rejects.toMatchObject({ cause: { type: 'AccessDenied' } });
  expect(notifications()).toMatchObject([{ type: 'flow.ended', data: { code: 'AccessDenied' } }]);
  server.requests.length = 0;
  const waiting = new Outside();
  const asked = Promise.withResolvers<void>();
  waiting.activities.callLockerApi = async () => {
    asked.resolve();
    await Context.current().cancelled;
    return {};
  };
  const cancelled = await files.start(name, { request, tell });
  files.attend(cancelled.workflowId, waiting);
  await asked.promise;
  await cancelled.cancel();
  await expect(cancelled.result()).rejects.toThrow('Workflow execution cancelled');
  expect(notifications()).toMatchObject([{ type: 'flow.ended', data: { cancelled: true } }]);
});

test('a flow tells only what its start asks for', async () => {
  await issue({ events: ['ended'] });
  expect(notifications().map(({ type }) => type)).toEqual(['flow.ended']);
});

test('a flow without tell tells nothing, and its history has nothing of it', async () => {
  const { handle } = await issue();
  expect(notifications()).toEqual([]);
  const events = await eventsOf(handle);
  expect(events.filter((type) => type === 'ACTIVITY_TASK_SCHEDULED')).toHaveLength(1);
});
