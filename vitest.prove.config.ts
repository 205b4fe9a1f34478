// `npm run prove`: the long forms of the proofs that `npm test` runs in their short forms. They take an hour or so.
import { defineConfig } from 'vitest/config';
import { newKeyLine } from './settings/key-ring.ts';

const HOUR_MS = 3_600_000;

export default defineConfig({
  test: {
    include: ['test/proofs/**/*.test.ts', 'test/chaos/**/*.test.ts', 'test/docs/declare-a-flow.test.ts'],
    globalSetup: [
      'test/support/postgres.global.ts',
      'test/support/temporal.global.ts',
      'test/support/bundles.global.ts',
    ],
    env: { PROVE: '1', SERVICE_ENCRYPTION_KEY: newKeyLine() },
    // One after another: each is to have the machine for itself.
    fileParallelism: false,
    testTimeout: 4 * HOUR_MS,
    hookTimeout: 60_000,
  },
});
