import { globSync, readFileSync } from 'node:fs';
import { configDefaults, defineConfig } from 'vitest/config';
import { newKeyLine } from './shared/settings/key-ring.ts';
import { compiledFolder } from './shared/terminal/user-cache.ts';
import { LongestFirst } from './test/longest-first.ts';

// What Node compiles is kept, of the tests' processes and of those that they start. npm scripts have set it.
process.env.NODE_COMPILE_CACHE ||= compiledFolder(process.env);

const long = '**/*.long.test.ts';
/**
 * They need a process of their own, and say why. All others share one for each worker, which spares each file a second of a
 * processor for its imports; what they change of it is put back (test/support/set-up/put-back.ts).
 */
const NEEDS_ITS_PROCESS = /^\/\/ In a process of its own/m;
const textOf = (file: string) => readFileSync(`${import.meta.dirname}/${file}`, 'utf8');
const files = globSync('test/**/*.test.ts', { cwd: import.meta.dirname });
const ownProcess = files.filter((file) => NEEDS_ITS_PROCESS.test(textOf(file)));
/** They kill, flood or count what the machine does: each has the machine to itself. */
const alone = ['test/proofs/', 'test/chaos/'];

/** What a few cases show in `npm test`, and all cases in `npm run test:long` (test/support/suite.ts). */
const inBothSuites = files.filter((file) => textOf(file).includes("/support/suite.ts'"));

const suites = {
  /** npm test, and any file by its name. */
  test: { include: ['test/**/*.test.ts'], exclude: [long], maxWorkers: 4 },
  /** npm run test:long */
  long: { include: [`test/${long}`, ...inBothSuites], exclude: [], maxWorkers: 2 },
  /** The last part of the gate: the package installs and runs, `npm start` plays its demo, a killed worker loses nothing. */
  smoke: {
    include: [
      'test/scripts/package/package.long.test.ts',
      'test/scripts/start.long.test.ts',
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
const globalSetup = [setUp('postgres'), setUp('temporal'), setUp('bundles'), 'test/console/page.global.ts'];
const never = [...configDefaults.exclude, ...exclude];
/** The others are of another project. */
const except = (folders: readonly string[]) =>
  files.filter((file) => !folders.some((folder) => file.startsWith(folder)));

const projects = {
  test: [
    { name: 'shared process', include, exclude: [...never, ...ownProcess], isolate: false, globalSetup },
    { name: 'own process', include: ownProcess, exclude: never, globalSetup },
  ],
  long: [
    {
      name: 'beside others',
      include,
      exclude: [...never, ...alone.map((folder) => `${folder}**`)],
      globalSetup,
    },
    {
      name: 'alone',
      include,
      exclude: [...never, ...except(alone)],
      globalSetup,
      fileParallelism: false,
      sequence: { groupOrder: 1 },
    },
  ],
  smoke: [{ name: 'smoke test', include, exclude: never, globalSetup }],
}[suite];

export default defineConfig({
  test: {
    // Environment of the processes that tests start.
    env: { SERVICE_ENCRYPTION_KEY: newKeyLine(), TEST_SUITE: suite },
    reporters: ['default', './scripts/gate/reporter.ts'],
    setupFiles: ['test/support/set-up/put-back.ts'],
    // A file with `// @module-tag invariant` is never run again by the gate.
    tags: [{ name: 'invariant', description: 'what must hold: nothing lost, booked once, replay, security' }],
    // More than cores: most tests wait for a server, a timer or another process most of the time.
    maxWorkers,
    sequence: { sequencer: LongestFirst },
    testTimeout: isLong ? 60 * MINUTE_MS : 5 * MINUTE_MS,
    hookTimeout: 5 * MINUTE_MS,
    // Vitest's own default of one second is too short on a busy machine.
    expect: { poll: { timeout: 90_000 } },
    projects: projects.map((test) => ({ extends: true as const, test })),
  },
});
