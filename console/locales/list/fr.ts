// The words of the list of processes, in French.

import { counting } from '../language.ts';
import type { list as English } from './en.ts';

const counted = counting('fr');

export const list: typeof English = {
  tabs: {
    title: 'Où en sont les processus',
    open: 'Tous ceux en cours',
    needsPerson: 'Attend une personne',
    waitsForAnswer: 'Attend une réponse',
    overdue: 'En retard',
    failed: 'Échoués',
    ended: 'Terminés',
  },
  find: 'Clé, envoi ou numéro de dossier',
  filters: {
    flow: 'Flux',
    anyFlow: 'tous les flux',
    anyPoint: 'tous les points de retrait',
    age: 'Âge',
    ended: 'Fin',
    rows: 'Lignes',
    ages: {
      any: 'tous les âges',
      '1': 'plus de 1 heure',
      '24': 'plus de 1 jour',
      '72': 'plus de 3 jours',
      '168': 'plus de 1 semaine',
      '720': 'plus de 30 jours',
    },
    ends: {
      any: 'à tout moment',
      '24': 'en 24 heures',
      '168': 'en 7 jours',
      '720': 'en 30 jours',
    },
  },
  stands: 'Où il en est',
  started: 'Démarré',
  chooseAll: 'Choisir tout sur cette page',
  choose: (key) => `Choisir ${key}`,
  partOf: (parent) => `Partie de ${parent}`,
  caseNo: (number) => `dossier ${number}`,
  endedAt: 'terminé : #',
  itEnds: 'il se termine',
  awaits: 'attend #',
  phases: {
    Open: 'en cours',
    Overdue: 'en retard',
    NeedsPerson: 'attend une personne',
    Ended: 'terminé',
    Completed: 'terminé',
    Failed: 'échoué',
    Cancelled: 'annulé',
    Terminated: 'interrompu',
    TimedOut: 'délai dépassé',
  },
  chooseFound: 'Choisir tous les résultats',
  pages: 'Pages de la liste',
  firstPage: 'Première page',
  nextPage: 'Page suivante',
  tooMany: (most) =>
    `La recherche trouve plus de ${most} processus. Restreignez-la, ou utilisez npx lockerflow.`,
  noneFound: 'Aucun processus trouvé. Modifiez ou effacez la recherche.',
  found: {
    all: counted({ one: '# processus', other: '# processus' }),
    onPage: (count) => `${count} sur cette page`,
    newest: 'les plus récents d’abord',
  },
  bar: {
    title: 'Que faire de ceux qui sont choisis',
  },
  verbs: {
    extend: {
      bar: 'Prolonger…',
      barTitle: 'Prolonger une échéance',
      note: 'Une échéance passée est de nouveau ouverte, et son processus n’est plus en retard.',
      title: counted({
        one: 'Prolonger une échéance de # processus',
        other: 'Prolonger une échéance de # processus',
      }),
      now: counted({
        one: 'Prolonger # processus maintenant',
        other: 'Prolonger # processus maintenant',
      }),
      may: (good, bad) =>
        `Rien n’est encore modifié. En l’état, ${good} peuvent être prolongés et ${bad} ne le peuvent pas : ceux-ci restent tels quels.`,
      can: 'Peut être prolongé',
      did: 'Fait : prolongé',
    },
    retry: {
      bar: 'Réessayer…',
      barTitle: 'Refaire ce qui n’a pas réussi',
      note: 'Chaque processus qui attend une décision refait ce qu’il n’a pas pu faire.',
      title: counted({ one: 'Réessayer pour # processus', other: 'Réessayer pour # processus' }),
      now: counted({
        one: 'Réessayer maintenant pour # processus',
        other: 'Réessayer maintenant pour # processus',
      }),
      may: (good, bad) =>
        `Rien n’est encore modifié. En l’état, ${good} peuvent réessayer et ${bad} ne le peuvent pas : ceux-ci restent tels quels.`,
      can: 'Peut réessayer',
      did: 'Fait : réessaie',
    },
    cancel: {
      bar: 'Annuler…',
      barTitle: 'Les annuler',
      note: 'Un processus annulé défait ce qu’il a réservé, puis se termine. Ce qui se trouve dans un casier y reste jusqu’à ce que quelqu’un le retire ; la page Travail l’indique.',
      title: counted({ one: 'Annuler # processus', other: 'Annuler # processus' }),
      now: counted({ one: 'Annuler # processus maintenant', other: 'Annuler # processus maintenant' }),
      may: (good, bad) =>
        `Rien n’est encore modifié. En l’état, ${good} peuvent être annulés et ${bad} ne le peuvent pas : ceux-ci restent tels quels.`,
      can: 'Peut être annulé',
      did: 'Fait : annulé',
    },
  },
  bulk: {
    toList: 'Retour à la liste',
    leave: 'Tout laisser tel quel',
    whyHint: 'Chaque processus le conserve, avec votre nom.',
    preview: 'Montrer ce qui se passerait',
    stop: 'Arrêter',
    back: 'Retour',
    chooseRefused: (count) => `Choisir de nouveau ce qui a été refusé (${count})`,
    looked: (done, all) => `${done} sur ${all} examinés…`,
    unchanged: 'Rien n’est encore modifié.',
    acting: (done, all) => `${done} sur ${all} traités…`,
    done: (done, all) => `${done} sur ${all} traités`,
    refused: (count) => `${count} refusés`,
    notBegun: (count) => `${count} non commencés`,
    left: (count) => `${count} laissés tels quels`,
    refusedFor: (why) => `Refusé : ${why}`,
    outcome: 'Résultat',
    notShown: (count) => `${count} autres ne sont pas affichés ici.`,
  },
  extension: {
    length: 'Nouvelle échéance',
    until: 'Date et heure',
    zone: 'Dans votre fuseau horaire',
    lengths: {
      PT4H: 'dans 4 heures',
      P1D: 'dans 1 jour',
      P2D: 'dans 2 jours',
      P3D: 'dans 3 jours',
      P7D: 'dans 1 semaine',
      P14D: 'dans 2 semaines',
      until: 'une date et une heure',
    },
  },
  ofDeadline: {
    dropOff: (role) => `dépôt de ${role}`,
    pickUp: (role) => `retrait de ${role}`,
    receiver: (role) => `destinataire de ${role}`,
  },
};
