// French.
import { desk } from './desk/fr.ts';
import type { Words } from './en.ts';
import { counting } from './language.ts';
import { list } from './list/fr.ts';
import { process } from './process/fr.ts';
import { walls } from './walls/fr.ts';
import { work } from './work/fr.ts';

const counted = counting('fr');

export const words: Words = {
  /** In several rooms. */
  common: {
    why: 'Pourquoi',
    doNothing: 'Ne rien faire',
    optional: (label) => `${label} (facultatif)`,
    choose: 'Choisir…',
    locker: (name) => `Casier ${name}`,
    lockers: 'Casiers',
    oneLocker: 'Casier',
    point: 'Point de retrait',
    key: 'Clé',
    state: 'État',
    deadline: 'Échéance',
    open: 'Ouvrir',
    by: (who) => `par ${who}`,
    since: 'depuis #',
    shipment: 'envoi #',
    chosen: (count) => `${count} choisis`,
    chooseNone: 'N’en choisir aucun',
    notKnownYet: 'pas encore connu',
    next: 'Ce qui va se passer',
    toDo: 'Ce qu’il faut faire',
    actions: 'Actions',
    noneOpen: 'Aucun processus n’est en cours.',
    mayBeMore: 'Il y en a peut-être d’autres : tapez-en plus.',
    trackingNo: 'Numéro de suivi',
    showMachine: 'Afficher la machine',
    showCodes: 'Afficher les codes',
  },
  desk,
  time: { left: (time) => `encore ${time}`, dueNow: 'maintenant' },
  list,
  process,
  walls,
  work,
  shell: {
    noAnswer: 'La console ne répond pas. Réessayez quand « En direct » s’affiche de nouveau en haut.',
    answeredWith: (status) => `La console a répondu ${status}. Réessayez.`,
    loading: 'Chargement…',
    skip: 'Aller au contenu',
    close: 'Fermer',
    console: 'Console',
    navigation: {
      '/inbox': 'Travail',
      '/processes': 'Processus',
      '/walls': 'Murs de casiers',
      '/desk': 'Guichet',
      '/flows': 'Flux',
    },
    formerUsers: (problem) => `La connexion utilise les utilisateurs précédents : ${problem}`,
    noSuchPage: 'Cette page n’existe pas',
    leadsNowhere: (path) => `L’adresse ${path} ne mène nulle part.`,
    toFirstPage: 'Aller à l’accueil',
    language: 'Langue',
    browserLanguage: 'Comme le navigateur',
    signOut: 'Se déconnecter',
    live: 'En direct',
    connecting: 'Connexion…',
    notLive: 'Pas en direct : la console ne répond pas. Elle se reconnecte d’elle-même.',
    notUpToDate: (why) => `Pas à jour : ${why}`,
  },
  signIn: {
    by: (provider) => `Se connecter avec ${provider}`,
    name: 'Nom',
    password: 'Mot de passe',
    signIn: 'Se connecter',
    byLink:
      'Ouvrez le lien que `npm start` a affiché : il vous connecte une fois. `npx lockerflow console-link` en affiche un autre. Pour les noms et mots de passe, voir `docs/console.md`.',
  },
  flows: {
    counting: 'Décompte des processus …',
    quiet: counted({
      one: '# flux sans processus en cours',
      other: '# flux sans processus en cours',
    }),
    version: (version) => `Version ${version}`,
    open: 'En cours',
    failed: 'Échecs en 7 jours',
    drawing: 'Le diagramme se dessine …',
    chartOf: (flow) => `Le diagramme de ${flow}.`,
    technical: 'Données techniques',
  },
  versions: {
    title: 'Versions',
    migrate: 'Migrer des processus…',
    version: 'Version',
    newest: 'la plus récente',
  },
  schedules: {
    title: 'Planifications',
    schedule: 'Planification',
    when: 'Quand',
    next: 'Prochain',
    last: 'Dernier',
    paused: 'en pause',
    pausedBy: (who) => `mise en pause par ${who}`,
    noneYet: 'aucun encore',
    whyHint: 'La planification le garde, avec votre nom.',
    pause: { title: 'Mettre en pause', will: 'Elle ne démarre rien jusqu’à sa reprise.' },
    resume: { title: 'Reprendre', will: 'Elle démarre de nouveau des processus à ses heures.' },
    run: {
      title: 'Démarrer maintenant',
      will: 'Elle démarre un processus maintenant, en plus de ses heures.',
    },
  },
};
