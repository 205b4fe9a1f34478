// A free port is for a process that is still to be started, and perhaps stopped and started again.
import { expect, test } from 'vitest';
import { freePort, isFree } from '../../local/ports.ts';

test('a free port is none that the system gives to others by itself', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freePort));
  for (const port of ports) {
    expect(port).toBeGreaterThanOrEqual(10_000);
    expect(port).toBeLessThan(32_768);
    expect(await isFree(port)).toBe(true);
  }
});
