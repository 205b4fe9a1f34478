// The lockers of a wall in the order of their installation, in a grid that wraps: large ones taller. The service tells that
// order and the sizes; it knows no place of a locker.
import type { HeldBy, WallLocker, WallView } from '../../walls/walls-view.ts';
import { Ago } from './time.tsx';

interface WallProps {
  readonly wall: WallView;
  readonly chosen: string | null;
  readonly choose: (lockerUid: string) => void;
}

export function Wall({ wall: { lockers, sizes, clockAheadMs }, chosen, choose }: WallProps) {
  return (
    <div class="wall">
      {lockers.map((locker) => (
        <Tile
          key={locker.lockerUid}
          locker={locker}
          units={unitsOf(locker, sizes)}
          clockAheadMs={clockAheadMs}
          isChosen={locker.lockerUid === chosen}
          choose={() => choose(locker.lockerUid)}
        />
      ))}
    </div>
  );
}

/** By which they are told apart. */
const legend = {
  free: 'free',
  booked: 'booked',
  tobeemptied: 'to be emptied',
  outoforder: 'out of order',
  'is-open': 'door open',
  'is-stuck': 'door stayed shut',
};

/** The names in the legend that are true of it. */
function looksOf({ state, outOfOrder, toBeEmptied, door, doorFailure }: WallLocker): string[] {
  return [
    ...(state === 'OutOfOrder' && toBeEmptied ? ['tobeemptied'] : []),
    ...(state !== 'OutOfOrder' && outOfOrder ? ['outoforder'] : []),
    state.toLowerCase(),
    ...(door === 'Open' ? ['is-open'] : []),
    ...(doorFailure ? ['is-stuck'] : []),
  ];
}

/** It says what the lockers look like, with their numbers. */
export const Legend = ({ lockers }: { readonly lockers: readonly WallLocker[] }) => (
  <ul class="row plain" aria-label="What the lockers look like">
    {Object.entries(legend).map(([name, words]) => (
      <li key={name}>
        <span class={`locker ${name}`} aria-hidden="true" /> {words}{' '}
        {lockers.filter((locker) => looksOf(locker).includes(name)).length}
      </li>
    ))}
  </ul>
);

interface TileProps {
  readonly locker: WallLocker;
  readonly units: number;
  readonly clockAheadMs: number;
  readonly isChosen: boolean;
  readonly choose: () => void;
}

function Tile({ locker, units, clockAheadMs, isChosen, choose }: TileProps) {
  const { lockerName, size, door, doorFailure, shipments } = locker;
  const present = presentOf(shipments);
  return (
    <button
      type="button"
      class={['locker', ...looksOf(locker)].join(' ')}
      style={{ gridRow: `span ${units}` }}
      aria-pressed={isChosen}
      data-locker={lockerName}
      onClick={choose}
    >
      <strong>{lockerName}</strong> {size}
      <span>{formatLockerState(locker)}</span>
      {present?.since && (
        <span>
          <Ago at={present.since} aheadMs={clockAheadMs} />
        </span>
      )}
      {door !== 'Closed' && <span>{door === 'Open' ? legend['is-open'] : 'door unknown'}</span>}
      {doorFailure && <span>{legend['is-stuck']}</span>}
    </button>
  );
}

const itemStates: Readonly<Record<string, string>> = {
  Registered: 'booked ahead',
  ReadyForDropoff: 'to be filled',
  WaitForReceiver: 'in stock',
  ReadyForPickup: 'to be picked up',
};

/** For a shipment that is there. */
export function formatItemState(stateCode: string): string {
  return itemStates[stateCode] ?? legend.booked;
}

export function formatLockerState(locker: WallLocker): string {
  if (!locker.outOfOrder) return formatContent(locker);
  // The service says Booked before it says OutOfOrder, and that before ToBeEmptied.
  const content = locker.state === 'Booked' || locker.toBeEmptied ? formatContent(locker) : 'empty';
  return hasItem(locker)
    ? `${legend.outoforder}, with an item inside: ${content}`
    : `${legend.outoforder}, ${content}`;
}

function formatContent({ state, toBeEmptied, shipments }: WallLocker): string {
  if (state === 'Booked') return formatItemState(presentOf(shipments)?.stateCode ?? '');
  return toBeEmptied ? legend.tobeemptied : legend.free;
}

const INSIDE: readonly string[] = ['WaitForReceiver', 'ReadyForPickup'];

const hasItem = ({ toBeEmptied, shipments }: WallLocker): boolean =>
  toBeEmptied || shipments.some(({ stateCode }) => INSIDE.includes(stateCode));

/** Where several of a chain share a locker, the one that has it now. */
const presentOf = (shipments: readonly HeldBy[]): HeldBy | undefined =>
  shipments.find(({ stateCode }) => stateCode !== 'Registered') ?? shipments[0];

const unitsOf = ({ size }: WallLocker, sizes: readonly string[]): number =>
  1 + Math.max(0, sizes.indexOf(size));
