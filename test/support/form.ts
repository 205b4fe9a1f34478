// A proof runs in a short form with all tests, and in a long form by `npm run prove`, which runs every file of tests that
// imports this one.

export const isLongForm = process.env.PROVE === '1';

export const inForm = <Value>({ short, long }: { short: Value; long: Value }): Value =>
  isLongForm ? long : short;

/** All of them in the long form; in the short form one of so many, from the one at `first` on. */
export const spreadOf = <Case>(cases: readonly Case[], oneOf: number, first = 0): Case[] =>
  cases.filter((_, index) => isLongForm || index % oneOf === first);
