// A flow is followed through times in which no worker is there to answer, as while one is replaced.
import { randomUUID } from 'node:crypto';
import { Client, isGrpcServiceError, type WorkflowClientInterceptor } from '@temporalio/client';
import { expect, onTestFinished, test } from 'vitest';
import { LockerFlows } from '../../client/locker-flows.ts';
import { examples } from '../../contract/examples.ts';
import { searchAttributes } from '../../contract/search-attributes.ts';
import { startTemporalServer } from '../../local/temporal-server.ts';
import { newTaskQueue, startWorker, temporalClient } from '../support/temporal.ts';
import { Outside } from '../workflows/outside.ts';

/** gRPC: failed precondition, or deadline exceeded where a loaded server does not come to say so in time. */
const NOBODY_IS_THERE = [9, 4];

/** The same client, whose questions wait no longer for an answer. */
function askingFor(milliseconds: number, { connection }: Client): Client {
  const query: WorkflowClientInterceptor['query'] = (input, next) =>
    connection.withDeadline(Date.now() + milliseconds, () => next(input));
  return new Client({ connection, interceptors: { workflow: [{ query }] } });
}

test('a flow that no worker answers for is followed once one does', async () => {
  // That nobody is there is answered a second before the asker's own time is up (by default 30 s), if then nobody has been
  // there for so long (20 s). All of this would wait for that.
  const dynamicConfiguration = { 'matching.queryPollerUnavailableWindow': '"500ms"' };
  const { address, stop } = await startTemporalServer({ searchAttributes, dynamicConfiguration });
  onTestFinished(stop);
  const taskQueue = newTaskQueue();
  const flows = new LockerFlows(askingFor(3_000, await temporalClient(address)), { taskQueue });
  const { request } = examples.CreateLocalShipmentAsIssue;
  const work = () => startWorker({ address, taskQueue, activities: new Outside().activities });
  const before = await work();
  const handle = await flows.start('Issue', `issue-${randomUUID()}`, { request });
  await handle.follow({ everyMs: 50 }).next();
  await before.stop();
  const followed = handle.follow({ everyMs: 50 }).next();
  const refused = handle.progress().catch(({ cause }: Error) => isGrpcServiceError(cause) && cause.code);
  expect(NOBODY_IS_THERE).toContain(await Promise.race([followed, refused]));
  await work();
  expect((await followed).value).toMatchObject({ flow: 'Issue' });
});
