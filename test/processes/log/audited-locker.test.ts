// At which locker something happened, in the language of who reads it.
import { expect, test } from 'vitest';
import { placeIn } from '../../../processes/log/audited-locker.ts';
import { inLocale } from '../../../shared/texts/reader-of-request.ts';

test('a locker that is not known any more is named in the language of the reader, too', async () => {
  const place = { pupUid: 'pup-central', lockerName: null };
  const nameOf = async () => 'Central';
  expect(await placeIn(place, nameOf)).toBe('a locker');
  expect(await inLocale('nl', () => placeIn(place, nameOf))).toBe('een vak');
  expect(await inLocale('nl', () => placeIn({ ...place, lockerName: '9' }, nameOf))).toBe(
    'vak 9 van Central',
  );
});
