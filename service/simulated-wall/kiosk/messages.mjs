// What the kiosk says, in each of its languages. A text in the page has its key in data-words.

/**
 * What is told on the whole screen: what is, and what to do now.
 * @typedef {object} Told
 * @property {string} is
 * @property {string} now empty if nothing is to be done
 */

/** The others have the same texts. @typedef {typeof en} Words */
const en = {
  language: 'English',
  page: 'Lockers',
  languages: 'Language',
  heading: 'Enter your code',
  hint: 'The code is in the message that you received.',
  code: 'Code',
  keys: 'Keys',
  erase: 'Erase a digit',
  enter: 'Open the door',
  wait: 'One moment …',
  doors: 'Open doors',
  noDoors: 'No door is open.',
  open: (/** @type {string} */ name) => `Locker ${name} is open`,
  closed: (/** @type {string} */ name) => `Locker ${name} is closed. Thank you.`,
  now: {
    'put-in': 'Put your item in. Then close the door.',
    'take-out': 'Take your item out. Then close the door.',
    close: 'Now close the door.',
    any: 'Put your item in, or take it out. Then close the door.',
  },
  full: 'There is something in it.',
  empty: 'The locker is empty.',
  putIn: 'Put it in',
  takeOut: 'Take it out',
  close: 'Close the door',
  stuck: (/** @type {string} */ name) => ({
    is: `The door of locker ${name} does not open.`,
    now: 'Enter your code again.',
  }),
  stillShut: (/** @type {string} */ name) => ({
    is: `Locker ${name} should be open.`,
    now: 'Is its door shut? Do not pull at it; ask for help.',
  }),
  wrong: { is: 'This code opens no door now.', now: 'Check the code and enter it again.' },
  tooMany: { is: 'Too many wrong codes were entered.', now: 'Please wait.' },
  failed: { is: 'That does not work now.', now: 'Try again.' },
  offline: { is: 'There is no connection.', now: 'Try again later.' },
  noAnswer: { is: 'There was no answer.', now: 'Try again.' },
  noCode: 'Enter your code first.',
  pageLost: 'This screen has no connection. One moment …',
  pause: (/** @type {string} */ time) => `You can enter a code again in ${time}.`,
  askForHelp: 'Do you need help? Ask the staff.',
  callForHelp: (/** @type {string} */ phone) => `Do you need help? Call ${phone}.`,
  another: 'Enter another code',
  toStart: 'Back to the start',
};

/** @type {Readonly<Record<string, Words>>} */
export const words = {
  nl: {
    language: 'Nederlands',
    page: 'Kluisjes',
    languages: 'Taal',
    heading: 'Toets uw code in',
    hint: 'De code staat in het bericht dat u hebt gekregen.',
    code: 'Code',
    keys: 'Toetsen',
    erase: 'Wis een cijfer',
    enter: 'Open de deur',
    wait: 'Een ogenblik …',
    doors: 'Open deuren',
    noDoors: 'Er staat geen deur open.',
    open: (name) => `Kluis ${name} is open`,
    closed: (name) => `Kluis ${name} is dicht. Bedankt.`,
    now: {
      'put-in': 'Leg uw spullen erin en sluit daarna de deur.',
      'take-out': 'Neem uw spullen eruit en sluit daarna de deur.',
      close: 'Sluit nu de deur.',
      any: 'Leg uw spullen erin of neem ze eruit. Sluit daarna de deur.',
    },
    full: 'Er ligt iets in.',
    empty: 'De kluis is leeg.',
    putIn: 'Leg het erin',
    takeOut: 'Neem het eruit',
    close: 'Sluit de deur',
    stuck: (name) => ({ is: `De deur van kluis ${name} gaat niet open.`, now: 'Toets uw code opnieuw in.' }),
    stillShut: (name) => ({
      is: `Kluis ${name} zou open moeten zijn.`,
      now: 'Is de deur dicht? Trek er niet aan, maar vraag om hulp.',
    }),
    wrong: { is: 'Deze code opent nu geen deur.', now: 'Controleer de code en toets hem opnieuw in.' },
    tooMany: {
      is: 'Er zijn te veel verkeerde codes ingetoetst.',
      now: 'Wacht een ogenblik.',
    },
    failed: { is: 'Het lukt nu niet.', now: 'Probeer het nog eens.' },
    offline: { is: 'Er is geen verbinding.', now: 'Probeer het later opnieuw.' },
    noAnswer: { is: 'Er kwam geen antwoord.', now: 'Probeer het opnieuw.' },
    noCode: 'Toets eerst uw code in.',
    pageLost: 'Dit scherm heeft geen verbinding. Een ogenblik …',
    pause: (time) => `Over ${time} kunt u weer een code intoetsen.`,
    askForHelp: 'Hulp nodig? Vraag het een medewerker.',
    callForHelp: (phone) => `Hulp nodig? Bel ${phone}.`,
    another: 'Toets nog een code in',
    toStart: 'Terug naar het begin',
  },
  en,
  de: {
    language: 'Deutsch',
    page: 'Schließfächer',
    languages: 'Sprache',
    heading: 'Geben Sie Ihren Code ein',
    hint: 'Der Code steht in der Nachricht, die Sie erhalten haben.',
    code: 'Code',
    keys: 'Tasten',
    erase: 'Eine Ziffer löschen',
    enter: 'Tür öffnen',
    wait: 'Einen Moment …',
    doors: 'Offene Türen',
    noDoors: 'Keine Tür ist offen.',
    open: (name) => `Fach ${name} ist offen`,
    closed: (name) => `Fach ${name} ist zu. Vielen Dank.`,
    now: {
      'put-in': 'Legen Sie Ihre Sachen hinein. Schließen Sie danach die Tür.',
      'take-out': 'Nehmen Sie Ihre Sachen heraus. Schließen Sie danach die Tür.',
      close: 'Schließen Sie jetzt die Tür.',
      any: 'Legen Sie Ihre Sachen hinein oder nehmen Sie sie heraus. Schließen Sie danach die Tür.',
    },
    full: 'Es liegt etwas darin.',
    empty: 'Das Fach ist leer.',
    putIn: 'Hineinlegen',
    takeOut: 'Herausnehmen',
    close: 'Tür schließen',
    stuck: (name) => ({
      is: `Die Tür von Fach ${name} öffnet sich nicht.`,
      now: 'Geben Sie Ihren Code noch einmal ein.',
    }),
    stillShut: (name) => ({
      is: `Fach ${name} sollte offen sein.`,
      now: 'Ist die Tür zu? Ziehen Sie nicht daran, sondern bitten Sie um Hilfe.',
    }),
    wrong: {
      is: 'Dieser Code öffnet jetzt keine Tür.',
      now: 'Prüfen Sie den Code und geben Sie ihn noch einmal ein.',
    },
    tooMany: {
      is: 'Es wurden zu viele falsche Codes eingegeben.',
      now: 'Bitte warten Sie.',
    },
    failed: { is: 'Das geht im Moment nicht.', now: 'Versuchen Sie es noch einmal.' },
    offline: { is: 'Es gibt keine Verbindung.', now: 'Versuchen Sie es später noch einmal.' },
    noAnswer: { is: 'Es kam keine Antwort.', now: 'Versuchen Sie es noch einmal.' },
    noCode: 'Geben Sie zuerst Ihren Code ein.',
    pageLost: 'Dieser Bildschirm hat keine Verbindung. Einen Moment …',
    pause: (time) => `In ${time} können Sie wieder einen Code eingeben.`,
    askForHelp: 'Brauchen Sie Hilfe? Wenden Sie sich an das Personal.',
    callForHelp: (phone) => `Brauchen Sie Hilfe? Rufen Sie ${phone} an.`,
    another: 'Weiteren Code eingeben',
    toStart: 'Zurück zum Anfang',
  },
};

/**
 * The first of these languages that the kiosk speaks; English if it speaks none of them.
 * @param {readonly (string | null | undefined)[]} wanted like nl-BE
 */
export function spokenLanguage(wanted) {
  const spoken = wanted.map((each) => each?.toLowerCase().split('-')[0] ?? '');
  return spoken.find((each) => Object.hasOwn(words, each)) ?? 'en';
}

/** @param {string} language one that is spoken */
export function wordsIn(language) {
  const found = words[language];
  if (!found)
    throw new TypeError(`No words in ${language}; expected one of ${Object.keys(words).join(', ')}`);
  return found;
}
