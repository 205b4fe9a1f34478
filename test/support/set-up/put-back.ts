// What every file of tests begins and ends with. What a test has changed of its process is put back when its file ends: files share
// processes (vitest.config.ts).
import { afterAll, vi } from 'vitest';

// Vitest turns them on. Node removes types without moving a place, so that they tell nothing new, and it would look for one in all
// that is evaluated: Temporal evaluates two lines for each promise.
process.setSourceMapsEnabled(false);

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
