// English, and what every other language has to say.
import { desk } from './desk/en.ts';
import { counting } from './language.ts';
import { list } from './list/en.ts';
import { process } from './process/en.ts';
import { walls } from './walls/en.ts';
import { work } from './work/en.ts';

const counted = counting('en');

export const words = {
  /** In several rooms. */
  common: {
    why: 'Why',
    doNothing: 'Do nothing',
    optional: (label: string) => `${label} (optional)`,
    choose: 'Choose…',
    locker: (name: string) => `Locker ${name}`,
    lockers: 'Lockers',
    oneLocker: 'Locker',
    point: 'Pick up point',
    key: 'Key',
    state: 'State',
    deadline: 'Deadline',
    open: 'Open',
    by: (who: string) => `by ${who}`,
    since: 'since #',
    shipment: 'shipment #',
    chosen: (count: string) => `${count} chosen`,
    chooseNone: 'Choose none',
    notKnownYet: 'not known yet',
    next: 'What happens next',
    toDo: 'What to do',
    actions: 'Actions',
    noneOpen: 'No process is open.',
    mayBeMore: 'There may be more: type more of it.',
    showMachine: 'Show the machine',
    showCodes: 'Show the codes',
  },
  desk,
  time: { left: (time: string) => `${time} left`, dueNow: 'due now' },
  list,
  process,
  walls,
  work,
  shell: {
    noAnswer: 'The console does not answer. Try again when the sign above says live.',
    answeredWith: (status: string) => `The console answered ${status}. Try again.`,
    loading: 'Loading…',
    skip: 'Skip to the content',
    close: 'Close',
    console: 'Console',
    /** By their addresses. */
    navigation: {
      '/inbox': 'Work',
      '/processes': 'Processes',
      '/walls': 'Walls',
      '/desk': 'Desk',
      '/flows': 'Flows',
    },
    formerUsers: (problem: string) => `The sign-in uses the former users: ${problem}`,
    noSuchPage: 'There is no such page',
    leadsNowhere: (path: string) => `The address ${path} leads nowhere.`,
    toFirstPage: 'Go to the first page',
    language: 'Language',
    browserLanguage: 'As the browser',
    signOut: 'Sign out',
    live: 'Live',
    connecting: 'Connecting…',
    notLive: 'Not live: the console does not answer. It connects again by itself.',
    notUpToDate: (why: string) => `Not up to date: ${why}`,
  },
  signIn: {
    by: (provider: string) => `Sign in by ${provider}`,
    name: 'Name',
    password: 'Password',
    signIn: 'Sign in',
    byLink:
      'Open the link that `npm start` printed: it signs in once. `npx lockerflow console-link` prints another one. For names and passwords, see `docs/console.md`.',
  },
  flows: {
    counting: 'Counting the processes …',
    quiet: counted({
      one: '# flow with nothing open',
      other: '# flows with nothing open',
    }),
    version: (version: string) => `Version ${version}`,
    open: 'Open',
    failed: 'Failed in 7 days',
    drawing: 'Drawing the chart …',
    chartOf: (flow: string) => `The chart of ${flow}.`,
    technical: 'Technical facts',
  },
  versions: {
    title: 'Versions',
    migrate: 'Migrate processes…',
    version: 'Version',
    newest: 'newest',
  },
  schedules: {
    title: 'Schedules',
    schedule: 'Schedule',
    when: 'When',
    next: 'Next',
    last: 'Last',
    paused: 'paused',
    pausedBy: (who: string) => `paused by ${who}`,
    noneYet: 'none yet',
    whyHint: 'The schedule keeps it, with your name.',
    pause: { title: 'Pause', will: 'It starts nothing until it is resumed.' },
    resume: { title: 'Resume', will: 'It starts processes at its times again.' },
    run: { title: 'Run now', will: 'It starts a process now, beside its times.' },
  },
};

export type Words = typeof words;
