// The wall as a person before it sees it: columns of lockers in the order of their installation, large ones taller. What the
// service tells of a wall is that order and the sizes; it knows no place of a locker.
import type { WallLocker, WallView } from '../../walls/walls-view.ts';

export interface WallProps {
  readonly wall: WallView;
  readonly chosen: string | null;
  readonly choose: (lockerUid: string) => void;
}

// A column of lockers is about as tall as a person: so many of the smallest.
const COLUMN_UNITS = 8;

export function Wall({ wall: { lockers, sizes }, chosen, choose }: WallProps) {
  return (
    <div class="wall">
      {columnsOf(lockers, sizes).map((column) => (
        <div class="wall-column" key={column[0]?.lockerUid}>
          {column.map((locker) => (
            <Tile
              key={locker.lockerUid}
              locker={locker}
              units={unitsOf(locker, sizes)}
              isChosen={locker.lockerUid === chosen}
              choose={() => choose(locker.lockerUid)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface TileProps {
  readonly locker: WallLocker;
  readonly units: number;
  readonly isChosen: boolean;
  readonly choose: () => void;
}

function Tile({ locker, units, isChosen, choose }: TileProps) {
  const { lockerName, size, state, door, doorFailure } = locker;
  return (
    <button
      type="button"
      class={`locker ${state.toLowerCase()}${door === 'Open' ? ' is-open' : ''}${doorFailure ? ' is-stuck' : ''}`}
      style={{ minHeight: `${units * 2.6}rem` }}
      aria-pressed={isChosen}
      data-locker={lockerName}
      onClick={choose}
    >
      <span class="locker-name">{lockerName}</span> <span class="locker-size">{size}</span>
      <span class="locker-state">{stateWords(locker)}</span>
      {door !== 'Closed' && <span class="locker-door">{door === 'Open' ? 'door open' : 'door unknown'}</span>}
      {doorFailure && <span class="locker-door">door stayed shut</span>}
    </button>
  );
}

const waits: Readonly<Record<string, string>> = {
  Registered: 'booked ahead',
  ReadyForDropoff: 'to be filled',
  WaitForReceiver: 'in stock',
  ReadyForPickup: 'to be picked up',
};

export function stateWords({ state, shipments }: WallLocker): string {
  if (state === 'OutOfOrder') return 'out of order';
  if (state === 'ToBeEmptied') return 'to be emptied';
  if (state === 'Free') return 'free';
  const present = shipments.find(({ stateCode }) => stateCode !== 'Registered') ?? shipments[0];
  return waits[present?.stateCode ?? ''] ?? 'booked';
}

const unitsOf = ({ size }: WallLocker, sizes: readonly string[]): number =>
  1 + Math.max(0, sizes.indexOf(size));

export function columnsOf(lockers: readonly WallLocker[], sizes: readonly string[]): WallLocker[][] {
  const columns: WallLocker[][] = [];
  let left = 0;
  for (const locker of lockers) {
    const units = unitsOf(locker, sizes);
    if (units > left) {
      columns.push([]);
      left = Math.max(COLUMN_UNITS, units);
    }
    columns.at(-1)?.push(locker);
    left -= units;
  }
  return columns;
}
