// Publishing while no worker answers: Temporal has what was asked, so whoever asked learns what may still happen.
import { expect, test } from 'vitest';
import { grpcCodes } from '../../../client/grpc-failure.ts';
import { publish } from '../../../processes/commands/publish.ts';

test('without a worker it says that the files may still be published, and that asking again is safe', async () => {
  const outOfTime = Object.assign(new Error('4 DEADLINE_EXCEEDED: Deadline exceeded'), {
    code: grpcCodes.deadlineExceeded,
    details: 'Deadline exceeded',
    metadata: {},
  });
  const commandContext = {
    client: { withDeadline: (_: number, ask: () => Promise<unknown>) => ask() },
    flows: { publish: () => Promise.reject(outOfTime) },
  } as unknown as Parameters<typeof publish.do>[0];
  const done = publish.do(commandContext, null, { files: [{ path: 'a.flow.yaml', text: 'name: A' }] });
  await expect(done).resolves.toMatchObject({
    done: false,
    error: {
      kind: 'unreachable',
      code: 'NoWorker',
      message: expect.stringContaining('the same content is the same version'),
    },
  });
});
