// Publishing while no worker answers: Temporal has what was asked, so whoever asked learns what may still happen.
import { expect, test } from 'vitest';
import { grpcCodes } from '../../../client/grpc-failure.ts';
import { publish, requireStarting } from '../../../processes/commands/publish.ts';

test('without a worker it says that the files may still be published, and that asking again is safe', async () => {
  const outOfTime = Object.assign(new Error('4 DEADLINE_EXCEEDED: Deadline exceeded'), {
    code: grpcCodes.deadlineExceeded,
    details: 'Deadline exceeded',
    metadata: {},
  });
  const acting = {
    client: { withDeadline: (_: number, ask: () => Promise<unknown>) => ask() },
    flows: { publish: () => Promise.reject(outOfTime) },
  } as unknown as Parameters<typeof publish.do>[0];
  const done = publish.do(acting, null, { files: [{ path: 'a.flow.yaml', text: 'name: A' }] });
  await expect(done).resolves.toMatchObject({
    done: false,
    refusal: {
      kind: 'unreachable',
      code: 'NoWorker',
      message: expect.stringContaining('the same content is the same version'),
    },
  });
});

test('a file that starts processes by itself is published only by who may start them', async () => {
  const schedules = { daily: { every: 'P1D' } };
  const starts = { 'order.paid': {} };
  const by = (...flows: string[]) =>
    requireStarting({
      by: 'shop',
      may: (right, flow) => right === 'publish' || (right === 'start' && flows.includes(flow ?? '')),
    }) as (file: object) => void;
  for (const file of [{ schedules }, { starts }, { schedules, starts }]) {
    expect(() => by()({ name: 'A', ...file })).toThrow('only with the right to start A');
    expect(() => by('B')({ name: 'A', ...file })).toThrow('only with the right to start A');
    expect(() => by('A')({ name: 'A', ...file })).not.toThrow();
  }
  expect(() => by()({ name: 'A', schedules: {} })).not.toThrow();
  expect(() => by()({ name: 'A' })).not.toThrow();
});

test('nothing is published where one of the files needs that right', async () => {
  const published: unknown[] = [];
  const acting = {
    by: 'shop',
    may: (right: string) => right === 'publish',
    client: { withDeadline: (_: number, ask: () => Promise<unknown>) => ask() },
    flows: {
      async publish(files: unknown, { require }: { require: (file: object) => void }) {
        require({ name: 'A', schedules: { daily: {} } });
        published.push(files);
        return [];
      },
    },
  } as unknown as Parameters<typeof publish.do>[0];
  const done = await publish.do(acting, null, { files: [{ path: 'a.flow.yaml', text: 'name: A' }] });
  expect(done).toMatchObject({ done: false, refusal: { kind: 'forbidden', code: 'NotAllowed' } });
  expect(published).toEqual([]);
});
