// What the server says, in other languages: by its own English, with what differs in it.
import { expect, test } from 'vitest';
import { said as de } from '../../../console/locales/said/de.ts';
import { said as nl } from '../../../console/locales/said/nl.ts';
import { ServerMessages } from '../../../console/page/shell/said.ts';

const placesIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

test.each(Object.entries({ nl, de }))('%s has every sentence, with the same places', (_, own) => {
  expect(Object.keys(own)).toEqual(Object.keys(nl));
  for (const [english, text] of Object.entries(own)) {
    expect(text, english).toMatch(/\p{L}/u);
    expect([english, placesIn(text)]).toEqual([english, placesIn(english)]);
  }
});

test('each English sentence stands there once', () => {
  const all = Object.keys(nl).map((english) => english.toLowerCase());
  expect(all.filter((english, index) => all.indexOf(english) < index)).toEqual([]);
});

const inGerman = new ServerMessages(de);

test.each([
  ['Left in locker A7.', 'In Fach A7 liegengeblieben.'],
  ['Issue to be picked up, locker 12', 'Ausgabe: abzuholen, Fach 12'],
  [
    'Issue: the pick up is overdue since 2031-05-01T12:00:00.000Z.',
    'Ausgabe: die Abholung ist überfällig seit 2031-05-01T12:00:00.000Z.',
  ],
  // And not by “{name} failed: {why}”.
  [
    'The last try to open it failed: no answer.',
    'Der letzte Versuch, sie zu öffnen, ist fehlgeschlagen: no answer.',
  ],
  // What a process awaits, after “wartet auf”.
  ['the booking, and a free locker for it', 'die Buchung und ein freies Fach dafür'],
  // What a person has written stays as it is, also where it is a word of the list.
  ['Anna decides: give it up, because done', 'Anna entscheidet: aufgeben, weil done'],
  // Sentence by sentence.
  [
    'The process undoes what it has booked, and ends as cancelled. It cannot be taken back. Cancels issue; it ends as Cancelled.',
    'Der Vorgang macht rückgängig, was er gebucht hat, und endet als storniert. Das lässt sich nicht zurücknehmen. Storniert Ausgabe; er endet als storniert.',
  ],
  ['What its author says.', 'What its author says.'],
])('%s', (text, words) => {
  expect(inGerman.of(text)).toBe(words);
});
