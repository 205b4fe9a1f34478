// Random commands on a world of lockers, as fast-check draws them: numbers that pick among what there is by then.

import fc from 'fast-check';

export type Command =
  | {
      readonly type: 'book';
      readonly pickUpPoint: number;
      readonly beginning: number;
      readonly sides: readonly [number, number, number];
      readonly allowLargerLockers: boolean;
      readonly allowOverflowLockers: boolean;
      /** The locker asked for by its uid, if any. */
      readonly locker: number | null;
      /** Every call of this chain goes out twice at once, with one Idempotency-Key. */
      readonly isDoubled: boolean;
    }
  | { readonly type: 'move'; readonly chain: number; readonly call: number }
  | { readonly type: 'tryForeign'; readonly chain: number; readonly operation: number }
  | { readonly type: 'outOfOrder'; readonly locker: number; readonly outOfOrder: boolean }
  | { readonly type: 'empty'; readonly locker: number }
  | { readonly type: 'fault'; readonly locker: number; readonly fault: 'stuck' | 'offline' | null };

const number = fc.nat();
/** Around the insides of the walls' sizes: fitting, on the edge, and too big. */
const side = fc.constantFrom(1, 10, 12, 12.5, 20, 25, 26, 40, 50, 60, 61, 180);

const book: fc.Arbitrary<Command> = fc.record({
  type: fc.constant('book'),
  pickUpPoint: number,
  // A collect-only booking, one of the last three, is the only one that may get a locker with an item left behind.
  beginning: fc.oneof(number, fc.constantFrom(7, 8, 9)),
  sides: fc.oneof({ weight: 3, arbitrary: fc.constant([10, 10, 10] as const) }, fc.tuple(side, side, side)),
  allowLargerLockers: fc.boolean(),
  allowOverflowLockers: fc.boolean(),
  locker: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, number),
  isDoubled: fc.nat({ max: 3 }).map((drawn) => drawn === 0),
});

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 20, arbitrary: book },
  { weight: 70, arbitrary: fc.record({ type: fc.constant('move'), chain: number, call: number }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('tryForeign'), chain: number, operation: number }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('outOfOrder'), locker: number, outOfOrder: fc.boolean() }),
  },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('empty'), locker: number }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('fault'),
      locker: number,
      fault: fc.constantFrom('stuck', 'offline', null, null),
    }),
  },
);

/** The same commands for the same seed. */
export function randomCommands(seed: number, count: number): Command[] {
  return fc.sample(command, { seed, numRuns: count });
}
