// Whether an item is being put in: by the last opening of its locker, and since when the door stands open.
import { expect, test } from 'vitest';
import { isBeingPutIn } from '../../../processes/views/being-put-in.ts';

const AT = '2031-05-01T10:00:00.000';
const opened = (accessGoal: string, doorOpenSince: string | null, door = 'Open') =>
  isBeingPutIn({ door, doorOpenSince, lastAccess: { occurredAt: AT, accessGoal } as never });

test.each([
  ['the door opened for it', 'DropOff', AT, true],
  ['the clock of the wall is a little ahead', 'DropOff', '2031-05-01T10:00:05.000', true],
  ['the door stood open before', 'DropOff', '2031-05-01T09:50:00.000', true],
  ['the service does not say since when', 'DropOff', null, true],
  ['the door was opened again later, with a key', 'DropOff', '2031-05-01T10:05:00.000', false],
  ['somebody looks inside', 'Look', AT, false],
])('%s', (_, accessGoal, doorOpenSince, isIt) => {
  expect(opened(accessGoal, doorOpenSince)).toBe(isIt);
});

test('nothing is being put in at a door that is shut, or of which nobody knows', () => {
  expect(opened('DropOff', null, 'Closed')).toBe(false);
  expect(opened('DropOff', null, 'Unknown')).toBe(false);
});
