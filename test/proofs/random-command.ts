// Random commands on a world of lockers, as fast-check draws them: numbers that pick among what there is by then.

import fc from 'fast-check';
import type { Attachment } from '../support/chains/attached.ts';

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
  | { readonly type: 'attach'; readonly chain: number; readonly attachment: Attachment }
  | { readonly type: 'tryForeign'; readonly chain: number; readonly operation: number }
  | { readonly type: 'outOfOrder'; readonly locker: number; readonly outOfOrder: boolean }
  | { readonly type: 'empty'; readonly locker: number }
  | {
      readonly type: 'unlockLeft';
      /** Among the lockers in which an item was left once. */
      readonly locker: number;
      readonly unlockGoal: 'DropOff' | 'PickUp' | null;
    }
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

/** As a caller may write them: all that is not a NUL character, and so can be stored. */
const text = fc.string({ unit: 'grapheme', maxLength: 30 }).filter((given) => !given.includes('\0'));
const centimeters = fc.constantFrom(1, 12.5, 300);

const attachment: fc.Arbitrary<Attachment> = fc.oneof(
  fc.record({
    type: fc.constant('describe'),
    shipment: number,
    details: fc.record({ referenceNo: text, referenceCaseNo: text, description: fc.option(text) }),
  }),
  fc.record({
    type: fc.constant('addObject'),
    shipment: number,
    object: fc.record({
      referenceNo: fc.option(text),
      description: fc.option(text),
      weight: fc.option(fc.integer({ min: 0, max: 500_000 }).map((grams) => grams / 10)),
      count: fc.option(fc.integer({ min: 1, max: 1_000_000 })),
      dimension: fc.option(fc.record({ width: centimeters, height: centimeters, length: centimeters })),
    }),
  }),
  fc.record({ type: fc.constant('removeObject'), shipment: number, object: number }),
);

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 20, arbitrary: book },
  { weight: 70, arbitrary: fc.record({ type: fc.constant('move'), chain: number, call: number }) },
  { weight: 10, arbitrary: fc.record({ type: fc.constant('attach'), chain: number, attachment }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('tryForeign'), chain: number, operation: number }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('outOfOrder'), locker: number, outOfOrder: fc.boolean() }),
  },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('empty'), locker: number }) },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('unlockLeft'),
      locker: number,
      unlockGoal: fc.constantFrom('PickUp', 'PickUp', null, 'DropOff'),
    }),
  },
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
