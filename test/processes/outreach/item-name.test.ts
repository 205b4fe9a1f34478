// What the item of a case is called in a message: by whichever of its shipments says it, and never by the number of a leg.
import { expect, test } from 'vitest';
import { itemNameOf } from '../../../processes/outreach/case-about.ts';

const records: Readonly<Record<string, object>> = {
  issue: { shipmentUid: 'issue', description: 'Laptop 6', referenceNo: 'laptop-6' },
  bare: { shipmentUid: 'bare', description: '', referenceNo: 'laptop-6' },
  intake: { shipmentUid: 'intake', description: '', referenceNo: 'LN-2042/intake' },
};
const service = {
  call: async (_: string, { shipmentUid }: { readonly shipmentUid: string }) => ({
    items: [records[shipmentUid]],
  }),
} as never;
const named = (uids: readonly string[], items: readonly string[] = []) =>
  itemNameOf(
    service,
    'LN-2042',
    uids.map((shipmentUid) => ({ shipment: { shipmentUid } })),
    records[uids.at(-1) ?? ''] as never,
    items,
  );

test('a leg without a name has that of the item that was given out', async () => {
  expect(await named(['issue', 'intake'])).toBe('Laptop 6');
  expect(await named(['bare', 'intake'])).toBe('laptop-6');
  expect(await named(['intake'], ['laptop-6'])).toBe('laptop-6');
  expect(await named(['intake'], ['LN-2042/intake'])).toBeNull();
});
