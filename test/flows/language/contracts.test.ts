// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// What files promise each other: the result that a file describes, checked by `lint`, by the process at its end, and in the files
// that invoke it.
import { describe, expect, test } from 'vitest';
import { schemasOfFile } from '../../../client/flow-schemas.ts';
import { invokeSchemas } from '../../../contract/flow-schemas/flow-schemas.ts';
import { flowTypes } from '../../../contract/flows/flow-types.ts';
import type { FlowFile, JsonObject } from '../../../flows/language/flow-file.ts';
import { lintFindings } from '../../../flows/language/lint/lint.ts';
import { readFlowFile } from '../../../flows/language/reading/read-flow-file.ts';
import { parsedText } from '../../../flows/language/reading/yaml.ts';
import { resultProblem } from '../../../flows/language/schema.ts';
import { Player } from '../../../flows/language/simulation/player.ts';
import { play, type Step } from '../../../flows/language/simulation/story.ts';
import { fileOf, namesForTests } from './names.ts';

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

const invocables = { builtIn: flowTypes, schemasOf: invokeSchemas, published: [] };
describe('the result of a file', () => {
  test('halts a process that would end with another one, until a person decides', () => {
    const steps = `
- when: { event: seen, data: { verdict: brokn, cost: 3 } }
  then: { failure: ResultWrong, state: looking }
- when: { event: seen, data: { verdict: broken, cost: 3 } }
  then: { status: done, output: { verdict: broken, cost: 3 } }
`;
    const { problems } = play(fileOf(inspection()), {
      story: 'It is so.',
      given: {},
      steps: parsedText(steps).data as unknown as Step[],
    });
    expect(problems).toEqual([]);
  });

  test('does not hold a process that somebody has cancelled', () => {
    const text = inspection({ result: '{ type: object, required: [signed] }' });
    const file = fileOf(text.replace('on:', 'on:\n      cancelRequested: over'));
    const { problems } = play(file, {
      story: 'It is so.',
      given: {},
      steps: parsedText('- { when: { cancel: true }, then: { status: cancelled } }')
        .data as unknown as Step[],
    });
    expect(problems).toEqual([]);
  });

  test('needs an output, and has only what the last step can check', () => {
    const { findings } = readFlowFile(inspection({ output: '' }).replace('output:', ''), namesForTests);
    expect(findings).toMatchObject([{ code: 'FieldMissing', what: 'output' }]);
    const pattern = '{ properties: { verdict: { type: string, pattern: "^a", maxLength: 9 } } }';
    expect(readFlowFile(inspection({ result: pattern }), namesForTests).findings).toMatchObject([
      { code: 'SchemaInvalid', path: 'result.properties.verdict.pattern', what: 'pattern', line: 4 },
    ]);
  });

  test('is in what programs read of the flow', () => {
    const file = fileOf(inspection());
    expect(schemasOfFile(file).result).toEqual(file.result);
  });
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

describe('a version of a flow that a file names', () => {
  const parent = (src: string) =>
    fileOf(`
name: Return
meaning: A device comes back.
initial: inspecting
states:
  inspecting:
    invoke:
      id: look
      src: ${src}
      onDone: [{ guard: "\${event.output.verdict == 'broken'}", target: broken }, { target: over }]
      onError: over
  broken: { type: final }
  over: { type: final }
`);
  const older = {
    ...fileOf(inspection({ output: '{ cost: 3, verdict: "${context.verdict}" }' })),
    name: 'Inspection@1',
  };
  const atTemporal = (published: readonly FlowFile[], kept?: readonly string[]) => (src: string) =>
    lintFindings(parent(src), { invocables: { ...invocables, published, ...(kept && { kept }) } }).map(
      ({ code, what, because }) => `${code} ${what}: ${because}`,
    );

  test('is there', () => {
    const found = atTemporal([older, fileOf(inspection())], ['Inspection@1', 'Inspection@4']);
    expect(found('Inspection')).toEqual([]);
    expect(found('Inspection@1')).toEqual([]);
    expect(found('Inspection@2')).toEqual([
      'VersionUnknown Inspection@2: there is Inspection@1, Inspection@4',
    ]);
  });

  test('is not looked for where Temporal is not asked, but its name is', () => {
    const found = atTemporal([fileOf(inspection())]);
    expect(found('Inspection@2')).toEqual([]);
    expect(found('Inspections@2')).toContain('ChildUnknown Inspections@2: perhaps Inspection was meant');
  });

  test('is one of a published file', () => {
    const findings = (src: string) =>
      readFlowFile(
        `name: Return\nmeaning: It is.\ninitial: a\nstates:\n  a: { invoke: { src: ${src}, onDone: b } }\n  b: { type: final }`,
        namesForTests,
      ).findings;
    expect(findings('Issue@2')).toMatchObject([
      { code: 'SrcUnknown', line: 5, expected: 'Issue alone: only published flow files have versions' },
    ]);
    expect(findings('ask@2')).toMatchObject([{ code: 'SrcUnknown' }]);
    expect(findings('Loan@0')).toMatchObject([{ code: 'SrcUnknown' }]);
    expect(findings('Return')).toMatchObject([{ code: 'SelfInvoked' }]);
    // It has an end: that version stays what it is.
    expect(findings('Return@2')).toEqual([]);
  });

  test('goes on in a process that is migrated to another one', () => {
    const [before, after] = [parent('Inspection@1'), parent('Inspection@2')];
    const player = new Player(before);
    expect(player.verdict({ file: after, version: 2 })).toMatchObject({
      verdict: 'carried',
      notes: ['look goes on as Inspection@1: the next one begins as Inspection@2'],
    });
  });
});
