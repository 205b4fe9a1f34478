// A rule that is shown by many cases, kills or minutes has a few of them in `npm test` and all of them in `npm run test:long`,
// which runs every file `*.long.test.ts` and every file that imports this one.

export const isLongSuite = process.env.TEST_SUITE === 'long';

export const bySuite = <Value>({ short, long }: { short: Value; long: Value }): Value =>
  isLongSuite ? long : short;

/** All of them in the long suite; else one of so many, from the one at `first` on. */
export const spreadOf = <Case>(cases: readonly Case[], oneOf: number, first = 0): Case[] =>
  cases.filter((_, index) => isLongSuite || index % oneOf === first);

/** Of everything random: the same in each `npm test`, fresh in each long suite. TEST_SEED repeats one, and a failure prints it. */
export const freshSeed: number = bySuite({
  short: 20261125,
  long: Number(process.env.TEST_SEED) || Date.now() % 2 ** 31,
});
