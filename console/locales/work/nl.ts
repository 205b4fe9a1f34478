// The words of Work, and of what people decide, in Dutch.

import { counting } from '../language.ts';
import type { work as English } from './en.ts';

const counted = counting('nl');

export const work: typeof English = {
  groups: {
    urgent: 'Dringend',
    today: 'Vandaag',
    later: 'Later',
  },
  kinds: {
    decision: 'Beslissing',
    question: 'Vraag',
    door: 'Deur',
    itemLeft: 'Achtergebleven',
    parked: 'Geparkeerde callback',
  },
  noneFits: 'Hier past niets bij deze keuzes.',
  chosen: 'Het gekozen item',
  back: '← Al het werk',
  isDone: 'Dit is klaar: het wacht op niemand meer.',
  answered: (what) => `Beantwoord: ${what}`,
  notAnswered: (title, why) => `${title} Niet beantwoord: ${why}`,
  takenBy: (who) => `in behandeling bij ${who}`,
  notRead: 'niet gelezen sinds #',
  due: 'uiterlijk #',
  showOnly: 'Alleen tonen',
  nothing: 'Niets wacht op iemand.',
  nothingRead: 'Niets van wat kon worden gelezen wacht op iemand.',
  notAll: (what, why) => `Niet alles wordt getoond: ${what}: ${why}`,
  entry: {
    ifNothing: 'Als niemand iets doet',
    done: (what) => `${what}: gedaan`,
    needsRole: 'Hiervoor is de rol decide nodig',
    atOnce: 'Dit gebeurt meteen en kan niet worden teruggenomen.',
    lockerOf: (locker, point) => `Kluis ${locker} van ${point}`,
  },
  answer: {
    title: 'Antwoord',
    count: counted({ one: '# antwoord', other: '# antwoorden' }),
    all: (count) => `Alle ${count} beantwoorden`,
    mayNot:
      'U mag in dit postvak niet antwoorden: daarvoor is de rol decide nodig, of een recht op het postvak.',
    more: counted({ one: '# andere vraagt hetzelfde', other: '# andere vragen hetzelfde' }),
    every: 'Alles kiezen',
    yes: 'ja',
    no: 'nee',
    missing: 'ontbreekt',
    needsReason: 'Hiervoor is een reden nodig; die wordt met uw naam bewaard.',
    fieldWrong: 'Een veld klopt niet.',
    notJson: (why, example) => `is geen JSON (${why}); verwacht wordt zoiets als ${example}`,
  },
};
