// Whether a test notices a changed rule: the tests nearest to it first, then those of its folder.
import { basename, dirname } from 'node:path';
import type { ScratchTree } from './scratch-tree.ts';

/** For one run of tests. A change may make the tests wait for ever: that is noticed too. */
const LIMIT_MS = 600_000;

export interface Verdict {
  readonly as: 'caught' | 'byTypes' | 'survived';
  /** The first test that failed. */
  readonly by?: string;
}

export class Judge {
  readonly #tree: ScratchTree;
  readonly #testsOf: (folder: string) => readonly string[];
  /** By the file of tests: whether it passes without a change. What does not pass then notices nothing. */
  readonly #sound = new Map<string, boolean>();
  /** By the tests: whether they end in time without a change. */
  readonly #ends = new Map<string, boolean>();

  constructor(tree: ScratchTree, testsOf: (folder: string) => readonly string[]) {
    this.#tree = tree;
    this.#testsOf = testsOf;
  }

  /** @param changed the whole text of the file, with the change */
  async judge(path: string, changed: string): Promise<Verdict> {
    for (const tests of this.#stages(path)) {
      const by = await this.#failure(path, changed, tests);
      if (by !== undefined) return { as: 'caught', by };
    }
    if (!path.endsWith('.ts')) return { as: 'survived' };
    const { passed } = await this.#tree.withFile(path, changed, () => this.#tree.run('tsc', [], LIMIT_MS));
    return { as: passed ? 'survived' : 'byTypes' };
  }

  #stages(path: string): (readonly string[])[] {
    const name = basename(path).replace(/\.\w+$/, '');
    const nearest = this.#tree.files(`test/${dirname(path)}/${name}*.test.ts`);
    const others = this.#testsOf(path.split('/')[0] ?? '').filter((test) => !nearest.includes(test));
    return [nearest, others].filter((tests) => tests.length > 0);
  }

  /** Of one that passes without the change, and fails twice with it. */
  async #failure(path: string, changed: string, tests: readonly string[]): Promise<string | undefined> {
    const sound = tests.filter((test) => this.#sound.get(test) !== false);
    if (sound.length === 0) return undefined;
    const withChange = (which: readonly string[]) =>
      this.#tree.withFile(path, changed, () => this.#vitest(which));
    const { passed, timedOut, output } = await withChange(sound);
    if (passed) return undefined;
    if (timedOut) return (await this.#endInTime(sound)) ? 'no end' : undefined;
    const failed = /FAIL\s+(\S+\.test\.ts)/.exec(output)?.[1];
    // Nothing was tried: the change breaks what all tests begin with.
    if (failed === undefined) return (await this.#endInTime(sound)) ? 'it does not start' : undefined;
    if (!(await this.#isSound(failed)) || (await withChange([failed])).passed) {
      const others = sound.filter((test) => test !== failed);
      return this.#failure(path, changed, others);
    }
    return /FAIL\s+(.+)/.exec(output)?.[1]?.trim() ?? failed;
  }

  async #isSound(test: string): Promise<boolean> {
    const known = this.#sound.get(test);
    if (known !== undefined) return known;
    const { passed } = await this.#vitest([test]);
    if (!passed) console.log(`${test} fails without a change: it is left out`);
    this.#sound.set(test, passed);
    return passed;
  }

  async #endInTime(tests: readonly string[]): Promise<boolean> {
    const name = tests.join(' ');
    const known = this.#ends.get(name);
    if (known !== undefined) return known;
    const { timedOut, output } = await this.#vitest(tests);
    const ends = !timedOut && output.includes('Test Files');
    if (!ends) console.log(`These tests do not end without a change: ${name}`);
    this.#ends.set(name, ends);
    return ends;
  }

  #vitest(tests: readonly string[]) {
    return this.#tree.run('vitest', ['run', '--bail=1', ...tests], LIMIT_MS);
  }
}
