// `lockerflow sandbox open` against everything real: who is expected at the locker comes, and the flow goes on.

import { expect, test, vi } from 'vitest';
import { examples } from '../../contract/operations/examples.ts';
import { newKey } from '../client/flows-at-hand.ts';
import { basicService, ourService, startInstallation } from '../end-to-end/installation.ts';
import { useInstallation } from '../end-to-end/use-installation.ts';
import { newTestWalls } from '../service/simulated-wall/start-walls.ts';
import { demoSettings } from '../support/caller.ts';
import { newWall } from '../support/walls/new-wall.ts';
import { uniqueName } from '../workflows/flow-files/running-files.ts';
import { run } from './lockerflow-program.ts';

const installation = useInstallation(ourService);

// A process that starts, and a flow, on two cores that other tests keep busy.
const SLOW_MS = 120_000;

function open(key: string, ...more: string[]) {
  const { service, taskQueue } = installation();
  return run(['sandbox', 'open', key, ...more], {
    taskQueue,
    variables: demoSettings(service.address),
  });
}

async function issue(): Promise<string> {
  const request = { ...examples.CreateLocalShipmentAsIssue.request, allowLargerLockers: true };
  const { workflowId } = await installation().flows.start('Issue', newKey(), { request });
  return workflowId;
}

test('drops off, then picks up, and the flow ends Done', { timeout: SLOW_MS }, async () => {
  const key = await issue();
  // At once after the start: it waits for the booking.
  const droppedOff = await open(key);
  expect(droppedOff).toMatchObject({ code: 0, err: '' });
  expect(droppedOff.out).toMatch(
    /^issue: dropped off at locker \d+ of pup-central\nissue ReadyForPickup; waiting for issue to be picked up/,
  );
  const pickedUp = JSON.parse((await open(key, '--json')).out);
  expect(pickedUp).toMatchObject({
    workflowId: key,
    role: 'issue',
    step: 'pickUp',
    after: { activity: 'Ended', shipments: { issue: { stateCode: 'Completed' } } },
  });
  expect(await installation().flows.handle<'Issue'>(key).result()).toMatchObject({ outcome: 'Done' });
  expect(await open(key)).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining(`nobody is expected at the locker for ${key} (Ended, issue Completed)`),
  });
});

test('opens the lockers of a flow that a process of a flow file has started', {
  tags: 'long',
  timeout: SLOW_MS,
}, async () => {
  const name = uniqueName('Lending');
  const { request } = examples.CreateLocalShipmentAsIssue;
  const input = JSON.stringify({ request: { ...request, allowLargerLockers: true } });
  const file = `
name: ${name}
meaning: Lends a device.
initial: lent
states:
  lent: { invoke: { id: loan, src: Issue, input: ${input}, onDone: over } }
  over: { type: final }
`;
  const { flows } = installation();
  await flows.publish([{ path: 'lending.flow.yaml', text: file }]);
  const key = newKey();
  const handle = await flows.startPublished(name, key, { request: {} });
  await vi.waitUntil(
    async () => (await handle.progress().catch(() => null))?.children?.some((child) => child.key !== null),
    { timeout: SLOW_MS, interval: 100 },
  );
  expect(await open(key)).toMatchObject({ code: 0, out: expect.stringContaining('issue: dropped off') });
  expect(await open(key)).toMatchObject({ code: 0, out: expect.stringContaining('issue: picked up') });
  await handle.result();
});

test('one of several bookings is named: to open its locker, and to extend a deadline of it', {
  timeout: SLOW_MS,
}, async () => {
  const name = uniqueName('Kit');
  const { request } = examples.CreateLocalShipmentAsIssue;
  const input = JSON.stringify({
    operation: 'CreateLocalShipmentAsIssue',
    request: { ...request, allowLargerLockers: true },
  });
  const state = (id: string) => `
  ${id}:
    initial: lent
    states: { lent: { invoke: { id: ${id}, src: book, input: ${input}, onDone: over } }, over: { type: final } }`;
  const file = `
name: ${name}
meaning: Lends two devices.
type: parallel
states:${state('laptop')}${state('charger')}
`;
  const { flows } = installation();
  await flows.publish([{ path: 'kit.flow.yaml', text: file }]);
  const key = newKey();
  const handle = await flows.startPublished(name, key, { request: {} });
  await vi.waitUntil(
    async () => {
      const { bookings = [] } = (await handle.progress().catch(() => null)) ?? {};
      return bookings.length === 2 && bookings.every(({ activity }) => activity === 'Following');
    },
    { timeout: SLOW_MS, interval: 100 },
  );
  const unclear = await open(key);
  expect(unclear).toMatchObject({ code: 2, err: expect.stringContaining('--role and --booking') });
  for (const id of ['laptop', 'charger']) expect(unclear.err).toContain(`issue of ${id} of ${key}`);
  expect(await open(key, '--booking', 'phone')).toMatchObject({
    code: 2,
    err: expect.stringContaining('expected one of '),
  });
  expect(await open(key, '--booking', 'charger')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^issue of charger: dropped off/),
  });
  // `flows` names it so.
  const extend = (...more: string[]) =>
    run(['extend', key, '--by', 'anna', '--why', 'ill', ...more], {
      taskQueue: installation().taskQueue,
      variables: {},
    });
  const pickUp = ['--deadline', 'charger.issue.pickUp'];
  expect(await extend(...pickUp, '--from-now', 'P1D')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/to undo it: .* --deadline issue\.pickUp .*--booking charger/),
  });
  expect(await extend(...pickUp, '--booking', 'laptop', '--from-now', 'P1D')).toMatchObject({
    code: 2,
    err: expect.stringContaining('is one of the booking charger, and --booking laptop is given'),
  });
  expect(await extend('--deadline', 'laptop.issue.pickUp', '--extend-by', 'P1D')).toMatchObject({
    code: 1,
    err: expect.stringContaining('laptop: issue.pickUp has no end yet'),
  });
});

test('with --shut the door of a wall is shut after that, and without it stays open', {
  timeout: SLOW_MS,
}, async () => {
  await using walled = await startInstallation(ourService);
  const { service, taskQueue, flows } = walled;
  await using walls = await newTestWalls(service.address);
  await walls.start([await newWall(service.url, 'demo', 'pup-central')]);
  await expect.poll(() => walls.wall('pup-central').view().isConnected).toBe(true);
  const { workflowId: key } = await flows.start('Issue', newKey(), {
    request: { ...examples.CreateLocalShipmentAsIssue.request, allowLargerLockers: true },
  });
  const openDoors = () =>
    walls
      .wall('pup-central')
      .view()
      .lockers.filter(({ door }) => door === 'open').length;
  const opened = (more: readonly string[], variables = {}) =>
    run(['sandbox', 'open', key, ...more], {
      taskQueue,
      variables: { ...demoSettings(service.address), WALL_URL: walls.address, ...variables },
    });
  expect(await opened(['--shut'])).toMatchObject({ code: 0, err: '' });
  expect(openDoors()).toBe(0);
  expect(await opened([])).toMatchObject({ code: 0, err: '' });
  expect(openDoors()).toBe(1);
});

test('a wall that does not answer is named, and that the door is open', { timeout: SLOW_MS }, async () => {
  const key = await issue();
  const { service, taskQueue } = installation();
  const variables = { ...demoSettings(service.address), WALL_URL: 'http://127.0.0.1:9' };
  expect(await run(['sandbox', 'open', key, '--shut'], { taskQueue, variables })).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /the door is open, and was not shut at http:\/\/127.0.0.1:9: .*; check WALL_URL/,
    ),
  });
});

test('where there is no wall, --shut says what was done, and that no door stays open', {
  timeout: SLOW_MS,
}, async () => {
  const key = await issue();
  const { service, taskQueue } = installation();
  await using walls = await newTestWalls(service.address);
  await walls.start([]);
  const variables = { ...demoSettings(service.address), WALL_URL: walls.address };
  expect(await run(['sandbox', 'open', key, '--shut'], { taskQueue, variables })).toMatchObject({
    code: 1,
    out: expect.stringContaining('issue: dropped off'),
    err: expect.stringMatching(/simulates no wall of pup-.*so leave out --shut/),
  });
});

test('an unknown key and a role that the flow does not have are errors', { timeout: SLOW_MS }, async () => {
  expect(await open(newKey())).toMatchObject({
    code: 3,
    err: expect.stringContaining('see lockerflow list'),
  });
  const key = await issue();
  expect(await open(key, '--role', 'intake')).toMatchObject({
    code: 2,
    err: expect.stringContaining('expected one of issue'),
  });
});

test('half of the settings is refused before any secret is sent', { timeout: SLOW_MS }, async () => {
  const key = await issue();
  const { taskQueue } = installation();
  const variables = { LOCKER_API_URL: 'http://127.0.0.1:9' };
  expect(await run(['sandbox', 'open', key], { taskQueue, variables })).toMatchObject({
    code: 2,
    err: expect.stringContaining('LOCKER_AUTH_URL, LOCKER_CLIENT_ID, LOCKER_CLIENT_SECRET not set'),
  });
});

test('a service that gives no access codes is named as such', {
  tags: 'long',
  timeout: SLOW_MS,
}, async () => {
  await using vendor = await startInstallation(basicService);
  const request = { ...examples.CreateLocalShipmentAsIssue.request, allowLargerLockers: true };
  const { workflowId } = await vendor.flows.start('Issue', newKey(), { request });
  const { address } = vendor.service;
  const refused = await run(['sandbox', 'open', workflowId], {
    taskQueue: vendor.taskQueue,
    variables: demoSettings(address),
  });
  expect(refused).toMatchObject({
    code: 1,
    err: expect.stringContaining(
      'this locker service cannot list shipments; sandbox and clock need a service in staging',
    ),
  });
});
