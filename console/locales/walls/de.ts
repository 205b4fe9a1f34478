// The words of the walls, in German.

import { counting } from '../language.ts';
import type { walls as English } from './en.ts';

const counted = counting('de');

export const walls: typeof English = {
  wall: (name) => `Schließfachwand ${name}`,
  noPoint: 'Der Mandant hat keinen Abholpunkt.',
  offline: 'offline',
  offlineSince: 'offline seit #',
  stuck: counted({ one: 'eine Tür bleibt zu', other: '# Türen bleiben zu' }),
  free: (free, all) => `${free} von ${all} Fächern frei`,
  ofAll: (free, all) => `${free} von ${all}`,
  noLocker: 'Hier ist kein Fach installiert.',
  chosen: 'Das ausgewählte Fach',
  choose: 'Wählen Sie ein Fach, um zu sehen, was es damit auf sich hat.',
  showOnly: 'Wie die Fächer aussehen',
  looks: {
    free: 'frei',
    booked: 'gebucht',
    tobeemptied: 'zu leeren',
    outoforder: 'außer Betrieb',
    'is-open': 'Tür offen',
    'is-stuck': 'Tür blieb zu',
  },
  doorUnknown: 'Tür unbekannt',
  held: {
    Registered: 'im Voraus gebucht',
    ReadyForDropoff: 'zu füllen',
    WaitForReceiver: 'im Bestand',
    ReadyForPickup: 'abzuholen',
  },
  locker: {
    door: 'Tür',
    doors: {
      Open: 'offen',
      Closed: 'zu',
      Unknown: 'unbekannt',
    },
    stayedShut: 'Blieb zu',
    lastOpened: 'Zuletzt geöffnet',
    notKnown: 'nicht bekannt',
    toDropOff: 'zum Abgeben',
    toPickUp: 'zum Abholen',
    leftIn: 'Liegengeblieben',
    left: 'der Gegenstand einer beendeten Sendung (#)',
    for: (name) => `Für ${name}`,
    from: (name) => `von ${name}`,
    since: 'Seit # (#)',
    opened: 'Geöffnet',
    withCode: 'mit einem Code',
    support: 'Für den Support',
    inOrder: 'Wieder in Betrieb nehmen',
    outOfOrder: 'Außer Betrieb nehmen',
    empty: 'Es ist jetzt leer…',
    isEmpty: (name) => `Fach ${name} ist leer`,
    isOut: 'Der Gegenstand ist heraus',
    onlyOnce:
      'Die nächste Buchung kann dieses Fach bekommen. Melden Sie das erst, wenn der Gegenstand heraus ist.',
  },
};
