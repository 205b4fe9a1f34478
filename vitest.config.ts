import { globSync, readFileSync } from 'node:fs';
import { configDefaults, defineConfig } from 'vitest/config';
import { newKeyLine } from './runtime/settings/key-ring.ts';
import { compiledFolder } from './runtime/terminal/user-cache.ts';
import { LongestFirst } from './test/longest-first.ts';

// What Node compiles is kept, of the tests' processes and of those that they start. npm scripts have set it.
process.env.NODE_COMPILE_CACHE ||= compiledFolder(process.env);

const long = '**/*.long.test.ts';
/** What a few cases show in `npm test`, and all cases in `npm run test:long` (test/support/suite.ts). */
const inBothSuites = () =>
  globSync('test/**/*.test.ts', { cwd: import.meta.dirname }).filter((file) =>
    readFileSync(`${import.meta.dirname}/${file}`, 'utf8').includes("/support/suite.ts'"),
  );

/**
 * Their modules keep nothing (test/architecture/stateless-modules.test.ts), and these tests change nothing of the process: so
 * many files run in one process, one after the other, which spares each a second of a processor. Others have one each.
 */
const shared = [
  'test/{contract,flows,interface,machines}/**',
  'test/runtime/{limits,settings}/**',
  'test/service/{accounts,lockers,shipments,storage,token}/**',
];
/** They kill, flood or count what the machine does: each has the machine to itself. */
const alone = ['test/{proofs,chaos,simulation}/**'];

const suites = {
  /** npm test, and any file by its name. */
  test: { include: ['test/**/*.test.ts'], exclude: [long], maxWorkers: 4 },
  /** npm run test:long */
  long: { include: [`test/${long}`, ...inBothSuites()], exclude: [], maxWorkers: 2 },
  /** The last part of the gate: the package installs and runs, `npm start` plays its demo, a killed worker loses nothing. */
  smoke: {
    include: [
      'test/tools/package/package.long.test.ts',
      'test/local/start.long.test.ts',
      'test/proofs/killed/worker.long.test.ts',
    ],
    exclude: [],
    maxWorkers: 2,
  },
};
const suite = (process.env.TEST_SUITE || 'test') as keyof typeof suites;
const { include, exclude, maxWorkers } = suites[suite];
const isLong = suite === 'long';
const MINUTE_MS = 60_000;

const setUp = (name: string) => `test/support/set-up/${name}.global.ts`;
const own = {
  extends: true,
  test: {
    include,
    globalSetup: [setUp('postgres'), setUp('temporal'), setUp('bundles'), 'test/console/page.global.ts'],
  },
} as const;

export default defineConfig({
  test: {
    // Environment of the processes that tests start.
    env: { SERVICE_ENCRYPTION_KEY: newKeyLine(), TEST_SUITE: suite },
    reporters: ['default', './tools/gate/reporter.ts'],
    // A file with `// @module-tag invariant` is never run again by the gate.
    tags: [{ name: 'invariant', description: 'what must hold: nothing lost, booked once, replay, security' }],
    // More than cores: most tests wait for a server, a timer or another process most of the time.
    maxWorkers,
    sequence: { sequencer: LongestFirst },
    testTimeout: isLong ? 60 * MINUTE_MS : 5 * MINUTE_MS,
    hookTimeout: 5 * MINUTE_MS,
    // Vitest's own default of one second is too short on a busy machine.
    expect: { poll: { timeout: 90_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'shared process',
          include: shared.map((folder) => `${folder}/*.test.ts`),
          exclude: [...configDefaults.exclude, ...exclude, ...(suite === 'test' ? [] : ['**'])],
          isolate: false,
          globalSetup: [setUp('postgres')],
        },
      },
      {
        ...own,
        test: {
          ...own.test,
          name: 'own process',
          exclude: [...configDefaults.exclude, ...exclude, ...(suite === 'test' ? shared : []), ...(isLong ? alone : [])],
        },
      },
      ...(isLong
        ? [
            {
              ...own,
              test: {
                ...own.test,
                name: 'alone',
                exclude: [...configDefaults.exclude, 'test/!(proofs|chaos|simulation)/**'],
                fileParallelism: false,
                sequence: { groupOrder: 1 },
              },
            },
          ]
        : []),
    ],
  },
});
