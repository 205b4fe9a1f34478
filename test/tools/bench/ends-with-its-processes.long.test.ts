// A benchmark that is killed takes along what it has started: the service, and the Postgres below it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isAlive, processesUnder } from '../../support/processes/local-program.ts';
import { nodeProgramOfTest } from '../../support/processes/node-program.ts';

const PATIENCE_MS = 300_000;

// The two ways in which benchmarks start the service.
test.each(['account-search', 'changes'])(
  '%s, when it is killed, leaves no process, and no other benchmark begins',
  async (name) => {
    // What a killed benchmark leaves on the disk.
    const TMPDIR = await mkdtemp(join(tmpdir(), 'lockerflow-bench-'));
    onTestFinished(() => rm(TMPDIR, { recursive: true }));
    const env = { ...process.env, TMPDIR };
    const bench = nodeProgramOfTest(['tools/bench/run.ts', name, 'upload'], { env });
    const all = await vi.waitUntil(
      async () => {
        const below = await processesUnder(await bench.processId);
        return below.some(({ args }) => args.endsWith('service/main.ts')) && below;
      },
      { timeout: PATIENCE_MS },
    );
    const left = () => all.filter(({ pid }) => isAlive(pid));
    onTestFinished(() => {
      for (const { pid } of left()) process.kill(pid, 'SIGKILL');
    });
    await bench.signal('SIGTERM');
    expect(await bench.exitCode).toBe(1);
    await expect.poll(left, { timeout: PATIENCE_MS }).toEqual([]);
  },
  2 * PATIENCE_MS,
);
