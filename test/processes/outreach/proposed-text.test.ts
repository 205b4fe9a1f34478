import { expect, test } from 'vitest';
import type { CaseLocker } from '../../../processes/outreach/case-about.ts';
import { proposedText } from '../../../processes/outreach/proposed-text.ts';
import { inLocale } from '../../../shared/texts/reader-of-request.ts';

const point = { name: 'Central', timeZone: 'Europe/Amsterdam' };
const offline = { reason: 'the wall is offline' } as unknown as NonNullable<CaseLocker['fault']>;

const proposed = (locker: Partial<CaseLocker>, item: string | null = 'Laptop 7') =>
  proposedText(
    {
      item,
      lockers: [
        {
          shipmentUid: 'one',
          role: 'issue',
          stateCode: 'ReadyForPickup',
          pupUid: 'pup-central',
          lockerName: '4',
          awaited: { stage: 'pickUp', until: '2031-05-01T10:00:00Z' },
          fault: null,
          ...locker,
        },
      ],
    },
    point,
  );

test('who is to fetch an item, or to bring one, is told not to come; who waits for the desk need not know', () => {
  expect(proposed({ fault: offline })).toMatch(
    /Please do not come for “Laptop 7” yet\. It is still in the locker\.$/,
  );
  const toBring = { fault: offline, stateCode: 'ReadyForDropoff' };
  expect(proposed({ ...toBring, role: 'intake' })).toMatch(/Please do not bring “Laptop 7” yet\.$/);
  expect(proposed({ ...toBring, role: 'issue' })).toBeNull();
});

test('whoever reads Dutch is written to in Dutch', () => {
  expect(inLocale('nl', () => proposed({}))).toBe(
    '“Laptop 7” ligt in vak 4 bij Central. Haal het alstublieft op uiterlijk do 1 mei, 12:00 CEST.',
  );
});
