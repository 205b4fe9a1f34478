// What a reader of Dutch reads of a case: whole sentences, with no English within.
import { expect, test } from 'vitest';
import { formatWho } from '../../../processes/views/format-names.ts';
import { formatFailure } from '../../../processes/views/readable.ts';
import { sentenceOf } from '../../../processes/views/sentences.ts';
import { formatReason } from '../../../processes/views/shut-doors.ts';
import { inLocale } from '../../../shared/texts/reader-of-request.ts';

const nobody = { by: null, onBehalfOf: null };
const said = (data: object) =>
  inLocale('nl', () => sentenceOf({ data: data as never, ...nobody }, new Map()).words);
const call = { id: null, connector: null, operation: null };
const reported = { type: 'reported', source: 'report', shipmentUid: 'uid-1' };

test.each([
  [{ ...reported, stateCode: 'Completed', role: 'collect' }, 'Het ophalen is klaar.'],
  [{ ...reported, stateCode: 'Cancelled', role: null }, 'Een zending met een onbekende rol is geannuleerd.'],
  [{ type: 'callDone', activity: 'book', ...call }, 'Er is geboekt.'],
])('%j: %s', (data, words) => {
  expect(said(data)).toBe(words);
});

test('who did it, why a door stayed shut and why a booking failed are in Dutch, too', () => {
  const message = 'InvalidUserUid: There is no account user-carl';
  const words = inLocale('nl', () => [
    formatWho({ by: 'demo-flows (API)', onBehalfOf: 'Mila' }),
    formatReason('the door is stuck'),
    formatReason('kapot'),
    formatFailure({ message }, new Map()),
  ]);
  expect(words).toEqual([
    'Mila door demo-flows (API)',
    'de deur zit vast',
    'kapot',
    'er is geen account user-carl',
  ]);
});
