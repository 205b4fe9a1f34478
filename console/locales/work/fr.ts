// The words of Work, and of what people decide, in French.

import { counting } from '../language.ts';
import type { work as English } from './en.ts';

const counted = counting('fr');

export const work: typeof English = {
  groups: {
    urgent: 'Urgent',
    today: 'Aujourd’hui',
    later: 'Plus tard',
  },
  kinds: {
    decision: 'Décision',
    question: 'Question',
    door: 'Porte',
    itemLeft: 'Objet laissé',
    parked: 'Callback en attente',
  },
  noneFits: 'Rien ici ne correspond à ces choix.',
  chosen: 'L’élément choisi',
  back: '← Tout le travail',
  isDone: 'C’est fait : cela n’attend plus personne.',
  answered: (what) => `Répondu : ${what}`,
  notAnswered: (title, why) => `${title} Sans réponse : ${why}`,
  takenBy: (who) => `pris par ${who}`,
  notRead: 'non lu depuis #',
  due: 'échéance #',
  showOnly: 'Afficher seulement',
  nothing: 'Rien n’attend personne.',
  nothingRead: 'Rien de ce qui a pu être lu n’attend personne.',
  notAll: (what, why) => `Tout n’est pas affiché : ${what} : ${why}`,
  entry: {
    ifNothing: 'Si personne ne fait rien',
    done: (what) => `${what} : fait`,
    needsRole: 'Cela demande le rôle decide',
    atOnce: 'Ces actions sont immédiates et ne peuvent être annulées.',
    lockerOf: (locker, point) => `Casier ${locker} de ${point}`,
  },
  answer: {
    title: 'Répondre',
    count: counted({ one: '# réponse', other: '# réponses' }),
    all: (count) => `Répondre aux ${count}`,
    mayNot: 'Vous ne pouvez pas répondre dans cette boîte : il faut le rôle decide ou un droit sur la boîte.',
    more: counted({ one: '# autre demande la même chose', other: '# autres demandent la même chose' }),
    every: 'Tout choisir',
    yes: 'oui',
    no: 'non',
    missing: 'manque',
    needsReason: 'Un motif est nécessaire ; il est conservé avec votre nom.',
    fieldWrong: 'Un champ est incorrect.',
    notJson: (why, example) => `n’est pas du JSON (${why}) ; attendu par exemple : ${example}`,
  },
};
