// biome-ignore-all lint/suspicious/noThenProperty: a key of stories.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// A story says what an operation answers. It may leave fields out, and says none that the operation does not have.
import { expect, test } from 'vitest';
import { invokeSchemas } from '../../../contract/flow-schemas/flow-schemas.ts';
import type { Json } from '../../../flows/language/flow-file.ts';
import { play } from '../../../flows/simulation/play-story.ts';
import { fileOf } from '../language/names.ts';

const file = (src: string) =>
  fileOf(`
name: Asking
meaning: Asks the service.
context: { answer: null }
initial: asking
states:
  asking:
    invoke: { id: asked, src: ${src}, input: { request: {} }, onDone: { target: over, actions: { type: assign, params: { answer: "\${event.output}" } } }, onError: over }
  over: { type: final }
`);

const problemsOf = (src: string, output: Json | undefined) =>
  play(
    file(src),
    {
      story: 'The service answers.',
      steps: [{ when: { done: 'asked', ...(output !== undefined && { output }) }, then: { state: 'over' } }],
    },
    { schemasOf: invokeSchemas },
  ).problems;

test.each<[string, Json | undefined]>([
  ['CreateLocalShipment', { shipmentUid: 'shipment-1' }],
  ['GetShipments', { items: [] }],
  ['FindAccount', { userUid: 'user-anna' }],
  ['RemoveAccount', {}],
  ['CancelShipment', undefined],
])('%s may answer %j', (src, output) => expect(problemsOf(src, output)).toEqual([]));

test.each<[string, Json, string]>([
  [
    'CreateLocalShipment',
    { shipmentUids: ['1'] },
    'CreateLocalShipment does not answer shipmentUids, but shipmentUid',
  ],
  ['GetShipments', { items: 'none' }, 'output.items must be array'],
  ['FindAccount', [], 'output is [], and FindAccount answers a map'],
  ['RemoveAccount', { userUid: 'user-anna' }, 'RemoveAccount does not answer userUid, but no field'],
])('%s never answers %j', (src, output, words) =>
  expect(problemsOf(src, output)).toEqual([expect.stringContaining(`asked cannot give this: ${words}`)]),
);
