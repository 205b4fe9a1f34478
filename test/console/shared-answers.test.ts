import { setTimeout as pause } from 'node:timers/promises';
import fastify from 'fastify';
import { expect, test, vi } from 'vitest';
import { forgetAfterChanges, SharedAnswers } from '../../console/shared-answers.ts';

test('who asks while it is read, or soon after, has the same answer', async () => {
  const shared = new SharedAnswers();
  const reading = Promise.withResolvers<string>();
  const read = vi.fn(() => reading.promise);
  const asked = [shared.of('/list', 20, read), shared.of('/list', 20, read)];
  // However long it takes.
  await pause(50);
  asked.push(shared.of('/list', 20, read));
  reading.resolve('rows');
  expect(await Promise.all(asked)).toEqual(['rows', 'rows', 'rows']);
  expect(read).toHaveBeenCalledTimes(1);
  await pause(50);
  await shared.of('/list', 60_000, read);
  await shared.of('/list', 60_000, read);
  await shared.of('/other', 60_000, read);
  expect(read).toHaveBeenCalledTimes(3);
});

test('after a change, and after a failure, it is read anew', async () => {
  const shared = new SharedAnswers();
  const read = vi.fn(async () => 'rows');
  await shared.of('/list', 60_000, read);
  shared.forget();
  await shared.of('/list', 60_000, read);
  expect(read).toHaveBeenCalledTimes(2);
  const failing = () => Promise.reject(new Error('away'));
  await expect(shared.of('/away', 60_000, failing)).rejects.toThrow('away');
  expect(await shared.of('/away', 60_000, read)).toBe('rows');
});

test.each([
  ['POST', '/200', 'again'],
  ['POST', '/200?dryRun=false', 'again'],
  ['POST', '/500', 'again'],
  ['POST', '/409', 'once'],
  ['POST', '/200?dryRun=true', 'once'],
  ['GET', '/200', 'once'],
] as const)('around %s %s it is read %s', async (method, url, times) => {
  const shared = new SharedAnswers();
  await using app = fastify();
  forgetAfterChanges(app, shared);
  app.route({
    method: ['GET', 'POST'],
    url: '/:status',
    handler: async ({ params }, reply) => reply.code(Number((params as { status: string }).status)).send(),
  });
  const read = vi.fn(async () => 'rows');
  await shared.of('/list', 60_000, read);
  await app.inject({ method, url });
  await shared.of('/list', 60_000, read);
  expect(read).toHaveBeenCalledTimes(times === 'again' ? 2 : 1);
});
