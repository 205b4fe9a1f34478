// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of the flow file.
// A flow file of a user: somebody at the desk answers a question, then an item is issued.
import type { FlowFile } from '../../flows/language/flow-file.ts';
import type { Published } from '../../flows/language/registry.ts';

const file: FlowFile = {
  name: 'CheckedIssue',
  meaning: 'An item is looked at and then issued.',
  input: { type: 'object', required: ['shipmentUid'], properties: { shipmentUid: { type: 'string' } } },
  context: { isWhole: null },
  initial: 'checking',
  states: {
    checking: {
      invoke: {
        id: 'check',
        src: 'ask',
        input: { of: 'desk', question: 'Is the item whole?', fields: { isWhole: { type: 'yesNo' } } },
        onDone: {
          target: 'issued',
          actions: { type: 'assign', params: { isWhole: '${event.output.isWhole}' } },
        },
      },
    },
    issued: {
      invoke: {
        id: 'loan',
        src: 'book',
        input: { operation: 'CreateLocalShipmentAsIssue', request: '${input}' },
        onDone: 'over',
        onError: 'over',
      },
    },
    over: { type: 'final', output: { isWhole: '${context.isWhole}' } },
  },
  output: '${event.?output.orValue(null)}',
};

export const checkedIssue: Published = { file, version: 1, publishedAt: '2026-11-30T12:00:00.000Z' };
