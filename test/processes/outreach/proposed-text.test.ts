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
  const isLate = { stage: 'pickUp', until: '2031-05-01T10:00:00Z', isOverdue: true } as const;
  for (const awaited of [isLate, null])
    expect(proposed({ fault: offline, awaited })).toMatch(
      /Please do not come for “Laptop 7” yet\. It is still in the locker\.$/,
    );
  const toBring = { fault: offline, stateCode: 'ReadyForDropoff' };
  expect(proposed({ ...toBring, role: 'intake', awaited: null })).toMatch(
    /Please do not bring “Laptop 7” yet\.$/,
  );
  expect(proposed({ ...toBring, role: 'issue' })).toBeNull();
});

test('who is told not to come yet is told until when there is time', () => {
  expect(proposed({ fault: offline })).toMatch(
    / It is still in the locker\. You have until Thu 1 May, 12:00 CEST to pick it up\.$/,
  );
  const awaited = { stage: 'dropOff', until: '2031-05-01T10:00:00Z' } as const;
  const toBring = { fault: offline, stateCode: 'ReadyForDropoff', role: 'intake', awaited } as const;
  expect(proposed(toBring)).toMatch(
    /Please do not bring “Laptop 7” yet\. You have until Thu 1 May, 12:00 CEST to bring it\.$/,
  );
  expect(inLocale('nl', () => proposed(toBring))).toMatch(
    / U hebt tot do 1 mei, 12:00 CEST de tijd om het te brengen\.$/,
  );
});

test('whoever reads Dutch is written to in Dutch', () => {
  expect(inLocale('nl', () => proposed({}))).toBe(
    '“Laptop 7” ligt in vak 4 bij Central. Haal het alstublieft op uiterlijk do 1 mei, 12:00 CEST.',
  );
});
