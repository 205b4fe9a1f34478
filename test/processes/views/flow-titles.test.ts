// What lists call a published flow: by the title of its file, read once for all rows.
import { expect, test, vi } from 'vitest';
import { FLOW_DEFINITION } from '../../../flows/language/registry.ts';
import { formatFlowName } from '../../../processes/views/format-names.ts';
import { foundPage } from '../../../processes/views/found-flows.ts';

test('a list calls a flow by the title of its file, and reads the files once', async () => {
  const file = { name: 'LibraryHold', title: 'Hold at the library' };
  const list = vi.fn(async function* () {
    yield { type: FLOW_DEFINITION, memo: { current: { file } } };
  });
  const rows = ['LibraryHold', 'LibraryHold', 'Issue', 'RoomHold'].map((name) => ({ type: { name } }));
  const client = {
    options: { namespace: 'default' },
    workflowService: { listWorkflowExecutions: async () => ({ executions: rows }) },
    workflow: { list },
    withDeadline: async (_: unknown, ask: () => Promise<unknown>) => await ask(),
  };
  for (const _ of [1, 2]) await foundPage(client as never, '', { size: 9 });
  expect(list).toHaveBeenCalledTimes(1);
  expect(['LibraryHold', 'Issue', 'RoomHold'].map(formatFlowName)).toEqual([
    'Hold at the library',
    'Delivery',
    'Room hold',
  ]);
});
