// German.
import { desk } from './desk/de.ts';
import type { Words } from './en.ts';
import { counting } from './language.ts';
import { list } from './list/de.ts';
import { process } from './process/de.ts';
import { walls } from './walls/de.ts';
import { work } from './work/de.ts';

const counted = counting('de');

export const words: Words = {
  /** In several rooms. */
  common: {
    why: 'Warum',
    doNothing: 'Nichts tun',
    optional: (label) => `${label} (freiwillig)`,
    choose: 'Auswählen…',
    locker: (name) => `Fach ${name}`,
    lockers: 'Fächer',
    oneLocker: 'Fach',
    point: 'Abholpunkt',
    key: 'Schlüssel',
    state: 'Zustand',
    deadline: 'Frist',
    open: 'Öffnen',
    by: (who) => `durch ${who}`,
    since: 'seit #',
    shipment: 'Sendung #',
    chosen: (count) => `${count} ausgewählt`,
    chooseNone: 'Keine auswählen',
    notKnownYet: 'noch nicht bekannt',
    next: 'Wie es weitergeht',
    toDo: 'Was zu tun ist',
    actions: 'Aktionen',
    noneOpen: 'Kein Vorgang ist offen.',
    mayBeMore: 'Vielleicht gibt es mehr: Tippen Sie mehr davon.',
    showMachine: 'Maschine anzeigen',
    showCodes: 'Codes anzeigen',
  },
  desk,
  time: { left: (time) => `noch ${time}`, dueNow: 'jetzt fällig' },
  list,
  process,
  walls,
  work,
  shell: {
    noAnswer: 'Die Konsole antwortet nicht. Versuchen Sie es noch einmal, sobald oben wieder „Live“ steht.',
    answeredWith: (status) => `Die Konsole antwortete ${status}. Versuchen Sie es noch einmal.`,
    loading: 'Wird geladen…',
    skip: 'Zum Inhalt',
    close: 'Schließen',
    console: 'Konsole',
    navigation: {
      '/inbox': 'Aufgaben',
      '/processes': 'Vorgänge',
      '/walls': 'Schließfachwände',
      '/desk': 'Schalter',
      '/flows': 'Abläufe',
    },
    formerUsers: (problem) => `Die Anmeldung verwendet die bisherigen Benutzer: ${problem}`,
    noSuchPage: 'Diese Seite gibt es nicht',
    leadsNowhere: (path) => `Die Adresse ${path} führt nirgendwohin.`,
    toFirstPage: 'Zur Startseite',
    language: 'Sprache',
    browserLanguage: 'Wie der Browser',
    signOut: 'Abmelden',
    live: 'Live',
    connecting: 'Verbindung wird aufgebaut…',
    notLive: 'Nicht live: Die Konsole antwortet nicht. Sie verbindet sich von selbst wieder.',
    notUpToDate: (why) => `Nicht aktuell: ${why}`,
  },
  signIn: {
    by: (provider) => `Mit ${provider} anmelden`,
    name: 'Name',
    password: 'Passwort',
    signIn: 'Anmelden',
    byLink:
      'Öffnen Sie den Link, den `npm start` ausgegeben hat: Er meldet Sie einmal an. `npx lockerflow console-link` gibt einen weiteren aus. Zu Namen und Passwörtern siehe `docs/console.md`.',
  },
  flows: {
    counting: 'Die Vorgänge werden gezählt …',
    quiet: counted({
      one: '# Ablauf ohne offene Vorgänge',
      other: '# Abläufe ohne offene Vorgänge',
    }),
    version: (version) => `Version ${version}`,
    open: 'Offen',
    failed: 'Fehlgeschlagen in 7 Tagen',
    drawing: 'Das Diagramm wird gezeichnet …',
    chartOf: (flow) => `Das Diagramm von ${flow}.`,
    technical: 'Technische Angaben',
  },
  versions: {
    title: 'Versionen',
    migrate: 'Vorgänge migrieren…',
    version: 'Version',
    newest: 'neueste',
  },
  schedules: {
    title: 'Zeitpläne',
    schedule: 'Zeitplan',
    when: 'Wann',
    next: 'Nächster Start',
    last: 'Letzter Start',
    paused: 'angehalten',
    pausedBy: (who) => `angehalten von ${who}`,
    noneYet: 'noch keiner',
    whyHint: 'Der Zeitplan behält es, mit Ihrem Namen.',
    pause: { title: 'Anhalten', will: 'Er startet nichts, bis er fortgesetzt wird.' },
    resume: { title: 'Fortsetzen', will: 'Er startet wieder Vorgänge zu seinen Zeiten.' },
    run: { title: 'Jetzt starten', will: 'Er startet jetzt einen Vorgang, neben seinen Zeiten.' },
  },
};
