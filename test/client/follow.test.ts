// A flow is followed through times in which no worker is there to answer, as while one is replaced.
import { randomUUID } from 'node:crypto';
import { Client, Connection, ServiceError, type WorkflowClientInterceptor } from '@temporalio/client';
import { expect, onTestFinished, test } from 'vitest';
import { grpcCodes, grpcFailureOf, isOutOfTime } from '../../client/grpc-failure.ts';
import { LockerFlows } from '../../client/locker-flows.ts';
import { searchAttributes } from '../../contract/flows/search-attributes.ts';
import { examples } from '../../contract/operations/examples.ts';
import { startTemporalServer } from '../../local/temporal/server.ts';
import { newTaskQueue, startWorker, temporalClient } from '../support/temporal.ts';
import { Outside } from '../workflows/outside.ts';

/** Or out of time, where a loaded server does not come to say so. */
const nobodyIsThere = (error: unknown) => {
  const failure = grpcFailureOf(error);
  return failure && (failure.code === grpcCodes.failedPrecondition || isOutOfTime(failure));
};

/** The same client, whose questions wait no longer for an answer. */
function askingFor(milliseconds: number, { connection }: Client): Client {
  const query: WorkflowClientInterceptor['query'] = (input, next) =>
    connection.withDeadline(Date.now() + milliseconds, () => next(input));
  return new Client({ connection, interceptors: { workflow: [{ query }] } });
}

test('a flow that no worker answers for is followed once one does', { tags: 'long' }, async () => {
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
  const refused = handle.progress().catch(nobodyIsThere);
  expect(await Promise.race([followed, refused])).toBe(true);
  await work();
  expect((await followed).value).toMatchObject({ flow: 'Issue' });
});

/** As the library tells of a call that was cancelled. */
function cancelled(details: string): ServiceError {
  const cause = Object.assign(new Error(`1 CANCELLED: ${details}`), { code: 1, details, metadata: {} });
  return new ServiceError('Failed to query Workflow', { cause });
}

/** A flow whose first question ends so, and whose second finds it at its end. */
function answeredSecond(first: ServiceError) {
  const connection = Connection.lazy({ address: '127.0.0.1:1' });
  onTestFinished(() => connection.close());
  let questions = 0;
  const query: WorkflowClientInterceptor['query'] = async () => {
    questions += 1;
    if (questions === 1) throw first;
    return { activity: 'Ended' };
  };
  const client = new Client({ connection, interceptors: { workflow: [{ query }] } });
  return new LockerFlows(client, { taskQueue: 'unused' }).handle('flow');
}

test('a question that the server cancelled for its time is asked again, one that was given up here is not', async () => {
  expect(await answeredSecond(cancelled('Call cancelled')).progress()).toEqual({ activity: 'Ended' });
  const followed = answeredSecond(cancelled('Call cancelled')).follow({ everyMs: 1 });
  expect(await followed.next()).toEqual({ value: { activity: 'Ended' }, done: false });
  const givenUp = () => answeredSecond(cancelled('Cancelled on client'));
  await expect(givenUp().progress()).rejects.toThrow(ServiceError);
  await expect(givenUp().follow({ everyMs: 1 }).next()).rejects.toThrow(ServiceError);
});
