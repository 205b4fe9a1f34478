import { configDefaults, defineConfig } from 'vitest/config';
import { newKeyLine } from './shared/settings/key-ring.ts';
import { compiledFolder } from './shared/terminal/user-cache.ts';
import { LongestFirst } from './test/longest-first.ts';

// What Node compiles is kept, of the tests' processes and of those that they start. npm scripts have set it.
process.env.NODE_COMPILE_CACHE ||= compiledFolder(process.env);

const MINUTE_MS = 60_000;
const setUp = (name: string) => `test/support/set-up/${name}.global.ts`;
const globalSetup = [setUp('postgres'), setUp('temporal'), setUp('bundles'), 'test/console/page.global.ts'];

/** The place of a file says how it runs. package.json and the gate say which projects a suite has. */
const projects = [
  /** All files of one worker share a process, which saves a second of a processor for the imports of each. */
  {
    name: 'tests',
    include: ['test/**/*.test.ts'],
    exclude: ['test/isolated/**', 'test/smoke/**', 'test/long/**'],
    isolate: false,
  },
  /** Files that need a process of their own, and say why. */
  { name: 'isolated', include: ['test/isolated/**/*.test.ts'] },
  /** The whole product: the package installs and runs, `npm start` plays its demo, a killed worker loses nothing. */
  { name: 'smoke', include: ['test/smoke/**/*.test.ts'] },
  /** Files of the long suite. */
  { name: 'long', include: ['test/long/**/*.test.ts'], exclude: ['test/long/alone/**'] },
  /** Files of the long suite that kill, flood, or count what the machine does: each has the machine to itself. */
  {
    name: 'alone',
    include: ['test/long/alone/**/*.test.ts'],
    testTimeout: 10 * MINUTE_MS,
    fileParallelism: false,
    sequence: { groupOrder: 1 },
  },
];

export default defineConfig({
  test: {
    // Environment of the processes that tests start.
    env: { SERVICE_ENCRYPTION_KEY: newKeyLine() },
    reporters: ['default', './scripts/gate/reporter.ts'],
    // By Node itself, which runs TypeScript as it is: a tenth of all work was Vite's. Modules cannot be mocked or evaluated again.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    setupFiles: ['no-source-maps', 'put-back'].map((name) => `test/support/set-up/${name}.ts`),
    tags: [
      { name: 'long', description: 'runs in the long suite alone' },
      {
        name: 'invariant',
        description: 'nothing lost, booked once, replay, security: the gate never runs such a file again',
      },
    ],
    // More than cores: most tests wait for a server, a timer or another process most of the time.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // A test that does more than this takes says so itself, and what it does.
    testTimeout: 5 * MINUTE_MS,
    hookTimeout: 5 * MINUTE_MS,
    // Vitest's own default of one second is too short on a busy machine.
    expect: { poll: { timeout: 90_000 } },
    projects: projects.map(({ exclude = [], ...project }) => ({
      extends: true as const,
      test: { ...project, exclude: [...configDefaults.exclude, ...exclude], globalSetup },
    })),
  },
});
