// The lockers of a wall in the order of their installation, in rows: each as tall as its tallest tile, and a larger size is taller. The
// service tells that order and the sizes; it knows no place of a locker.

import { t } from '../../../shared/texts/text.ts';
import type { HeldBy, TileAbout, WallLocker, WallView } from '../../walls/walls-view.ts';
import { Badge, type State } from './badge.tsx';
import { Icon, type IconName } from './icon.tsx';
import { Ago, Time } from './time.tsx';

interface WallProps {
  readonly wall: WallView;
  readonly chosen: string | null;
  readonly choose: (lockerUid: string) => void;
}

export function Wall({ wall: { lockers, sizes, abouts, clockAheadMs }, chosen, choose }: WallProps) {
  return (
    <div class="wall">
      {lockers.map((locker) => (
        <Tile
          key={locker.lockerUid}
          locker={locker}
          about={abouts[presentOf(locker.shipments)?.shipmentUid ?? locker.leftShipmentUid ?? '']}
          units={unitsOf(locker, sizes)}
          clockAheadMs={clockAheadMs}
          isChosen={locker.lockerUid === chosen}
          choose={() => choose(locker.lockerUid)}
        />
      ))}
    </div>
  );
}

interface Look {
  readonly words: string;
  /** They give its tile a colour and a form. */
  readonly classes?: string;
  readonly icon?: IconName;
  readonly isTrueOf: (locker: WallLocker) => boolean;
}

/** By which they are told apart: by shape, too. What somebody must look after comes last, and is the loudest. */
const looks = {
  free: { words: t`free`, isTrueOf: ({ state, door }) => state === 'Free' && door !== 'Open' },
  booked: {
    words: t`booked`,
    classes: 'is-booked',
    icon: 'empty',
    isTrueOf: (locker) => locker.state === 'Booked' && !hasItem(locker),
  },
  inside: { words: t`inside`, classes: 'is-inside', icon: 'inside', isTrueOf: (locker) => hasItem(locker) },
  toBeEmptied: { words: t`to be emptied`, isTrueOf: ({ toBeEmptied }) => toBeEmptied },
  outOfOrder: {
    words: t`out of order`,
    classes: 'is-over',
    icon: 'out',
    isTrueOf: ({ state, outOfOrder }) => outOfOrder || state === 'OutOfOrder',
  },
  open: {
    words: t`door open`,
    classes: 'loud ajar',
    icon: 'door',
    isTrueOf: ({ door }) => door === 'Open',
  },
  stuck: {
    words: t`door stayed shut`,
    classes: 'loud',
    icon: 'warning',
    isTrueOf: ({ doorFailure }) => doorFailure !== null,
  },
} as const satisfies Readonly<Record<string, Look>>;

const all: readonly Look[] = Object.values(looks);

/** It says what the lockers look like, with their numbers. */
export const Legend = ({ lockers }: { readonly lockers: readonly WallLocker[] }) => (
  <ul class="row plain" aria-label={t`What the lockers look like`}>
    {all.map(({ words, classes = '', icon, isTrueOf }) => (
      <li key={words} class={classes}>
        {icon && (
          <span class={isLoud(classes) ? 'is-fault tone' : 'tone'}>
            <Icon name={icon} />{' '}
          </span>
        )}
        {words} {lockers.filter(isTrueOf).length}
      </li>
    ))}
  </ul>
);

interface TileProps {
  readonly locker: WallLocker;
  readonly about: TileAbout | undefined;
  readonly units: number;
  readonly clockAheadMs: number;
  readonly isChosen: boolean;
  readonly choose: () => void;
}

function Tile({ locker, about, units, clockAheadMs, isChosen, choose }: TileProps) {
  const { lockerName, size, door, doorFailure, shipments, takenOut } = locker;
  const present = presentOf(shipments);
  const own = all.filter(({ isTrueOf }) => isTrueOf(locker));
  const icon = own.find(({ classes = '' }) => STATES.some((state) => classes === `is-${state}`))?.icon;
  return (
    <button
      type="button"
      class={['tile', ...own.flatMap(({ classes = [] }) => classes)].join(' ')}
      style={{ minHeight: `${UNIT_REM * units}rem` }}
      aria-pressed={isChosen}
      data-locker={lockerName}
      onClick={choose}
    >
      <span class="tile-head">
        <strong>{lockerName}</strong> {size}
        {icon && (
          <span class="tone">
            <Icon name={icon} />
          </span>
        )}
      </span>
      <span>{about?.isForDesk ? t`the desk takes it out` : formatLockerState(locker)}</span>
      {takenOut?.by && <span class="soft">{t`by ${takenOut.by}`}</span>}
      {about?.people.map((name) => (
        <b key={name}>{about.isForDesk ? t`from ${name}` : name}</b>
      ))}
      {about?.item && <span class="tile-item">{about.item}</span>}
      <Until due={about?.due} since={present?.since} clockAheadMs={clockAheadMs} />
      {door === 'Open' && <Loud look={looks.open} />}
      {door !== 'Open' && door !== 'Closed' && <span class="is-offline tone">{t`door unknown`}</span>}
      {doorFailure && <Loud look={looks.stuck} />}
    </button>
  );
}

interface UntilProps extends Pick<TileProps, 'clockAheadMs'> {
  readonly due: TileAbout['due'] | undefined;
  readonly since: string | null | undefined;
}

/** By when something is to happen with it; where nobody says so, since when it is as it is. */
function Until({ due, since, clockAheadMs }: UntilProps) {
  if (due?.isOverdue)
    return (
      <Badge state="late">
        {t`late,`} <Ago at={due.at} aheadMs={due.clockAheadMs} />
      </Badge>
    );
  if (due)
    return (
      <span class="soft">
        {t`until`} <Time at={due.at} aheadMs={due.clockAheadMs} />
      </span>
    );
  if (!since) return null;
  return (
    <span class="soft">
      <Ago at={since} aheadMs={clockAheadMs} />
    </span>
  );
}

const STATES: readonly State[] = ['booked', 'inside', 'over'];

const isLoud = (classes: string): boolean => classes.startsWith('loud');

const Loud = ({ look: { words, icon } }: { readonly look: Look & { readonly icon: IconName } }) => (
  <strong class="is-fault tone">
    <Icon name={icon} /> {words}
  </strong>
);

export function formatLockerState(locker: WallLocker): string {
  if (!locker.outOfOrder) return formatContent(locker);
  // The service says Booked before it says OutOfOrder, and that before ToBeEmptied.
  const content = locker.state === 'Booked' || locker.toBeEmptied ? formatContent(locker) : 'empty';
  return hasItem(locker)
    ? t`${looks.outOfOrder.words}, with an item inside: ${content}`
    : `${looks.outOfOrder.words}, ${content}`;
}

function formatContent({ state, toBeEmptied, door, shipments }: WallLocker): string {
  const present = presentOf(shipments);
  if (state === 'Booked') return present?.words ?? looks.booked.words;
  if (!toBeEmptied && door === 'Open') return t`not booked until it is shut`;
  return toBeEmptied ? looks.toBeEmptied.words : looks.free.words;
}

export const hasItem = ({ toBeEmptied, shipments }: WallLocker): boolean =>
  toBeEmptied || shipments.some(({ isInside }) => isInside);

/** Where several of a chain share a locker, the one that has it now. */
export const presentOf = (shipments: readonly HeldBy[]): HeldBy | undefined =>
  shipments.find(({ stateCode }) => stateCode !== 'Registered') ?? shipments[0];

/** A tile of the smallest size has room for three lines. */
const UNIT_REM = 4.2;

const unitsOf = ({ size }: WallLocker, sizes: readonly string[]): number =>
  1 + Math.max(0, sizes.indexOf(size));
