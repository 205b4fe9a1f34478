// The words of the walls, in Dutch.

import { counting } from '../language.ts';
import type { walls as English } from './en.ts';

const counted = counting('nl');

export const walls: typeof English = {
  wall: (name) => `Kluiswand ${name}`,
  noPoint: 'De tenant heeft geen afhaalpunt.',
  offline: 'offline',
  offlineSince: 'offline sinds #',
  stuck: counted({ one: 'een deur blijft dicht', other: '# deuren blijven dicht' }),
  free: (free, all) => `${free} van ${all} kluizen vrij`,
  ofAll: (free, all) => `${free} van ${all}`,
  noLocker: 'Hier is geen kluis geïnstalleerd.',
  chosen: 'De gekozen kluis',
  choose: 'Kies een kluis om te zien wat ermee is.',
  showOnly: 'Hoe de kluizen eruitzien',
  looks: {
    free: 'vrij',
    booked: 'geboekt',
    tobeemptied: 'leeg te maken',
    outoforder: 'buiten gebruik',
    'is-open': 'deur open',
    'is-stuck': 'deur bleef dicht',
  },
  doorUnknown: 'deur onbekend',
  held: {
    Registered: 'vooraf geboekt',
    ReadyForDropoff: 'te vullen',
    WaitForReceiver: 'op voorraad',
    ReadyForPickup: 'op te halen',
  },
  locker: {
    door: 'Deur',
    doors: {
      Open: 'open',
      Closed: 'dicht',
      Unknown: 'onbekend',
    },
    stayedShut: 'Bleef dicht',
    lastOpened: 'Laatst geopend',
    notKnown: 'niet bekend',
    toDropOff: 'om af te geven',
    toPickUp: 'om op te halen',
    leftIn: 'Achtergebleven',
    left: 'de inhoud van een zending die is geëindigd (#)',
    for: (name) => `Voor ${name}`,
    from: (name) => `van ${name}`,
    since: 'Sinds # (#)',
    opened: 'Geopend',
    withCode: 'met een code',
    support: 'Voor de helpdesk',
    inOrder: 'Weer in gebruik nemen',
    outOfOrder: 'Buiten gebruik stellen',
    empty: 'De kluis is nu leeg…',
    isEmpty: (name) => `Kluis ${name} is leeg`,
    isOut: 'De inhoud is eruit',
    onlyOnce: 'De volgende boeking kan deze kluis krijgen. Meld dit pas als de inhoud eruit is.',
  },
};
