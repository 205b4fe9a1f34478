// The header X-Reason: what a person types always reaches the service, or nothing is sent.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LONGEST_REASON, reasonIn, toReason } from '../../../contract/wire/request-headers.ts';

test('what is sent is what the service takes, whatever was typed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (words) => {
      const sent = toReason(words);
      if (sent === undefined) return;
      const read = reasonIn(sent);
      expect(read).toBeDefined();
      expect([...(read ?? '')].length).toBeLessThanOrEqual(LONGEST_REASON);
    }),
  );
});

test.each([
  ['⚠️ door jammed', '⚠ door jammed'],
  ['two\nlines', 'two lines'],
  ['é: her code is lost', 'é: her code is lost'],
  ['👩‍🔧 sent', '👩🔧 sent'],
])('%j reaches it as %j', (typed, read) => {
  expect(reasonIn(toReason(typed) ?? '')).toBe(read);
});

test.each(['', ' \n', '\u200b\u2800'])('of %j nothing is left to send', (typed) => {
  expect(toReason(typed)).toBeUndefined();
});
