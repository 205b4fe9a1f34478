// Replays the histories of histories/ on the workflows of this project. It needs no Temporal.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { bundleWorkflows, dataConverter, payloadKeys } from 'lockerflow/worker';
import { beforeAll, expect, test } from 'vitest';

const folder = join(import.meta.dirname, 'histories');
const names = readdirSync(folder).filter((name) => name.endsWith('.json'));

// The error of a replay says what differs; Temporal's log would have the whole bundle beside it.
Runtime.install({ logger: new DefaultLogger('ERROR', () => undefined) });

let code: string;
beforeAll(async () => {
  const workflowsPath = join(import.meta.dirname, 'workflows.ts');
  code = await bundleWorkflows({ workflowsPath, mode: 'development' });
}, 120_000);

test('there are histories', () => expect(names).not.toEqual([]));

test.each(names)('%s is replayed with the same decisions', async (name) => {
  const history = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const { workflowId } = history.events[0].workflowExecutionStartedEventAttributes;
  const options = { workflowBundle: { code }, dataConverter: dataConverter(payloadKeys(process.env)) };
  await Worker.runReplayHistory(options, history, workflowId);
});
