// What a genuine sender of a hook may send is read in a time that grows with it.
import { expect, test } from 'vitest';
import { receiveHook } from '../../../client/receiver/receive-hook.ts';

const hook = {
  name: 'forms',
  declaration: {},
  proof: { kind: 'secret', header: 'x-secret', scheme: null, secrets: ['s'] },
  eventOf: () => null,
};

test('a form with a hundred thousand names is read in one pass', async () => {
  const body = Buffer.from(Array.from({ length: 100_000 }, (_, index) => `a${index}=1`).join('&'));
  const received = receiveHook({} as never, hook as never, { taskQueue: 'none' });
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-secret': 's' };
  const began = performance.now();
  const { status } = await received(headers, body);
  expect(status).toBe(204);
  expect(performance.now() - began).toBeLessThan(2_000);
});
