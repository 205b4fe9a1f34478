// The words of Work, and of what people decide, in German.

import { counting } from '../language.ts';
import type { work as English } from './en.ts';

const counted = counting('de');

export const work: typeof English = {
  groups: {
    urgent: 'Dringend',
    today: 'Heute',
    later: 'Später',
  },
  kinds: {
    decision: 'Entscheidung',
    question: 'Frage',
    door: 'Tür',
    itemLeft: 'Liegengeblieben',
    parked: 'Geparkter Callback',
  },
  noneFits: 'Hier passt nichts zu dieser Auswahl.',
  chosen: 'Der ausgewählte Eintrag',
  back: '← Alle Aufgaben',
  isDone: 'Das ist erledigt: Es wartet auf niemanden mehr.',
  answered: (what) => `Beantwortet: ${what}`,
  notAnswered: (title, why) => `${title} Nicht beantwortet: ${why}`,
  takenBy: (who) => `übernommen von ${who}`,
  notRead: 'nicht gelesen seit #',
  due: 'fällig #',
  showOnly: 'Nur anzeigen',
  nothing: 'Nichts wartet auf jemanden.',
  nothingRead: 'Nichts von dem, was gelesen werden konnte, wartet auf jemanden.',
  notAll: (what, why) => `Es wird nicht alles angezeigt: ${what}: ${why}`,
  entry: {
    ifNothing: 'Wenn niemand etwas tut',
    done: (what) => `${what}: erledigt`,
    needsRole: 'Dafür ist die Rolle decide nötig',
    atOnce: 'Das geschieht sofort und lässt sich nicht zurücknehmen.',
    lockerOf: (locker, point) => `Fach ${locker} von ${point}`,
  },
  answer: {
    title: 'Antworten',
    count: counted({ one: '# Antwort', other: '# Antworten' }),
    all: (count) => `Alle ${count} beantworten`,
    mayNot:
      'Sie dürfen in diesem Eingang nicht antworten: Dafür ist die Rolle decide oder ein Recht auf den Eingang nötig.',
    more: counted({ one: '# weiterer fragt dasselbe', other: '# weitere fragen dasselbe' }),
    every: 'Alle auswählen',
    yes: 'ja',
    no: 'nein',
    missing: 'fehlt',
    needsReason: 'Dafür ist ein Grund nötig; er wird mit Ihrem Namen festgehalten.',
    fieldWrong: 'Ein Feld stimmt nicht.',
    notJson: (why, example) => `ist kein JSON (${why}); erwartet wird etwa ${example}`,
  },
};
