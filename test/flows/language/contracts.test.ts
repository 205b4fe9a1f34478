// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// What files promise each other: the result that a file describes, checked when it is read, and by the process at its
// end.
import { describe, expect, test } from 'vitest';
import { schemasOfBuiltIn, schemasOfFile } from '../../../client/flow-schemas.ts';
import type { FlowType } from '../../../contract/flows/flow-types.ts';
import type { JsonSchema } from '../../../contract/openapi/schemas.ts';
import { declarations, issue } from '../../../flows/built-in/flows.ts';
import type { FlowFile, JsonObject, StateData } from '../../../flows/language/flow-file.ts';
import { readFlowFile } from '../../../flows/language/reading/read-flow-file.ts';
import { resultProblem } from '../../../flows/language/schema.ts';
import { fileOf as shippedFileOf } from '../../../flows/shipped/files.ts';
import { onboardAccount } from '../../../flows/shipped/onboard-account.ts';
import { withText } from '../../../processes/views/flow-events.ts';
import { differing, fileOf, namesForTests } from './names.ts';

const inspection = ({
  result = '{ type: object, required: [verdict], properties: { verdict: { enum: [whole, broken] }, cost: { type: number, minimum: 0 } } }',
  output = '{ verdict: "${context.verdict}", cost: "${context.cost}" }',
} = {}): string => `
name: Inspection
meaning: Somebody says how a device is.
result: ${result}
context: { verdict: whole, cost: 0 }
initial: looking
states:
  looking:
    on:
      seen: { target: over, actions: { type: assign, params: { verdict: "\${event.data.verdict}", cost: "\${event.data.cost}" } } }
    after: { P1D: over }
  over: { type: final }
output: ${output}
`;

describe('the result of a file', () => {
  test('halts a process that would end with another one, until a person decides', () => {
    const steps = `
- when: { event: seen, data: { verdict: brokn, cost: 3 } }
  then: { failure: ResultWrong, state: looking }
- when: { event: seen, data: { verdict: broken, cost: 3 } }
  then: { status: done, output: { verdict: broken, cost: 3 } }
`;
    expect(differing(fileOf(inspection()), steps)).toEqual([]);
  });

  test('does not hold a process that somebody has cancelled', () => {
    const text = inspection({ result: '{ type: object, required: [signed] }' });
    const file = fileOf(text.replace('on:', 'on:\n      cancelRequested: over'));
    expect(differing(file, '- { when: { cancel: true }, then: { status: cancelled } }')).toEqual([]);
  });

  test('needs an output, and has only what the last step can check', () => {
    const { findings } = readFlowFile(inspection({ output: '' }).replace('output:', ''), namesForTests);
    expect(findings).toMatchObject([{ code: 'FieldMissing', what: 'output' }]);
    const pattern = '{ properties: { verdict: { type: string, pattern: "^a", maxLength: 9 } } }';
    expect(readFlowFile(inspection({ result: pattern }), namesForTests).findings).toMatchObject([
      { code: 'SchemaInvalid', path: 'result.properties.verdict.pattern', what: 'pattern', line: 4 },
    ]);
  });

  test.each(declarations)('of a copy of $name is that of the flow, as its input is', (declared) => {
    const { input, result } = schemasOfFile({ ...shippedFileOf(declared), name: 'Copy', meaning: 'A copy.' });
    const builtIn = schemasOfBuiltIn(declared.name as FlowType);
    expect(input).toEqual({ ...builtIn.input, description: 'A copy.' });
    expect(result).toEqual(builtIn.result);
  });

  test('of a copy of OnboardAccount is that of the flow, until it gives something else', () => {
    const { input, result } = schemasOfFile({ ...onboardAccount, name: 'Copy', meaning: 'A copy.' });
    const builtIn = schemasOfBuiltIn('OnboardAccount');
    expect(input).toEqual({ ...builtIn.input, description: 'A copy.' });
    expect(result).toEqual(builtIn.result);
    const withStates = (more: FlowFile['states']) =>
      schemasOfFile({ ...onboardAccount, states: { ...onboardAccount.states, ...more } }).result;
    const done = { type: 'final', output: { userUid: '${context.account.userUid}' } } as const;
    expect(withStates({ done })).toBeNull();
    expect(withStates({ skipped: { type: 'final' } })).toBeNull();
    const broken = { type: 'final', entry: { type: 'fail', params: { code: 'Broken' } } } as const;
    expect(withStates({ broken })).toEqual(builtIn.result);
  });

  test('of a copy that ends otherwise is open, unless it says what it is', () => {
    const copy = shippedFileOf(issue);
    const { following, ...ends } = copy.states as Record<string, StateData>;
    const changed = (state: StateData, more: Partial<FlowFile> = {}): FlowFile => ({
      ...{ ...copy, states: { ...ends, following: { ...following, ...state } } },
      ...more,
    });
    expect(schemasOfFile(changed({})).result).not.toBeNull();
    expect(schemasOfFile(changed({ after: { P30D: 'done' } })).result).toBeNull();
    expect(schemasOfFile(changed({}, { output: '${context.verdict}' })).result).toBeNull();
    expect(schemasOfFile(changed({}, { output: {}, result: { type: 'object' } })).result).toEqual({
      type: 'object',
    });
    const words = { ...ends, done: { type: 'final', output: { said: 'Good day' } } } as const;
    expect(
      schemasOfFile({ ...changed({}), states: { following: following as StateData, ...words } }).result,
    ).toBeNull();
  });

  test('a copy that an event starts says that the event has its request', () => {
    const { input, events } = schemasOfFile({ ...shippedFileOf(issue), starts: { 'parcel.ready': {} } });
    const { request } = input.properties as Record<string, JsonSchema>;
    expect(events).toEqual([
      { type: 'parcel.ready', description: null, data: { ...request, $defs: input.$defs }, starts: true },
    ]);
  });

  test('a copy with an input of its own says both', () => {
    const own = { required: ['details'] };
    const { input } = schemasOfFile({ ...shippedFileOf(issue), input: own });
    const { request } = input.properties as Record<string, JsonSchema>;
    const builtIn = (schemasOfBuiltIn('Issue').input.properties as Record<string, JsonSchema>).request;
    expect(request).toEqual({ ...builtIn, allOf: [...(builtIn?.allOf ?? []), own] });
  });

  test('is in what programs read of the flow', () => {
    const file = fileOf(inspection());
    expect(schemasOfFile(file).result).toEqual(file.result);
  });
});

test('programs and people read which events a file takes, what each says, and which start it', () => {
  const { events } = schemasOfFile(
    fileOf(`
name: Repair
meaning: A device is repaired.
input: { type: object, required: [device], properties: { device: { type: string } } }
events:
  repair.done:
    description: The workshop is ready.
    data: { type: object, required: [cost], properties: { cost: { type: number }, by: { type: [string, "null"] }, how: { enum: [new, used] }, more: {} } }
  noted: { data: { type: string } }
starts:
  repair.wanted: { description: Somebody has broken it. }
  ticket.made: { request: { device: "\${event.data}" } }
initial: waiting
states:
  waiting:
    invoke: { id: look, src: ask, input: { of: desk, question: Well?, within: P1D }, onDone: over, onError: over }
    on: { repair.done: over, noted: over, "order.*": over, look.claimed: {}, cancelRequested: over }
  over: { type: final }
`),
  );
  const shape = { type: 'object', required: ['device'], properties: { device: { type: 'string' } } };
  expect(events).toEqual([
    // What it says is the request.
    { type: 'repair.wanted', description: 'Somebody has broken it.', data: shape, starts: true },
    { type: 'ticket.made', description: null, data: null, starts: true },
    {
      type: 'repair.done',
      description: 'The workshop is ready.',
      data: expect.objectContaining({ required: ['cost'] }),
      starts: false,
    },
    { type: 'noted', description: null, data: { type: 'string' }, starts: false },
    { type: 'order.*', description: null, data: null, starts: false },
  ]);
  expect(events.map((each) => withText(each).text)).toEqual([
    'Started by repair.wanted. Somebody has broken it: device (string)',
    'Started by ticket.made',
    'Takes repair.done. The workshop is ready: cost (number), by (string|null, optional), how (new|used, optional), more (optional)',
    'Takes noted: string',
    'Takes order.*',
  ]);
  expect(schemasOfBuiltIn('Issue').events).toEqual([]);
});

test.each([
  [{ type: 'integer' }, 1.5, 'output must be integer, not 1.5'],
  [{ type: ['string', 'null'] }, null, undefined],
  [{ const: { a: 1 } }, { a: 1 }, undefined],
  [{ const: 1 }, 2, 'output must be 1, not 2'],
  [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, true, 'output must be string, not true'],
  [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 3, undefined],
  [
    { items: { type: 'string', maxLength: 2 } },
    ['ab', 'abc'],
    'output.1 must have a length of at most 2, not 3',
  ],
  [{ items: {}, minItems: 1 }, [], 'output must have a length of at least 1, not 0'],
  [{ maxLength: 1 }, '😀', undefined],
  [{ properties: { a: {} }, additionalProperties: false }, { b: 1 }, 'output.b is not known'],
  [{ additionalProperties: { type: 'number' } }, { b: 'c' }, 'output.b must be number, not "c"'],
  [{ properties: { a: false } }, { a: 1 }, 'output.a is not allowed'],
] as const)('%j of %j is found to be: %s', (schema, value, problem) => {
  expect(resultProblem(value as never, schema as unknown as JsonObject)).toBe(problem);
});
