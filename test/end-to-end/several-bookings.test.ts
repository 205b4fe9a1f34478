// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// Two bookings of one process of a flow file, with everything real: stock that its own loan takes over, and two returns at one
// pick up point, which nothing tells apart but their bookings.
import { randomUUID } from 'node:crypto';
import { defaultPayloadConverter } from '@temporalio/common';
import { expect, test, vi } from 'vitest';
import type { FlowFileHandle } from '../../client/flow-files/flow-file-handle.ts';
import type { Role } from '../../contract/flows/flow-input.ts';
import { extend } from '../../processes/commands/extend.ts';
import { setState } from '../../processes/commands/resolve.ts';
import { orThrow } from '../../processes/outcome.ts';
import { bookingFlows } from '../../processes/views/progress.ts';
import { booksTwice } from '../flows/booking/books-twice.ts';
import { patience } from './device-loans.ts';
import { ourService } from './installation.ts';
import { useInstallation } from './use-installation.ts';

const installation = useInstallation(ourService);

const locker =
  'pupUid: "$' +
  '{input.pup}", allowLargerLockers: true, allowOverflowLockers: false, dimension: { width: 10, height: 10, length: 10 }';

const returned = (more = '') =>
  `{ ${more} request: { ${locker}, fromUserUid: user-anna }, deadlines: { intake: { dropOff: P3D } } }`;

/** @param regions each begins by the invoke of its name, once it is due */
const file = (name: string, regions: Readonly<Record<string, string>>) => `
name: ${name}
meaning: Has two bookings.
input: { type: object, properties: { pup: { type: string } } }
type: parallel
states:
${Object.entries(regions)
  .map(
    ([id, begun]) => `
  ${id}:
    initial: waiting
    states:
      waiting: { on: { ${id}Due: booking } }
      booking: { invoke: { id: ${id}, ${begun}, onDone: { target: over }, onError: failed } }
      over: { type: final, output: "\${event.output.outcome}" }
      failed: {}
`,
  )
  .join('')}
`;

async function begun(regions: Readonly<Record<string, string>>) {
  const { flows, people } = installation();
  const name = `Bookings${randomUUID().slice(0, 8)}`;
  await flows.publish([{ path: 'bookings.flow.yaml', text: file(name, regions) }]);
  const pup = `pup-${randomUUID()}`;
  await people.newPickUpPoint(pup, 4);
  const handle = await flows.startPublished(name, `bookings-${randomUUID()}`, { request: { pup } });
  return { handle, people };
}

const uidOf = (handle: FlowFileHandle, id: string, role: Role) =>
  vi.waitUntil(async () => {
    const { bookings } = (await handle.progress().catch(() => undefined)) ?? {};
    return bookings?.find((each) => each.id === id)?.shipments[role]?.shipmentUid ?? false;
  }, patience);

test('stock is done once the loan of the same process takes it over, and the loan goes to its end', async () => {
  const { handle, people } = await begun({
    stock: `src: book, input: { operation: CreateLocalShipmentAsStock, request: { ${locker} } }`,
    loan: 'src: book, input: { operation: CreateLocalShipmentAsIssueFromStock, request: { priorShipmentUid: "${event.data}", toUserUid: user-anna } }',
  });
  await handle.sendEvent({ type: 'stockDue' });
  const uid = await uidOf(handle, 'stock', 'stock');
  await handle.sendEvent({ type: 'loanDue', data: uid });
  expect(await uidOf(handle, 'loan', 'issue')).toBe(uid);
  const stockEnds = async () => (await handle.progress()).bookings.find(({ id }) => id === 'stock')?.outcome;
  expect(await vi.waitUntil(stockEnds, patience)).toBe('Done');
  await people.dropOff(uid);
  await people.pickUp(uid);
  await handle.result();
});

test('two returns at one place are told apart, and each is followed by its own booking', async () => {
  const input = `src: book, input: ${returned('operation: CreateLocalShipmentAsIntake,')}`;
  const { handle, people } = await begun({ laptop: input, charger: input });
  await handle.sendEvent({ type: 'laptopDue' });
  await handle.sendEvent({ type: 'chargerDue' });
  const [laptop, charger] = [
    await uidOf(handle, 'laptop', 'intake'),
    await uidOf(handle, 'charger', 'intake'),
  ];
  expect(laptop).not.toBe(charger);
  const stored = await Promise.all([laptop, charger].map((uid) => people.shipment(uid)));
  expect(stored.map(({ referenceNo }) => referenceNo)).toEqual([
    `${handle.workflowId}/laptop/intake`,
    `${handle.workflowId}/charger/intake`,
  ]);
  const week = { role: 'intake', stage: 'dropOff', fromNow: 'P7D' } as const;
  await expect(handle.extendDeadline(week)).rejects.toThrow('laptop or charger');
  const { client, flows, taskQueue } = installation();
  const commandContext = { client, flows, taskQueue, by: 'anna', why: 'seen' };
  const key = handle.workflowId;
  expect(await extend.preview(commandContext, key, week)).toMatchObject({
    error: { message: expect.stringContaining('laptop or charger') },
  });
  const { events } = await client.workflow.getHandle(key).fetchHistory();
  const timers = (events ?? []).flatMap(({ timerStartedEventAttributes, userMetadata }) =>
    timerStartedEventAttributes ? [defaultPayloadConverter.fromPayload(userMetadata?.summary ?? {})] : [],
  );
  // Both book at once: whichever is answered first has the first one.
  expect(timers).toHaveLength(2);
  for (const id of ['laptop', 'charger'])
    expect(timers).toContainEqual(
      expect.stringMatching(new RegExp(`^intake: drop off until .* \\(${id}\\)$`)),
    );
  const { until } = orThrow(await extend.do(commandContext, key, { ...week, booking: 'charger' }));
  expect(Date.parse(until ?? '')).toBeGreaterThan(Date.now() + 6 * 86_400_000);
  // The deadline of the laptop ends first.
  expect(orThrow(await extend.do(commandContext, key, { next: true, fromNow: 'P8D' })).role).toBe('intake');
  const ends = (await handle.progress()).bookings.map(({ deadlines }) =>
    Date.parse(deadlines[0]?.until ?? ''),
  );
  expect(ends[0]).toBeGreaterThan(ends[1] ?? 0);
  await people.dropOff(charger);
  await people.pickUp(charger);
  const chargerEnds = async () =>
    (await handle.progress()).bookings.map(({ id, outcome }) => `${id} ${outcome}`).sort();
  await vi.waitFor(
    async () => expect(await chargerEnds()).toEqual(['charger Done', 'laptop null']),
    patience,
  );
  await people.dropOff(laptop);
  const wrong = await setState.do(commandContext, key, {
    role: 'intake',
    stateCode: 'Completed',
    booking: 'charger',
  });
  expect(wrong).toMatchObject({ done: false });
  orThrow(
    await setState.do(commandContext, key, { role: 'intake', stateCode: 'Completed', booking: 'laptop' }),
  );
  await handle.result();
});

test('a leg of its own is moved by its booking, and that of a flow that it has begun by that flow', async () => {
  const { handle } = await begun({
    laptop: `src: book, input: ${returned('operation: CreateLocalShipmentAsIntake,')}`,
    charger: `src: Intake, input: ${returned()}`,
  });
  await handle.sendEvent({ type: 'laptopDue' });
  await handle.sendEvent({ type: 'chargerDue' });
  await uidOf(handle, 'laptop', 'intake');
  const { client, flows, taskQueue } = installation();
  const commandContext = { client, flows, taskQueue, by: 'anna', why: 'seen' };
  const key = handle.workflowId;
  const [, child] = await vi.waitUntil(async () => {
    const both = await bookingFlows(commandContext, key);
    return both.length === 2 && both.every(({ progress }) => progress.bookings[0]?.shipments.intake) && both;
  }, patience);
  const week = { role: 'intake', stage: 'dropOff', fromNow: 'P7D' } as const;
  const unclear = await extend.do(commandContext, key, week);
  expect(unclear).toMatchObject({
    done: false,
    error: { message: expect.stringContaining(`${key} with the booking laptop; ${child?.key}`) },
  });
  const moved = async (of: string, booking?: string) =>
    orThrow(await extend.do(commandContext, of, { ...week, ...(booking && { booking }) })).key;
  expect(await moved(key, 'laptop')).toBe(key);
  expect(await moved(child?.key ?? '')).toBe(child?.key);
});

test('a copy of a built-in flow that books again gets a locker of its own each time', async () => {
  const { flows, people } = installation();
  const name = `Twice${randomUUID().slice(0, 8)}`;
  await flows.publish([{ path: 'twice.flow.yaml', text: booksTwice(name) }]);
  const pupUid = `pup-${randomUUID()}`;
  await people.newPickUpPoint(pupUid, 4);
  const size = { width: 10, height: 10, length: 10 };
  const booked = { pupUid, toUserUid: 'user-anna', allowLargerLockers: true, allowOverflowLockers: false };
  const handle = await flows.startPublished(name, `twice-${randomUUID()}`, {
    request: { ...booked, dimension: size },
  });
  const first = await uidOf(handle, 'shipments', 'issue');
  await people.dropOff(first);
  await people.pickUp(first);
  const second = await vi.waitUntil(async () => {
    const uid = await uidOf(handle, 'shipments', 'issue');
    return uid !== first && uid;
  }, patience);
  await people.dropOff(second);
  await people.pickUp(second);
  await handle.result();
  expect(await people.shipment(second)).toMatchObject({ referenceCaseNo: handle.workflowId });
});
