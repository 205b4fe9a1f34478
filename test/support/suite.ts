// Tests of many cases, or of two sizes: a few of the cases, or the small size, run in `npm test`, and the rest has the tag `long`
// (vitest.config.ts), which `npm run test:long` runs too. A test without such a part says `{ tags: 'long' }` itself.
import { describe, type SuiteAPI, type TestAPI, type TestOptions } from 'vitest';

/** Of everything random in `npm test`, so that it is the same each time. */
export const FIXED_SEED = 20261125;
/** Of everything random in the long suite: another one each time. TEST_SEED repeats one, and a failure prints it. */
export const freshSeed: number = Number(process.env.TEST_SEED) || Date.now() % 2 ** 31;

/** The same tests at two sizes: the small one with the fixed seed, and the long one with a fresh seed. */
export function atSizes(
  { short, long }: { short: number; long: number },
  tests: (size: number, seed: number) => void,
): void {
  describe(`at size ${short}`, () => tests(short, FIXED_SEED));
  describe(`at size ${long} (TEST_SEED=${freshSeed})`, { tags: 'long' }, () => tests(long, freshSeed));
}

type Run<Case> = (...parameters: Case extends readonly unknown[] ? [...Case] : [Case]) => unknown;
type Options = Omit<TestOptions, 'shuffle'>;

/** As `each`: one of so many cases, from the one at `first` on, runs in `npm test`, and the others in the long suite. */
export function eachSampled<Case>(
  collector: Pick<TestAPI | SuiteAPI, 'each'>,
  cases: readonly Case[],
  oneOf: number,
  first = 0,
) {
  return (title: string, run: Run<Case>, options: Options = {}): void => {
    const register = (some: readonly Case[], given: Options) =>
      // Its overloads spread the case of an array type, as `Run` does.
      (collector.each(some) as unknown as (title: string, options: Options, run: Run<Case>) => void)(
        title,
        given,
        run,
      );
    register(
      cases.filter((_, index) => index % oneOf === first),
      options,
    );
    register(
      cases.filter((_, index) => index % oneOf !== first),
      { ...options, tags: 'long' },
    );
  };
}
