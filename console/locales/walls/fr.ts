// The words of the walls, in French.

import { counting } from '../language.ts';
import type { walls as English } from './en.ts';

const counted = counting('fr');

export const walls: typeof English = {
  wall: (name) => `Mur ${name}`,
  noPoint: 'Le locataire n’a aucun point de retrait.',
  offline: 'hors ligne',
  offlineSince: 'hors ligne depuis #',
  stuck: counted({ one: 'une porte reste fermée', other: '# portes restent fermées' }),
  free: (free, all) => `${free} casiers libres sur ${all}`,
  ofAll: (free, all) => `${free} sur ${all}`,
  noLocker: 'Aucun casier n’est installé ici.',
  chosen: 'Le casier choisi',
  choose: 'Choisissez un casier pour voir ce qu’il en est.',
  showOnly: 'À quoi ressemblent les casiers',
  looks: {
    free: 'libre',
    booked: 'réservé',
    tobeemptied: 'à vider',
    outoforder: 'hors service',
    'is-open': 'porte ouverte',
    'is-stuck': 'porte restée fermée',
  },
  doorUnknown: 'porte inconnue',
  held: {
    Registered: 'réservé à l’avance',
    ReadyForDropoff: 'à remplir',
    WaitForReceiver: 'en stock',
    ReadyForPickup: 'à retirer',
  },
  locker: {
    door: 'Porte',
    doors: {
      Open: 'ouverte',
      Closed: 'fermée',
      Unknown: 'inconnue',
    },
    stayedShut: 'Restée fermée',
    lastOpened: 'Dernière ouverture',
    notKnown: 'inconnue',
    toDropOff: 'pour déposer',
    toPickUp: 'pour retirer',
    leftIn: 'Laissé dedans',
    left: 'l’objet d’un envoi terminé (#)',
    for: (name) => `Pour ${name}`,
    from: (name) => `de ${name}`,
    since: 'Depuis # (#)',
    opened: 'Ouvertures',
    withCode: 'avec un code',
    support: 'Pour l’assistance',
    inOrder: 'Remettre en service',
    outOfOrder: 'Mettre hors service',
    empty: 'Il est vide maintenant…',
    isEmpty: (name) => `Le casier ${name} est vide`,
    isOut: 'L’objet est sorti',
    onlyOnce: 'La prochaine réservation peut recevoir ce casier. Ne le signalez qu’une fois l’objet sorti.',
  },
};
