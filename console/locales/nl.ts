// Dutch.
import { desk } from './desk/nl.ts';
import type { Words } from './en.ts';
import { counting } from './language.ts';
import { list } from './list/nl.ts';
import { process } from './process/nl.ts';
import { walls } from './walls/nl.ts';
import { work } from './work/nl.ts';

const counted = counting('nl');

export const words: Words = {
  /** In several rooms. */
  common: {
    why: 'Waarom',
    doNothing: 'Niets doen',
    optional: (label) => `${label} (facultatief)`,
    choose: 'Kies…',
    locker: (name) => `Kluis ${name}`,
    lockers: 'Kluizen',
    oneLocker: 'Kluis',
    point: 'Afhaalpunt',
    key: 'Sleutel',
    state: 'Toestand',
    deadline: 'Termijn',
    open: 'Openen',
    by: (who) => `door ${who}`,
    since: 'sinds #',
    shipment: 'zending #',
    chosen: (count) => `${count} gekozen`,
    chooseNone: 'Geen kiezen',
    notKnownYet: 'nog niet bekend',
    next: 'Wat er nu gebeurt',
    toDo: 'Wat u moet doen',
    actions: 'Acties',
    noneOpen: 'Er is geen proces open.',
    mayBeMore: 'Er kan meer zijn: typ er meer van.',
    showMachine: 'Machine tonen',
    showCodes: 'Codes tonen',
  },
  desk,
  time: { left: (time) => `nog ${time}`, dueNow: 'nu' },
  list,
  process,
  walls,
  work,
  shell: {
    noAnswer: 'De console antwoordt niet. Probeer het opnieuw zodra hierboven weer Live staat.',
    answeredWith: (status) => `De console antwoordde ${status}. Probeer het opnieuw.`,
    loading: 'Laden…',
    skip: 'Naar de inhoud',
    close: 'Sluiten',
    console: 'Console',
    navigation: {
      '/inbox': 'Werk',
      '/processes': 'Processen',
      '/walls': 'Kluiswanden',
      '/desk': 'Balie',
      '/flows': 'Flows',
    },
    formerUsers: (problem) => `Het aanmelden gebruikt de vorige gebruikers: ${problem}`,
    noSuchPage: 'Deze pagina bestaat niet',
    leadsNowhere: (path) => `Het adres ${path} leidt nergens heen.`,
    toFirstPage: 'Naar de startpagina',
    language: 'Taal',
    browserLanguage: 'Zoals de browser',
    signOut: 'Afmelden',
    live: 'Live',
    connecting: 'Verbinden…',
    notLive: 'Niet live: de console antwoordt niet. Hij maakt zelf opnieuw verbinding.',
    notUpToDate: (why) => `Niet actueel: ${why}`,
  },
  signIn: {
    by: (provider) => `Aanmelden met ${provider}`,
    name: 'Naam',
    password: 'Wachtwoord',
    signIn: 'Aanmelden',
    byLink:
      'Open de link die `npm start` heeft getoond: daarmee meldt u zich één keer aan. `npx lockerflow console-link` geeft een nieuwe. Over namen en wachtwoorden: zie `docs/console.md`.',
  },
  flows: {
    counting: 'De processen worden geteld …',
    quiet: counted({
      one: '# flow zonder open processen',
      other: '# flows zonder open processen',
    }),
    version: (version) => `Versie ${version}`,
    open: 'Open',
    failed: 'Mislukt in 7 dagen',
    drawing: 'Het diagram wordt getekend …',
    chartOf: (flow) => `Het diagram van ${flow}.`,
    technical: 'Technische gegevens',
  },
  versions: {
    title: 'Versies',
    migrate: 'Processen migreren…',
    version: 'Versie',
    newest: 'nieuwste',
  },
  schedules: {
    title: 'Schema’s',
    schedule: 'Schema',
    when: 'Wanneer',
    next: 'Volgende',
    last: 'Laatste',
    paused: 'onderbroken',
    pausedBy: (who) => `onderbroken door ${who}`,
    noneYet: 'nog niet',
    whyHint: 'Het schema bewaart dit, met uw naam.',
    pause: { title: 'Onderbreken', will: 'Het start niets totdat het wordt hervat.' },
    resume: { title: 'Hervatten', will: 'Het start weer processen op zijn tijden.' },
    run: { title: 'Nu starten', will: 'Het start nu een proces, naast zijn tijden.' },
  },
};
