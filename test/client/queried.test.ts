// A query that is lost on its way to a worker, or by it, is asked again, within the time that whoever asks has.
import { expect, test } from 'vitest';
import { grpcCodes } from '../../client/grpc-failure.ts';
import { queried } from '../../client/queried.ts';

/** As the SDK says that a deadline has passed, at once: its moments are what counts here. */
const outOfTime = () =>
  Object.assign(new Error('out of time'), {
    code: grpcCodes.deadlineExceeded,
    details: 'deadline',
    metadata: {},
  });

/** Gives the time that each try had. */
function asking(query: (tries: number) => Promise<string>, withinMs: number) {
  const tries: number[] = [];
  const client = {
    async withDeadline<Answer>(deadline: number | Date, ask: () => Promise<Answer>): Promise<Answer> {
      tries.push(Math.round((Number(deadline) - Date.now()) / 100) / 10);
      return await ask();
    },
  };
  const asked = queried({ client } as never, () => query(tries.length), withinMs);
  return { tries, asked };
}

test('what is lost is asked again, each time for twice as long', async () => {
  const { tries, asked } = asking(
    (count) => (count < 3 ? Promise.reject(outOfTime()) : Promise.resolve('third')),
    30_000,
  );
  expect(await asked).toBe('third');
  expect(tries).toEqual([2, 4, 8]);
});

test('no try lasts longer than whoever asks waits', async () => {
  const late = async () => {
    await new Promise((passed) => setTimeout(passed, 300));
    throw outOfTime();
  };
  const { tries, asked } = asking(late, 400);
  await expect(asked).rejects.toThrow('out of time');
  expect(tries).toEqual([0.4, 0.1]);
});

test('a refusal is not asked for again', async () => {
  const { tries, asked } = asking(() => Promise.reject(new Error('there is none')), 30_000);
  await expect(asked).rejects.toThrow('there is none');
  expect(tries).toHaveLength(1);
});
