import { expect, test } from 'vitest';
import { formatBatch } from '../../../processes/views/batch-words.ts';
import { inLocale } from '../../../shared/texts/reader-of-request.ts';

test('how far a case is that does the same for many is said in the language of the reader', () => {
  const batch = { type: 'Intake', items: 6, next: 5, open: [1, 2], failed: [3], left: [4] };
  const words = () => formatBatch(batch as never, { inside: 1, toBring: 1 });
  expect(words()).toBe('1 of 6 back: 1 in a locker, 1 to be brought, 1 failed, 1 cancelled, 1 not begun');
  expect(inLocale('nl', words)).toMatch(/^1 van 6 terug: .*, 1 mislukt, 1 geannuleerd, /);
});
