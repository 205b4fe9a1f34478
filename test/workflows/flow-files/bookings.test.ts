// Several bookings in one process of a flow file, on Temporal: reports, updates and search attributes of all, stock and its loan
// in one process, and a booking for each item of a list.
import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { expect, test, vi } from 'vitest';
import type { Role } from '../../../contract/flows/flow-input.ts';
import { Outside, reportOf } from '../outside.ts';
import { booking } from '../stories.ts';
import { refusalOf, uniqueName, untilProgress, withShortRunsToo } from './running-files.ts';

const request = (more: string) => `{ ${JSON.stringify(booking).slice(1, -1)}, ${more} }`;

withShortRunsToo((files) => {
  const started = async (text: (name: string) => string, input: object = {}) => {
    const name = uniqueName('Bookings');
    await files.publish(text(name));
    const handle = await files.start(name, { request: input });
    const outside = new Outside();
    files.attend(handle.workflowId, outside);
    return { handle, outside };
  };
  const untilBooked = async (handle: WorkflowHandle, id: string, role: Role) => {
    const { bookings } = await untilProgress(handle, (progress) =>
      progress.bookings.some((each) => each.id === id && each.shipments[role] !== undefined),
    );
    return bookings.find((each) => each.id === id)?.shipments[role]?.shipmentUid ?? '';
  };

  const restocking = (name: string) => `
name: ${name}
meaning: Puts a device into a locker, and lends it before it is there.
input: { type: object, properties: { device: { type: string } } }
correlate: { device: "\${input.device}" }
type: parallel
states:
  stock:
    initial: stocking
    states:
      stocking:
        invoke: { id: stock, src: book, input: { operation: CreateLocalShipmentAsStock, request: ${request('details: {}')} }, onDone: over, onError: over }
      over: { type: final }
  loan:
    initial: waiting
    states:
      waiting: { on: { lend: lending } }
      lending:
        invoke:
          id: loan
          src: book
          input: { operation: CreateLocalShipmentAsIssueFromStock, request: { priorShipmentUid: "\${event.data}", toUserUid: user-anna } }
          onDone: over
          onError: over
      over: { type: final }
`;

  test('stock and its loan are bookings of one process: the one hears that the other has taken its shipment over', async () => {
    const { handle, outside } = await started(restocking, { device: randomUUID() });
    const uid = await untilBooked(handle, 'stock', 'stock');
    await handle.signal('event', { type: 'lend', data: uid });
    expect(await untilBooked(handle, 'loan', 'issue')).toBe(uid);
    const told = await untilProgress(handle, ({ state }) => (state as { stock: string }).stock === 'over');
    expect(told.bookings.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['stock', 'Done'],
      ['loan', null],
    ]);
    const foreign = reportOf(randomUUID(), 'ReadyForPickup', '2031-01-01T10:00:00.000');
    await handle.signal('shipmentStatus', foreign);
    await vi.waitFor(() => expect(outside.unmatched).toEqual([foreign]), { timeout: 20_000 });
    await outside.does(uid, 'ItemDroppedOff');
    await outside.does(uid, 'ItemPickedUp');
    await handle.result();
    expect(outside.calls).toEqual(['CreateLocalShipmentAsStock', 'CreateLocalShipmentAsIssueFromStock']);
  });

  const returning = (name: string) => `
name: ${name}
meaning: Takes two devices back, one within three open days, one within three days of the calendar.
calendars: { desk: { zone: Europe/Amsterdam, open: { MON-SUN: "00:00-24:00" } } }
type: parallel
states:
${Object.entries({ laptop: 'open', charger: 'date' })
  .map(
    ([id, count]) => `
  ${id}:
    initial: waiting
    states:
      waiting: { on: { ${id}Due: back } }
      back:
        invoke: { id: ${id}, src: book, input: { operation: CreateLocalShipmentAsIntake, request: ${request('fromUserUid: user-anna')}, deadlines: { intake: { dropOff: { ${count}: P3D, in: desk } } } }, onDone: over, onError: over }
      over: { type: final }`,
  )
  .join('')}
`;

  test('two of one leg are extended, shown and found each by its own', async () => {
    const { handle, outside } = await started(returning);
    await handle.signal('event', { type: 'laptopDue' });
    const laptop = await untilBooked(handle, 'laptop', 'intake');
    await handle.signal('event', { type: 'chargerDue' });
    const charger = await untilBooked(handle, 'charger', 'intake');
    const week = { role: 'intake', stage: 'dropOff', fromNow: 'P7D' };
    expect(await refusalOf(handle.executeUpdate('extendDeadline', { args: [week] }))).toContain(
      'laptop or charger',
    );
    await handle.executeUpdate('extendDeadline', { args: [{ ...week, booking: 'charger' }] });
    const { bookings } = await untilProgress(handle, () => true);
    const [until, moved] = bookings.map(({ deadlines }) => Date.parse(deadlines[0]?.until ?? ''));
    expect((moved ?? 0) - (until ?? 0)).toBeGreaterThan(3 * 86_400_000);
    const { searchAttributes } = await handle.describe();
    expect(searchAttributes).toMatchObject({
      LockerShipmentUids: expect.arrayContaining([laptop, charger]),
      LockerCase: ['case'],
      LockerPickUpPoint: ['pup-central'],
    });
    for (const uid of [charger, laptop]) {
      await outside.does(uid, 'ItemDroppedOff');
      await outside.does(uid, 'ItemPickedUp');
    }
    await handle.result();
    expect((await files.replays(handle.workflowId)).length).toBeGreaterThan(0);
  });

  const recalling = (name: string) => `
name: ${name}
meaning: Takes devices back, one after the other.
context: { heard: [] }
initial: recalling
states:
  recalling:
    invoke:
      id: recall
      src: each
      input:
        of: "\${input.devices}"
        atOnce: 1
        keep: "\${output.outcome}"
        do: { src: book, input: { operation: CreateLocalShipmentAsIntake, request: ${request('fromUserUid: "$' + '{item}"')}, deadlines: { intake: { dropOff: P3D } } } }
      onDone: { target: over, actions: { type: assign, params: { done: "\${event.output.done}" } } }
      onError: over
    on:
      recall.intake.ReadyForPickup: { actions: { type: assign, params: { heard: "\${context.heard + [event.item]}" } } }
  over: { type: final }
output: "\${[context.heard, context.done]}"
`;

  test('each item of a list is booked and followed within the process', async () => {
    const { handle, outside } = await started(recalling, { devices: ['a', 'b', 'c'] });
    for (const index of [0, 1, 2]) {
      const uid = await untilBooked(handle, `recall.${index}`, 'intake');
      await outside.does(uid, 'ItemDroppedOff');
      if (index === 1) await files.restartWorker();
      await outside.does(uid, 'ItemPickedUp');
    }
    const done = ['a', 'b', 'c'].map((item, index) => ({ index, item, output: 'Done' }));
    expect(await handle.result()).toEqual([['a', 'b', 'c'], done]);
    await files.replays(handle.workflowId);
  });

  const stocking = (name: string) => `
name: ${name}
meaning: Puts a device into a locker.
initial: stocking
states:
  stocking:
    invoke: { id: stock, src: book, input: { operation: CreateLocalShipmentAsStock, request: ${request('details: {}')} }, onDone: over, onError: over }
    on: { ping: { actions: { type: log, params: { message: ping } } }, end: over }
  over: { type: final }
`;

  test('one that was given up is seen in the version that books nothing, and in the runs that follow', async () => {
    const { handle } = await started(stocking);
    await untilBooked(handle, 'stock', 'stock');
    const file = {
      name: (await handle.describe()).type,
      meaning: 'Books nothing.',
      initial: 'stocking',
      states: { stocking: { on: { ping: {}, end: 'over' } }, over: { type: 'final' } },
    };
    const plan = { leave: ['stock'] };
    const request = { semantics: 1, to: { file, version: 2 }, by: 'anna', why: 'a test', plan };
    await handle.executeUpdate('migrate', { args: [request] });
    for (let id = 0; id < 12; id++) {
      await handle.signal('event', { type: 'ping', id: String(id) });
      await untilProgress(handle, ({ version }) => version === 2);
    }
    await files.restartWorker();
    const { bookings } = await untilProgress(handle, ({ version }) => version === 2);
    expect(bookings.map(({ id }) => id)).toEqual(['stock left']);
    await handle.signal('event', { type: 'end' });
    await handle.result();
  });
});
