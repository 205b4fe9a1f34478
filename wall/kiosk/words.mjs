// What the kiosk says, in each of its languages. A text in the page has its key in data-words.

/**
 * @typedef {object} Words
 * @property {string} language the language's own name
 * @property {string} page
 * @property {string} languages
 * @property {string} heading
 * @property {string} hint
 * @property {string} code
 * @property {string} keys
 * @property {string} erase
 * @property {string} enter
 * @property {string} wait
 * @property {string} doors
 * @property {string} noDoors
 * @property {(name: string) => string} open
 * @property {(name: string) => string} stillShut
 * @property {(name: string) => string} closed
 * @property {(name: string) => string} stuck
 * @property {string} full
 * @property {string} empty
 * @property {string} putIn
 * @property {string} takeOut
 * @property {string} close
 * @property {string} whatNow
 * @property {string} wrong
 * @property {string} tooMany
 * @property {string} failed
 * @property {string} offline
 * @property {string} noAnswer
 * @property {string} noCode
 * @property {string} pageLost
 */

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
    stillShut: (name) => `Kluis ${name} zou open moeten zijn. Is de deur dicht? Vraag om hulp.`,
    closed: (name) => `Kluis ${name} is dicht. Bedankt.`,
    stuck: (name) => `De deur van kluis ${name} gaat niet open. Probeer het nog eens of vraag om hulp.`,
    full: 'Er ligt iets in.',
    empty: 'De kluis is leeg.',
    putIn: 'Leg het erin',
    takeOut: 'Neem het eruit',
    close: 'Sluit de deur',
    whatNow: 'Leg uw spullen erin of neem ze eruit. Sluit daarna de deur.',
    wrong: 'Deze code opent nu geen deur. Controleer de code en toets hem opnieuw in.',
    tooMany: 'Er zijn te veel verkeerde codes ingetoetst. Wacht een minuut en probeer het opnieuw.',
    failed: 'Het lukt nu niet. Probeer het nog eens of vraag om hulp.',
    offline: 'Er is geen verbinding. Probeer het later opnieuw.',
    noAnswer: 'Er kwam geen antwoord. Probeer het opnieuw.',
    noCode: 'Toets eerst uw code in.',
    pageLost: 'Dit scherm heeft geen verbinding. Een ogenblik …',
  },
  en: {
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
    open: (name) => `Locker ${name} is open`,
    stillShut: (name) => `Locker ${name} should be open. Is its door shut? Ask for help.`,
    closed: (name) => `Locker ${name} is closed. Thank you.`,
    stuck: (name) => `The door of locker ${name} does not open. Try again, or ask for help.`,
    full: 'There is something in it.',
    empty: 'The locker is empty.',
    putIn: 'Put it in',
    takeOut: 'Take it out',
    close: 'Close the door',
    whatNow: 'Put your item in, or take it out. Then close the door.',
    wrong: 'This code opens no door now. Check the code and enter it again.',
    tooMany: 'Too many wrong codes were entered. Wait a minute, then try again.',
    failed: 'That does not work now. Try again, or ask for help.',
    offline: 'There is no connection. Try again later.',
    noAnswer: 'There was no answer. Try again.',
    noCode: 'Enter your code first.',
    pageLost: 'This screen has no connection. One moment …',
  },
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
    stillShut: (name) => `Fach ${name} sollte offen sein. Ist die Tür zu? Bitten Sie um Hilfe.`,
    closed: (name) => `Fach ${name} ist zu. Vielen Dank.`,
    stuck: (name) =>
      `Die Tür von Fach ${name} öffnet sich nicht. Versuchen Sie es noch einmal oder bitten Sie um Hilfe.`,
    full: 'Es liegt etwas darin.',
    empty: 'Das Fach ist leer.',
    putIn: 'Hineinlegen',
    takeOut: 'Herausnehmen',
    close: 'Tür schließen',
    whatNow: 'Legen Sie Ihre Sachen hinein oder nehmen Sie sie heraus. Schließen Sie danach die Tür.',
    wrong: 'Dieser Code öffnet jetzt keine Tür. Prüfen Sie den Code und geben Sie ihn noch einmal ein.',
    tooMany:
      'Es wurden zu viele falsche Codes eingegeben. Warten Sie eine Minute und versuchen Sie es dann noch einmal.',
    failed: 'Das geht im Moment nicht. Versuchen Sie es noch einmal oder bitten Sie um Hilfe.',
    offline: 'Es gibt keine Verbindung. Versuchen Sie es später noch einmal.',
    noAnswer: 'Es kam keine Antwort. Versuchen Sie es noch einmal.',
    noCode: 'Geben Sie zuerst Ihren Code ein.',
    pageLost: 'Dieser Bildschirm hat keine Verbindung. Einen Moment …',
  },
  fr: {
    language: 'Français',
    page: 'Casiers',
    languages: 'Langue',
    heading: 'Saisissez votre code',
    hint: 'Le code se trouve dans le message que vous avez reçu.',
    code: 'Code',
    keys: 'Touches',
    erase: 'Effacer un chiffre',
    enter: 'Ouvrir la porte',
    wait: 'Un instant …',
    doors: 'Portes ouvertes',
    noDoors: 'Aucune porte n’est ouverte.',
    open: (name) => `Le casier ${name} est ouvert`,
    stillShut: (name) =>
      `Le casier ${name} devrait être ouvert. La porte est-elle fermée ? Demandez de l’aide.`,
    closed: (name) => `Le casier ${name} est fermé. Merci.`,
    stuck: (name) => `La porte du casier ${name} ne s’ouvre pas. Réessayez ou demandez de l’aide.`,
    full: 'Il y a quelque chose dedans.',
    empty: 'Le casier est vide.',
    putIn: 'Déposer',
    takeOut: 'Retirer',
    close: 'Fermer la porte',
    whatNow: 'Déposez vos affaires ou retirez-les. Fermez ensuite la porte.',
    wrong: 'Ce code n’ouvre aucune porte maintenant. Vérifiez le code et saisissez-le de nouveau.',
    tooMany: 'Trop de codes erronés ont été saisis. Attendez une minute, puis réessayez.',
    failed: 'Cela ne fonctionne pas pour le moment. Réessayez ou demandez de l’aide.',
    offline: 'Il n’y a pas de connexion. Réessayez plus tard.',
    noAnswer: 'Il n’y a pas eu de réponse. Réessayez.',
    noCode: 'Saisissez d’abord votre code.',
    pageLost: 'Cet écran n’a pas de connexion. Un instant …',
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
