// What the search in the header says of a locker: the words and the state that its tile has.
import { expect, test } from 'vitest';

// By a name that the compiler does not follow: it checks the page with the types of a browser, and the tests without.
const HITS = '../../../console/page/shell/hits.ts';
const { hitGroups } = (await import(HITS)) as {
  hitGroups(found: object, text: string): readonly { readonly hits: readonly object[] }[];
};

test.each([
  ['Free', false, null, { end: 'free' }],
  ['Booked', false, null, { end: 'booked', state: 'booked' }],
  ['Booked', true, null, { end: 'inside', state: 'inside' }],
  ['OutOfOrder', false, null, { end: 'out of order', state: 'over' }],
  ['ToBeEmptied', true, null, { end: 'to be emptied', state: 'inside' }],
  [
    ...(['Booked', true, '2031-05-01T10:00:00Z'] as const),
    { end: 'its door stands open since 2031-05-01T10:00:00Z', state: 'fault' },
  ],
])('%s, with an item inside: %s, open since %s', (state, isInside, doorOpenSince, shown) => {
  const place = { pupUid: 'pup-1', pupName: 'Central', lockerUid: 'locker-1', lockerName: '15' };
  const lockers = [{ ...place, state, isInside, doorOpenSince }];
  const [group] = hitGroups({ people: [], items: [], cases: [], lockers }, '15');
  const [hit] = group?.hits ?? [];
  expect(hit).toEqual({
    ...{ id: 'locker-locker-1', href: '/walls/pup-1?locker=locker-1', title: 'Central 15', more: '' },
    ...shown,
  });
});
