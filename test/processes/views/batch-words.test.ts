import { expect, test } from 'vitest';
import { formatBatch } from '../../../processes/views/batch-words.ts';
import { inLocale } from '../../../shared/texts/reader-of-request.ts';
import { newBooking } from '../../support/progress.ts';

const batch = { id: 'device', type: 'Intake', items: 6, next: 5, open: [1, 2], failed: [3], left: [4] };

test('how far a case is that does the same for many is said in the language of the reader', () => {
  const words = () => formatBatch(batch, [], { inside: 1, toBring: 1 });
  expect(words()).toBe('1 of 6 back: 1 in a locker, 1 to be brought, 1 failed, 1 cancelled, 1 not begun');
  expect(inLocale('nl', words)).toMatch(/^1 van 6 terug: .*, 1 mislukt, 1 geannuleerd, /);
});

test('what the case books itself comes back as that of a flow does', () => {
  const words = (flow: 'Intake' | 'Issue', id = 'device.1') =>
    formatBatch({ ...batch, type: 'book' }, [newBooking({ id }, flow)]);
  expect(words('Intake')).toMatch(/^1 of 6 back: /);
  expect(words('Issue')).toMatch(/^1 of 6 done: /);
  expect(words('Intake', 'other.1')).toMatch(/^1 of 6 done: /);
});
