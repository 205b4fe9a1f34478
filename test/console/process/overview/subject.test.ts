// The person and the item that the page of a process names: of a built-in flow by its operation's fields and what the shipment says
// by now, of a flow file by what its input marks.
import { expect, test } from 'vitest';
import { rowsOf } from '../../../../console/process/overview/data-rows.ts';
import { personMeant } from '../../../../console/process/overview/subject.ts';

const shipment = (role: string, toUserUid: string | null, fromUserUid: string | null = 'user-anna') => ({
  role,
  record: { fromUserUid, toUserUid },
});
const meant = (...given: Parameters<typeof personMeant>) => {
  const { role, uid } = personMeant(...given);
  return `${role} ${uid}`;
};

test('a shipment is for its receiver, and from its sender while it has none', () => {
  const request = { fromUserUid: 'user-anna', toUserUid: 'user-bram' };
  expect(meant(request, undefined)).toBe('For user-bram');
  expect(meant(request, shipment('shipment', 'user-bram'))).toBe('For user-bram');
  expect(meant(request, shipment('shipment', null))).toBe('From user-anna');
  expect(meant({ fromUserUid: 'user-anna' }, shipment('shipment', 'user-olga'))).toBe('For user-olga');
});

test('a return is from its sender, and stock from nobody', () => {
  expect(meant({ fromUserUid: 'user-anna' }, shipment('intake', 'dispatcher'))).toBe('From user-anna');
  expect(meant({}, shipment('stock', null, 'dispatcher'))).toBe('From null');
  // Another flow has given it to her.
  expect(meant({}, shipment('stock', 'user-anna', 'dispatcher'))).toBe('From null');
  expect(personMeant({ toUser: { firstName: 'Bo' } }, undefined)).toMatchObject({
    role: 'For',
    account: { firstName: 'Bo' },
  });
});

test('data reads in words for people, and how it may be booked is apart', () => {
  const request = {
    pupUid: 'pup-central',
    dimension: { width: 20, height: 5, length: 30 },
    allowLargerLockers: true,
    allowOverflowLockers: false,
    details: { referenceNo: '3SLOCK', description: 'Tablet' },
  };
  expect(rowsOf(request)).toEqual([
    { label: 'Pick up point', value: 'pup-central' },
    { label: 'Size', value: '20 × 5 × 30 cm' },
    { label: 'Reference', value: '3SLOCK' },
    { label: 'Description', value: 'Tablet' },
  ]);
  expect(rowsOf({ issue: { dimension: { width: 1, height: 2, length: 3 } } })).toEqual([
    { label: 'Issue, size', value: '1 × 2 × 3 cm' },
  ]);
});
