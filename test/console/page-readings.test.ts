// When the sign in the header of the page is green, and what it says otherwise.
import { expect, test } from 'vitest';

// By a name that the compiler does not follow: it checks the page with the types of a browser, and the tests without.
const PAGE = '../../console/page/readings.ts';
const { upToDate } = (await import(PAGE)) as {
  upToDate(readings: readonly object[]): { isKnown: boolean; isLive: boolean; missing: string | null };
};

const live = { isLive: true, isKnown: true };

test('the sign is green only if everything on the screen was read, and is read again', () => {
  expect(upToDate([live, live])).toEqual({ isKnown: true, isLive: true, missing: null });
  expect(upToDate([live, { isLive: true, isKnown: false }]).isKnown).toBe(false);
  // What was read once may be old.
  expect(upToDate([{ isLive: false, isKnown: true }]).isLive).toBe(false);
  expect(upToDate([]).isLive).toBe(false);
});

test('what is missing is named: who does not answer, or else what the answer is without', () => {
  const refusal = { message: 'Temporal does not answer.' };
  const unread = { isLive: false, isKnown: true, unread: ['the doors of its lockers'] };
  expect(upToDate([live, unread]).missing).toBe('Could not be read: the doors of its lockers');
  expect(upToDate([live, unread, { ...live, refusal }]).missing).toBe(
    'Not up to date: Temporal does not answer.',
  );
  expect(upToDate([{ ...live, isSlow: true }]).missing).toContain('has not answered yet');
});
