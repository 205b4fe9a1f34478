import { expect, test } from 'vitest';
import { processesNow } from '../../../processes/batches/outcomes-now.ts';

const outcome = { key: 'order-1', outcome: 'done', result: { key: 'order-1', runId: 'new' } } as const;

function readersOf(listWorkflowExecutions: () => Promise<object>) {
  const client = {
    options: { namespace: 'default' },
    workflowService: { listWorkflowExecutions },
    withDeadline: (_: number, ask: () => unknown) => ask(),
  };
  const readers = {
    summaries: { current: async () => new Map() },
    failures: { of: async () => new Map() },
    nameOf: async (pupUid: string) => pupUid,
  };
  return (command: string) =>
    processesNow({ client, taskQueue: 'flows' } as never, command, [outcome], readers as never);
}

test('what the processes do since then hides no outcome where Temporal does not answer', async () => {
  const away = Object.assign(new Error('away'), { code: 14, details: 'away', metadata: {} });
  expect(await readersOf(() => Promise.reject(away))('startAgain')).toEqual(new Map());
});

test('a failed start is not taken for the new one that the search does not know yet', async () => {
  const execution = { workflowId: 'order-1', runId: 'old' };
  const read = readersOf(async () => ({ executions: [{ execution, type: { name: 'Issue' }, status: 3 }] }));
  expect((await read('startAgain')).get('order-1')).toMatchObject({ state: 'starting', words: '' });
  expect(await read('extend')).toEqual(new Map());
});
