// Many wrong passwords at once are judged one after the other, and those that would wait too long are refused.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { passwordHash } from '../../../console/sign-in/password.ts';
import { MAX_PER_NAME, MAX_TOTAL, PasswordTries } from '../../../console/sign-in/password-tries.ts';
import { UsersFile } from '../../../console/sign-in/users-file.ts';
import { newTestConsole, PASSWORD, withoutService } from '../console-world.ts';

/** A judge who takes his time: until `end` is called. */
class Judge {
  readonly #ends: (() => void)[] = [];
  judged: string[] = [];
  atOnce = 0;
  maxConcurrent = 0;

  wrong(name: string): () => Promise<undefined> {
    return async () => {
      this.judged.push(name);
      this.atOnce += 1;
      this.maxConcurrent = Math.max(this.maxConcurrent, this.atOnce);
      await new Promise<void>((resolve) => this.#ends.push(resolve));
      this.atOnce -= 1;
      return undefined;
    };
  }

  /** Ends what is under way, and all that begins after it. */
  async endAll(tries: readonly Promise<unknown>[]): Promise<PromiseSettledResult<unknown>[]> {
    let isOver = false;
    const all = Promise.allSettled(tries).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      this.#ends.shift()?.();
      await vi.advanceTimersByTimeAsync(1_000);
    }
    return await all;
  }
}

describe('tries', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const take = (tries: PasswordTries, judge: Judge, names: readonly string[]) =>
    names.map((name) => tries.take(name, judge.wrong(name)));
  const refused = (results: readonly PromiseSettledResult<unknown>[]) =>
    results.filter((each) => each.status === 'rejected' && each.reason.status === 429).length;

  test('of one name are judged one at a time; beyond a few they are refused', async () => {
    const [tries, judge] = [new PasswordTries(), new Judge()];
    const results = await judge.endAll(take(tries, judge, Array(200).fill('olga')));
    expect([judge.maxConcurrent, judge.judged.length]).toEqual([1, MAX_PER_NAME]);
    expect(refused(results)).toBe(200 - MAX_PER_NAME);
  });

  test('of many names are judged two at a time; beyond a bound for all of them they are refused', async () => {
    const [tries, judge] = [new PasswordTries(), new Judge()];
    const names = Array.from({ length: 200 }, (_, index) => `user-${index}`);
    const results = await judge.endAll(take(tries, judge, names));
    expect([judge.maxConcurrent, judge.judged.length]).toEqual([2, MAX_TOTAL]);
    expect(refused(results)).toBe(200 - MAX_TOTAL);
    // All places are free again.
    expect(refused(await judge.endAll(take(tries, judge, names)))).toBe(200 - MAX_TOTAL);
  });

  test('wait longer after each wrong one, up to ten seconds; a right one ends that', async () => {
    const tries = new PasswordTries();
    const waits: number[] = [];
    const taken = async (right: true | undefined) => {
      const since = Date.now();
      const answer = tries.take('olga', async () => right);
      // At its answer: what other files of this process have left behind may have timers of its own.
      const waited = answer.then(() => waits.push(Date.now() - since));
      await vi.runAllTimersAsync();
      expect(await answer).toBe(right);
      await waited;
    };
    for (let number = 0; number < 9; number += 1) await taken(undefined);
    await taken(true);
    await taken(undefined);
    expect(waits).toEqual([0, 0, 0, 0, 0, 2_000, 4_000, 8_000, 10_000, 10_000, 0]);
  });

  test('that fail for another reason leave no place taken', async () => {
    const tries = new PasswordTries();
    const failing = async () => {
      throw new Error('the file cannot be read');
    };
    for (let number = 0; number < MAX_TOTAL + 1; number += 1)
      await expect(tries.take('olga', failing)).rejects.toThrow('the file');
  });
});

test('of 200 passwords at once few are judged, for one name and for many, and other people are served', {
  tags: 'long',
}, async () => {
  await using console = await newTestConsole(withoutService);
  const cookie = await console.cookieOf('anna');
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const statuses: number[] = [];
  const retryAfter = new Set<string | null>();
  const flood = (name: (index: number) => string) =>
    Array.from({ length: 200 }, async (_, index) => {
      const answer = await fetch(`${console.address}/api/sign-in`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: console.address },
        body: JSON.stringify({ name: name(index), password: `guess ${index}` }),
        signal: stop.signal,
      });
      statuses.push(answer.status);
      if (answer.status === 429) retryAfter.add(answer.headers.get('retry-after'));
    });
  const all = [...flood(() => 'olga'), ...flood((index) => `user-${index}`)].map((each) =>
    each.catch(() => undefined),
  );
  await expect.poll(() => statuses.filter((status) => status === 429).length).toBeGreaterThan(150);
  expect([...retryAfter]).toEqual(['10']);
  const me = await fetch(`${console.address}/api/me`, { headers: { cookie } });
  expect(await me.json()).toMatchObject({ user: { name: 'anna' } });
  stop.abort();
  await Promise.all(all);
  expect(statuses).not.toContain(200);
});

test('a name that nobody has is judged at the cost of a user’s password', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockerflow-users-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'users');
  const cheap = await passwordHash(PASSWORD, { N: 1_024, r: 8, p: 1 });
  const costly = await passwordHash(PASSWORD, { N: 2_048, r: 8, p: 1 });
  writeFileSync(path, `anna:look:${cheap}\nbram:look:${costly}\n`);
  const users = new UsersFile(path);
  const names = Array.from({ length: 50 }, (_, index) => `user-${index}`);
  expect(new Set(names.map((name) => users.hashFor(name)))).toEqual(new Set([cheap, costly]));
  // Asked again, a name does not show by another cost that nobody has it.
  for (const name of names) expect(users.hashFor(name)).toBe(users.hashFor(name));
  writeFileSync(path, '# nobody\n');
  users.get('carl');
  expect(users.hashFor('carl')).toBeUndefined();
});
