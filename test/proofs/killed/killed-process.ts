// A flow file that is published to a worker of the project's workflows, which is killed as often as a test likes.
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { publishFiles } from '../../../client/flow-files/publish.ts';
import { killedWorker } from '../../engine/killed-worker.ts';
import type { Killable } from '../../support/processes/killable.ts';
import { newTaskQueue, temporalClient } from '../../support/temporal.ts';
import { uniqueName } from '../../workflows/flow-files/running-files.ts';

export interface KilledProcess extends Killable {
  readonly client: Client;
  readonly taskQueue: string;
  /** Of the flow. */
  readonly name: string;
}

const workflows = join(import.meta.dirname, '../../../workflows/index.ts');
const program = join(import.meta.dirname, 'migrating-worker.ts');

/** @param variables of the worker; each start takes them as they are then */
export async function killedProcess(
  flow: string,
  file: (name: string) => string,
  variables: Readonly<Record<string, string>> = {},
): Promise<KilledProcess> {
  const client = await temporalClient();
  const taskQueue = newTaskQueue();
  await using started = new AsyncDisposableStack();
  const { kill } = started.use(await killedWorker(workflows, taskQueue, { program, variables }));
  const name = uniqueName(flow);
  await publishFiles(client, [{ path: 'killed.flow.yaml', text: file(name) }], taskQueue);
  const stack = started.move();
  return { client, taskQueue, name, kill, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
