// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// Two bookings of one process of a flow file, with everything real: stock that its own loan takes over, and two returns at one
// pick up point, which nothing tells apart but their bookings.
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import type { FlowFileHandle } from '../../client/flow-files/flow-file-handle.ts';
import type { Role } from '../../contract/flows/flow-input.ts';
import { patience } from './device-loans.ts';
import { ourService } from './installation.ts';
import { useInstallation } from './use-installation.ts';

const installation = useInstallation(ourService);

const locker =
  'pupUid: "$' +
  '{input.pup}", allowLargerLockers: true, allowOverflowLockers: false, dimension: { width: 10, height: 10, length: 10 }';

/** @param regions each books by the invoke of its name */
const file = (name: string, regions: Readonly<Record<string, string>>) => `
name: ${name}
meaning: Has two bookings.
input: { type: object, properties: { pup: { type: string } } }
type: parallel
states:
${Object.entries(regions)
  .map(
    ([id, input]) => `
  ${id}:
    initial: waiting
    states:
      waiting: { on: { ${id}Due: booking } }
      booking: { invoke: { id: ${id}, src: book, input: ${input}, onDone: { target: over }, onError: failed } }
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
    stock: `{ operation: CreateLocalShipmentAsStock, request: { ${locker} } }`,
    loan: '{ operation: CreateLocalShipmentAsIssueFromStock, request: { priorShipmentUid: "${event.data}", toUserUid: user-anna } }',
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
  const input = `{ operation: CreateLocalShipmentAsIntake, request: { ${locker}, fromUserUid: user-anna }, deadlines: { intake: { dropOff: P3D } } }`;
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
  await handle.extendDeadline({ ...week, booking: 'charger' });
  await people.dropOff(charger);
  await people.pickUp(charger);
  const chargerEnds = async () =>
    (await handle.progress()).bookings.map(({ id, outcome }) => `${id} ${outcome}`).sort();
  await vi.waitFor(
    async () => expect(await chargerEnds()).toEqual(['charger Done', 'laptop null']),
    patience,
  );
  await people.dropOff(laptop);
  await people.pickUp(laptop);
  await handle.result();
});
