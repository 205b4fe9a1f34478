import { configDefaults, defineConfig } from 'vitest/config';
import { newKeyLine } from './runtime/settings/key-ring.ts';
import { compiledFolder } from './runtime/terminal/user-cache.ts';
import { LongestFirst } from './test/longest-first.ts';

// What Node compiles is kept, of the tests' processes and of those that they start. npm scripts have set it.
process.env.NODE_COMPILE_CACHE ||= compiledFolder(process.env);

// npm run test:slow. Not by a filter: one that is typed after it would be another one, not one within it.
const tests = process.env.SLOW_TESTS === 'only' ? '*.slow.test.ts' : '*.test.ts';

/**
 * Their modules keep nothing (test/architecture/stateless-modules.test.ts), and these tests change nothing of the process: so
 * many files run in one process, one after the other, which spares each a second of a processor. Others have one each.
 */
const inOneProcess = [
  `test/{contract,flows,interface,machines}/**/${tests}`,
  `test/runtime/{limits,settings}/**/${tests}`,
  `test/service/{accounts,lockers,shipments,storage,token}/**/${tests}`,
];

export default defineConfig({
  test: {
    // Environment of the processes that tests start.
    env: { SERVICE_ENCRYPTION_KEY: newKeyLine() },
    // They need the programs of the cluster, and minutes: npm run chaos -- --cluster, npm run prove.
    exclude: [
      ...configDefaults.exclude,
      ...['test/chaos/cluster/**', 'test/upgrade/**'],
      // npm test; not by an option of vitest, which would not reach the projects.
      ...(process.env.SLOW_TESTS === 'off' ? ['**/*.slow.test.ts'] : []),
    ],
    reporters: ['default', './tools/gate/reporter.ts'],
    // A file with `// @module-tag invariant` is never run again by the gate.
    tags: [{ name: 'invariant', description: 'what must hold: nothing lost, booked once, replay, security' }],
    // More than cores: most tests wait for a server, a timer or another process most of the time.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Vitest's own default of one second is too short on a busy machine.
    expect: { poll: { timeout: 90_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'one process',
          include: inOneProcess,
          isolate: false,
          globalSetup: ['test/support/set-up/postgres.global.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'own process',
          include: [`test/**/${tests}`],
          exclude: inOneProcess,
          globalSetup: [
            'test/support/set-up/postgres.global.ts',
            'test/support/set-up/temporal.global.ts',
            'test/support/set-up/bundles.global.ts',
            'test/console/page.global.ts',
          ],
        },
      },
    ],
  },
});
