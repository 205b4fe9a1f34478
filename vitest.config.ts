import { configDefaults, defineConfig } from 'vitest/config';
import { newKeyLine } from './runtime/settings/key-ring.ts';
import { compiledFolder } from './runtime/terminal/user-cache.ts';
import { LongestFirst } from './test/longest-first.ts';

// What Node compiles is kept, of the tests' processes and of those that they start. npm scripts have set it.
process.env.NODE_COMPILE_CACHE ||= compiledFolder(process.env);

export default defineConfig({
  test: {
    // Environment of the processes that tests start.
    env: { SERVICE_ENCRYPTION_KEY: newKeyLine() },
    include: ['test/**/*.test.ts'],
    // They need the programs of the cluster, and minutes: npm run chaos -- --cluster, npm run prove.
    exclude: [...configDefaults.exclude, 'test/chaos/cluster/**', 'test/upgrade/**'],
    globalSetup: [
      'test/support/set-up/postgres.global.ts',
      'test/support/set-up/temporal.global.ts',
      'test/support/set-up/bundles.global.ts',
      'test/console/page.global.ts',
    ],
    // More than cores: most tests wait for a server, a timer or another process most of the time.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // Vitest's own default of one second is too short on a busy machine.
    expect: { poll: { timeout: 30_000 } },
  },
});
