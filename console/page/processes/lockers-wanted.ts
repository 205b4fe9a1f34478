// Which sizes of lockers some cases want at a place, and how many of these are free there: a locker holds an item that fits in one of
// its orientations, and a case takes the smallest size that does, or a larger one where it says so.
import type { DeskLockers, Dimension } from '../../desk/desk-view.ts';
import type { BulkOutcome, StartAgainPreview } from '../../processes/processes-view.ts';

export interface WantedLocker {
  readonly pupUid: string;
  /** Null: any locker will do, or it is not known what fits. */
  readonly dimension: Dimension | null;
  readonly mayBeLarger: boolean;
}

/** Of those that can be started again: what the start asks for. */
export const wantedIn = (outcomes: readonly BulkOutcome[]): WantedLocker[] =>
  outcomes.flatMap(({ refusal, consequence }) =>
    refusal === null && isStartAgain(consequence) ? wantedBy(consequence) : [],
  );

/** What a dry run of a new start says. */
export const isStartAgain = (consequence: unknown): consequence is StartAgainPreview =>
  typeof consequence === 'object' && consequence !== null && 'changes' in consequence;

function wantedBy({ input }: StartAgainPreview): WantedLocker[] {
  const { pupUid, dimension, allowLargerLockers } = (input.request ?? {}) as Readonly<
    Record<string, unknown>
  >;
  if (typeof pupUid !== 'string') return [];
  return [{ pupUid, dimension: dimensionIn(dimension), mayBeLarger: allowLargerLockers === true }];
}

function dimensionIn(value: unknown): Dimension | null {
  const { width, height, length } = (value ?? {}) as Partial<Dimension>;
  return width && height && length ? { width, height, length } : null;
}

export interface WantedSize {
  /** Null: any will do, or it is not known what fits. */
  readonly size: string | null;
  readonly wanted: number;
  readonly free: number;
  /** Larger ones that are free, where some of them may have one. */
  readonly larger: number;
  /** How many of them would find no locker now. */
  readonly short: number;
}

export interface WantedAtPlace {
  /** The largest first: it has the least choice. */
  readonly sizes: readonly WantedSize[];
  /** How many fit in no locker of the place. */
  readonly tooLarge: number;
}

export function wantedAt(
  { sizes }: Pick<DeskLockers, 'sizes'>,
  wanted: readonly WantedLocker[],
): WantedAtPlace {
  const left = sizes.map(({ free }) => free);
  const isTold = sizes.every(({ innerDimension }) => innerDimension !== null);
  const groups = Map.groupBy(wanted, ({ dimension }) =>
    dimension && isTold ? sizes.findIndex((size) => fits(dimension, size.innerDimension)) : ANY,
  );
  const share = ([at, group]: readonly [number, readonly WantedLocker[]]): WantedSize => {
    const largerAt = [...sizes.keys()].filter((other) => other > at);
    const mayBeLarger = at === ANY ? group.length : group.filter((each) => each.mayBeLarger).length;
    const free = left[at] ?? sum(left);
    const larger = at === ANY || mayBeLarger === 0 ? 0 : sum(largerAt.map((other) => left[other] ?? 0));
    const own = at === ANY ? 0 : take(left, [at], group.length);
    const others = take(left, largerAt, Math.min(mayBeLarger, group.length - own));
    const size = at === ANY ? null : (sizes[at]?.size ?? null);
    return { size, wanted: group.length, free, larger, short: group.length - own - others };
  };
  const fitting = [...groups].filter(([at]) => at !== NONE).toSorted(([one], [other]) => other - one);
  return { sizes: fitting.map(share), tooLarge: groups.get(NONE)?.length ?? 0 };
}

/** As `findIndex` has it. */
const NONE = -1;
/** Behind all sizes, in their order. */
const ANY = -2;

const sum = (counts: readonly number[]): number => counts.reduce((all, each) => all + each, 0);

/** Takes up to so many of what is left, the smallest first. */
function take(left: number[], from: readonly number[], most: number): number {
  let taken = 0;
  for (const at of from) {
    const some = Math.min(left[at] ?? 0, most - taken);
    left[at] = (left[at] ?? 0) - some;
    taken += some;
  }
  return taken;
}

function fits(item: Dimension, locker: Dimension | null): boolean {
  const sides = ({ width, height, length }: Dimension) =>
    [width, height, length].sort((one, other) => one - other);
  const inside = locker ? sides(locker) : [];
  return sides(item).every((side, at) => side <= (inside[at] ?? 0));
}
