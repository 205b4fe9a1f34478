// Each benchmark runs to its end, with as little as it takes: nothing is said of its figures. Those of `engines` load 70 MB.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const benchmarks = {
  'account-search': '--searches 3 --entries 1000',
  booking: '--rounds 1 --warmUps 0 --bookings 50 --old 1000',
  flows: '--rounds 1 --flows 5 --open 5 --replays 5',
  receiver: '--rounds 1 --flows 3',
  engines: '--rounds 1 --flows 2 --production 0 --others 0',
};

test.each(Object.entries(benchmarks))(
  '%s',
  async (name, options) => {
    const words = ['scripts/bench/run.ts', name, ...options.split(' ')];
    const { stdout } = await promisify(execFile)(process.execPath, words);
    expect(stdout).toMatch(/\d/);
  },
  600_000,
);
