// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// Parts: what several files use, put in its place where a file is read, with findings that name the part.
import { expect, test } from 'vitest';
import type { FlowFile } from '../../../../flows/language/flow-file.ts';
import { lintFindings } from '../../../../flows/language/lint/lint.ts';
import { formatLintFinding } from '../../../../flows/language/lint/lint-finding.ts';
import { formatFinding } from '../../../../flows/language/reading/finding.ts';
import { readFlowFile } from '../../../../flows/language/reading/read-flow-file.ts';
import { namesForTests } from '../names.ts';

const approval = `meaning: Somebody approves.
with: { who: {}, waits: { default: P2D }, big: { default: false }, id: { default: ok } }
state:
  initial: asked
  on: { withdrawn: .over, paused: .asked }
  states:
    asked:
      invoke: { id: "\${with.id}", src: ask, input: { of: "\${with.who}", question: "May \${with.who} say 'with.who'?", within: "\${with.waits}" }, onDone: over, onError: over }
      on: { "\${with.id}.claimed": { guard: "\${with.big && 'with.big' != with.who}", target: over } }
    over: { type: final }
`;

const file = (state: string, name = 'Order') =>
  `name: ${name}\nmeaning: It is.\ninput: { type: object, required: [boss], properties: { boss: { type: string } } }\ninitial: a\nstates:\n  a:\n    ${state}\n  b: { type: final }\n`;

const read = (text: string, parts: Record<string, string> = { 'flows/parts/approval.part.yaml': approval }) =>
  readFlowFile(text, namesForTests, {
    path: 'flows/order.flow.yaml',
    textOf: (path) => (Object.hasOwn(parts, path) ? parts[path] : undefined),
  });

const words = (text: string, parts?: Record<string, string>) => read(text, parts).findings.map(formatFinding);

test('a part is the state that names it, with what it gets, and what the file says beside it', () => {
  const { file: whole, findings } = read(
    file(
      'part: parts/approval.part.yaml\n    with: { who: "${input.boss}", big: true }\n    on: { paused: b }\n    onDone: b',
    ),
  );
  expect(findings).toEqual([]);
  expect(whole?.states?.a).toEqual({
    meta: { part: 'parts/approval.part.yaml' },
    initial: 'asked',
    on: { withdrawn: '.over', paused: 'b' },
    onDone: 'b',
    states: {
      asked: {
        invoke: {
          id: 'ok',
          src: 'ask',
          onDone: 'over',
          onError: 'over',
          input: { of: '${input.boss}', question: "May ${input.boss} say 'with.who'?", within: 'P2D' },
        },
        on: { 'ok.claimed': { guard: "${true && 'with.big' != (input.boss)}", target: 'over' } },
      },
      over: { type: 'final' },
    },
  });
  // What is published reads as what it is, without the part.
  expect(readFlowFile(JSON.stringify(whole), namesForTests).file).toEqual(whole);
});

test('findings in a part name the part, and its own line', () => {
  const wrong = approval.replace('onError: over', 'onError: ovr');
  expect(
    words(file('part: parts/approval.part.yaml\n    with: { who: desk }\n    onDone: b'), {
      'flows/parts/approval.part.yaml': wrong,
    }),
  ).toEqual([
    expect.stringMatching(
      /^TargetUnknown: line 8:\d+ of flows\/parts\/approval\.part\.yaml, states\.a\.states\.asked\.invoke\.onError: ovr .*over, perhaps/,
    ),
  ]);
  const { file: whole, ...rest } = read(
    file('part: parts/approval.part.yaml\n    with: { who: desk }\n    onDone: b'),
    {
      'flows/parts/approval.part.yaml': approval.replace('over: {', 'never: { always: over }\n    over: {'),
    },
  );
  const placeOf = 'placeOf' in rest ? rest.placeOf : () => undefined;
  expect(lintFindings(whole as FlowFile, { placeOf }).map(formatLintFinding)).toContainEqual(
    expect.stringContaining(
      'StateUnreachable: line 10:5 of flows/parts/approval.part.yaml, states.a.states.never',
    ),
  );
});

test('what is beside the part has the line of the file', () => {
  expect(words(file('part: parts/approval.part.yaml\n    with: { who: desk }\n    onDone: c'))).toEqual([
    expect.stringMatching(/^TargetUnknown: line 9:5, states\.a\.onDone: c /),
  ]);
});

test.each([
  [
    'part: parts/aproval.part.yaml',
    /^PartUnknown: line 7:5, states\.a\.part: .*expected a part at flows\/parts\/aproval/,
  ],
  ['part: parts/approval.flow.yaml', /^PartUnknown: .*expected a path that ends with \.part\.yaml/],
  ['part: parts/approval.part.yaml', /^FieldMissing: line 7:5, states\.a\.with\.who: who is missing/],
  [
    'part: parts/approval.part.yaml\n    with: { who: desk, wait: P3D }',
    /^FieldUnknown: line 8:\d+, states\.a\.with\.wait: wait/,
  ],
])('%s is refused', (state, expected) => {
  expect(words(file(state))).toEqual([expect.stringMatching(expected)]);
});

test('parts are in parts, and in no circle', () => {
  const around = (part: string) =>
    `meaning: Around.\nwith: { who: {} }\nstate: { initial: x, states: { x: { part: ${part}, with: { who: "\${with.who} too" }, onDone: y }, y: { type: final } } }`;
  const parts = {
    'flows/around.part.yaml': around('parts/approval.part.yaml'),
    'flows/parts/approval.part.yaml': approval,
    'flows/self.part.yaml': around('self.part.yaml'),
  };
  const { file: whole, findings } = read(
    file('part: around.part.yaml\n    with: { who: desk }\n    onDone: b'),
    parts,
  );
  expect(findings).toEqual([]);
  expect(JSON.stringify(whole)).toContain('"of":"desk too"');
  expect(words(file('part: self.part.yaml\n    with: { who: desk }'), parts)).toEqual([
    expect.stringMatching(
      /^PartUnknown: .* of flows\/self\.part\.yaml.*flows\/self\.part\.yaml → flows\/self\.part\.yaml/,
    ),
  ]);
});

test('values that grow without end are refused', () => {
  const grows = (part: string) =>
    `meaning: Grows.\nwith: { x: {} }\nstate: { initial: s, states: { s: { part: ${part}, with: { x: [${Array(200).fill('"${with.x}"').join()}] } } } }`;
  const parts = Object.fromEntries(
    Array.from({ length: 6 }, (_, index) => [`flows/g${index}.part.yaml`, grows(`g${index + 1}.part.yaml`)]),
  );
  const found = words(file(`part: g0.part.yaml\n    with: { x: ${'y'.repeat(1_000)} }`), parts);
  expect(found.join()).toContain('FileTooLarge');
});

test.each([
  ['__proto__', 'KeyNotAllowed', '__proto__ is not allowed as a key'],
  ['constructor', 'KeyNotAllowed', 'constructor is not allowed as a key'],
  ['prototype', 'KeyNotAllowed', 'prototype is not allowed as a key'],
  ['<<', 'MergeKeyNotAllowed', '<< merges another map'],
  ['taken', 'DuplicateKey', 'taken is written twice in one map'],
])('a key that a file fills in is checked like one that is written: %s', (key, code, problem) => {
  const part = `with: { k: {} }\nstate:\n  initial: c\n  states:\n    c: { meta: [{ taken: 1, "\${with.k}": { a: 1 } }] }\n`;
  const given = { 'flows/parts/approval.part.yaml': part };
  const found = words(file(`part: parts/approval.part.yaml\n    with: { k: "${key}" }`), given);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(
    new RegExp(
      `^${code}: line 5:29 of flows/parts/approval\\.part\\.yaml, states\\.a\\.states\\.c\\.meta\\.0\\.`,
    ),
  );
  expect(found[0]).toContain(problem);
});
