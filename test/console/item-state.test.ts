// What the walls and the desk say of an item in a locker.
import { expect, test } from 'vitest';
import { formatItemState } from '../../console/item-state.ts';

test.each([
  ['ReadyForPickup', 'anna', 'to be picked up'],
  ['ReadyForPickup', null, 'in stock'],
  ['WaitForReceiver', null, 'in stock'],
  ['ReadyForDropoff', null, 'to be filled'],
])('%s for %s is “%s”', (stateCode, toUserUid, words) => {
  expect(formatItemState({ stateCode, toUserUid })).toBe(words);
});

test('what counts as put in while its door stands open is “being put in”', () => {
  const held = { stateCode: 'ReadyForPickup', toUserUid: 'anna', isBeingPutIn: true };
  expect(formatItemState(held)).toBe('being put in');
});
