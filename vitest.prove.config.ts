// `npm run prove`: the long forms of the proofs that `npm test` runs in their short forms. They take an hour or so.
import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { newKeyLine } from './runtime/settings/key-ring.ts';

const HOUR_MS = 3_600_000;

/** The files of tests elsewhere that have a long form. */
const withLongForm = globSync('test/**/*.test.ts', { cwd: import.meta.dirname }).filter((file) =>
  readFileSync(`${import.meta.dirname}/${file}`, 'utf8').includes("/support/form.ts'"),
);

export default defineConfig({
  test: {
    include: [
      'test/proofs/**/*.test.ts',
      'test/chaos/**/*.test.ts',
      'test/upgrade/**/*.test.ts',
      ...withLongForm,
    ],
    globalSetup: [
      'test/support/set-up/postgres.global.ts',
      'test/support/set-up/temporal.global.ts',
      'test/support/set-up/bundles.global.ts',
    ],
    env: { PROVE: process.env.PROVE ?? '1', SERVICE_ENCRYPTION_KEY: newKeyLine() },
    // One after another: each is to have the machine for itself.
    fileParallelism: false,
    testTimeout: 4 * HOUR_MS,
    hookTimeout: 60_000,
  },
});
