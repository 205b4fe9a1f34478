// The pattern HeldForTheNext with everything real: what the first reader leaves behind, the next one gets in the same locker.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { bookingOf, patience } from './device-loans.ts';
import { ourService } from './installation.ts';
import { useInstallation } from './use-installation.ts';

const file = await readFile(
  new URL('../../docs/examples/patterns/bookings/held-for-the-next.flow.yaml', import.meta.url),
  'utf8',
);
const installation = useInstallation(ourService);

test('a book that the first reader does not fetch goes to the next one, in its locker', {
  tags: 'long',
}, async () => {
  const at = installation();
  const name = `HeldForTheNext${randomUUID().slice(0, 8)}`;
  const text = file.replace('name: HeldForTheNext', `name: ${name}`);
  await at.flows.publish([
    { path: 'flow.yaml', text: text.replace('issue: { pickUp: P7D }', 'issue: { pickUp: PT1S }') },
  ]);
  const book = await at.people.newStock();
  const { lockerName } = await at.people.shipment(book);
  const key = `hold-${randomUUID()}`;
  const request = {
    book,
    readers: ['user-anna', 'user-bram'],
    dimension: { width: 1, height: 1, length: 1 },
  };
  const hold = { key, handle: await at.flows.startPublished(name, key, { request }) };
  const collection = await vi.waitUntil(
    async () => (await bookingOf(hold, 'again')).shipments.collect?.shipmentUid ?? false,
    patience,
  );
  expect(await at.people.shipment(collection)).toMatchObject({ toUserUid: 'user-bram', lockerName });
  // The locker that the service names is the one in which the first booking left the book.
  expect(await bookingOf(hold, 'hold')).toMatchObject({ outcome: 'Overdue', itemsLeft: [] });
  await at.people.pickUp(collection);
  expect(await hold.handle.result()).toEqual({ reader: 'user-bram' });
});
