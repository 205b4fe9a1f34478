// Whom and what a row is about, where the shipment itself does not say it rightly.
import { expect, test } from 'vitest';
import { FLOW_DEFINITION, nameOfDefinition } from '../../../flows/language/registry.ts';
import { shippedFlow } from '../../../processes/views/flow-registry.ts';
import { RowSubjects } from '../../../processes/views/row-subjects.ts';
import { WholeOperations } from '../../../processes/views/whole-operations.ts';

const record = {
  shipmentUid: 's-1',
  description: 'Laptop 7',
  referenceNo: 'laptop-7',
  toUserUid: 'user-anna',
};
const service = {
  call: async (operation: string) =>
    operation === 'GetShipments'
      ? { items: [record] }
      : { userUid: 'user-anna', firstName: 'Anna', lastName: 'Jansen' },
} as never;

/** Every flow that is not built in is a copy of Stock. */
function copiesOfStock() {
  const read: string[] = [];
  const getHandle = (id: string) => ({
    describe: async () => {
      read.push(nameOfDefinition(id));
      const file = { ...shippedFlow('Stock').file, name: nameOfDefinition(id) };
      return { type: FLOW_DEFINITION, memo: { current: { file, version: 1 } } };
    },
  });
  return { operations: new WholeOperations({ client: { workflow: { getHandle } } as never }), read };
}
const operations = { of: async () => undefined };

test('what was put into stock was for nobody, whoever has got it since', async () => {
  const subjects = new RowSubjects({ service, ...copiesOfStock() });
  const of = (flow: string) => ({ runId: flow, flow, subjects: [], shipmentUids: ['s-1'] });
  const abouts = await subjects.of([of('Stock'), of('IssueFromStock')], 5_000);
  expect(abouts.get('Stock')).toMatchObject({ item: 'Laptop 7 (laptop-7)', people: [] });
  expect(abouts.get('IssueFromStock')?.people).toMatchObject([{ userUid: 'user-anna', name: 'Anna Jansen' }]);
});

test('a copy of a built-in flow is listed as that flow, and its file is read once for all rows', async () => {
  const { operations, read } = copiesOfStock();
  const subjects = new RowSubjects({ service, operations });
  const row = { flow: 'KeepAtDesk', subjects: ['item:R-1'], shipmentUids: ['s-1'] };
  const rows = ['run-1', 'run-2'].map((runId) => ({ ...row, workflowId: runId, runId }));
  const abouts = await subjects.of(rows, 5_000);
  for (const { runId } of rows)
    expect(abouts.get(runId)).toMatchObject({ item: 'Laptop 7 (laptop-7)', people: [] });
  expect(read).toEqual(['KeepAtDesk']);
});

test('what has failed before it booked anything is named by what it was started with', async () => {
  const wanted = { of: async () => new Map([['run-1', { pupUid: null, item: 'Notebook (3SLOCK1)' }]]) };
  const subjects = new RowSubjects({ service, operations, wanted });
  const row = { workflowId: 'DL-301', runId: 'run-1', subjects: ['item:3SLOCK1'], shipmentUids: [] };
  const itemOf = async (status: 'Failed' | 'Running') =>
    (await subjects.of([{ ...row, id: 'DL-301', status }], 5_000)).get('DL-301')?.item;
  expect(await itemOf('Failed')).toBe('Notebook (3SLOCK1)');
  expect(await itemOf('Running')).toBe('3SLOCK1');
});

test('what a flow file marks as its item names it, whatever its shipments are called', async () => {
  const called = (record: object) =>
    new RowSubjects({ service: { call: async () => ({ items: [record] }) } as never, operations });
  const row = { ...{ workflowId: 'loan-11', runId: 'run-1', flow: 'Loan' }, shipmentUids: ['s-1'] };
  const itemOf = async (record: object, ...items: string[]) => {
    const subjects = items.map((each) => `item:${each}`);
    return (await called({ shipmentUid: 's-1', ...record }).of([{ ...row, subjects }], 5_000)).get('run-1')
      ?.item;
  };
  const ofLeg = { referenceNo: 'loan-11/loan/intake' };
  expect(await itemOf(ofLeg, 'laptop-1', 'loan-11/loan/intake')).toBe('laptop-1');
  expect(await itemOf({ referenceNo: 'loan-7/loan/circularStock' }, 'laptop-1')).toBe('laptop-1');
  expect(await itemOf({ description: 'Dell', referenceNo: 'S-5' }, 'laptop-1')).toBe('laptop-1');
  // The same item, said at more length.
  expect(await itemOf({ description: 'Dell', referenceNo: 'laptop-1' }, 'laptop-1')).toBe('Dell (laptop-1)');
  // The uid of its shipment, or nothing, is marked.
  expect(await itemOf({ description: 'Dell', referenceNo: 'S-5' }, 's-1')).toBe('Dell (S-5)');
  expect(await itemOf(ofLeg, 'loan-11/loan/intake')).toBe('loan-11/loan/intake');
  // A number that its flow has made, whichever shipment has it.
  const made = { ...ofLeg, referenceCaseNo: 'loan-11' };
  expect(await itemOf(made, 's-1')).toBe('s-1');
  expect(await itemOf({ ...made, description: 'Dell' }, 's-1')).toBe('Dell');
});

test('a row names whom the process is about now; of one that has ended, whom it was about', async () => {
  const rows = new RowSubjects({ service, operations });
  const former = ['formerPerson:user-bram', 'person:user-bram'];
  const peopleOf = async (status: 'Running' | 'Completed', ...subjects: string[]) => {
    const row = { runId: 'run-1', flow: 'Hold', status, subjects, shipmentUids: ['s-1'] };
    const { people } = (await rows.of([row], 5_000)).get('run-1') ?? {};
    return people?.map(({ userUid }) => userUid);
  };
  expect(await peopleOf('Running', 'person:user-anna', ...former)).toEqual(['user-anna']);
  // The shipment of before still has its receiver.
  expect(await peopleOf('Running', ...former)).toEqual([]);
  expect(await peopleOf('Completed', ...former)).toEqual(['user-bram']);
});

test('what the desk collects is listed for nobody, although the service has the desk as its receiver', async () => {
  const collection = { ...record, shipmentType: 'CollectOnlyShipment', toUserUid: 'user-desk' };
  const call = async (operation: string) =>
    operation === 'GetShipments' ? { items: [collection] } : { userUid: 'user-desk', firstName: 'Demo' };
  const rows = new RowSubjects({ service: { call } as never, operations });
  const row = { runId: 'run-1', subjects: [], shipmentUids: ['s-1'] };
  const peopleOf = async (flow?: string) =>
    (await rows.of([{ ...row, ...(flow && { flow }) }], 5_000)).get('run-1')?.people.length;
  expect(await peopleOf('CollectByDispatcher')).toBe(0);
  // No process says whom it is for.
  expect(await peopleOf()).toBe(1);
});
