// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the flow files hold expressions.
// What `lint` finds: a file for each code, and the same file without the fault.
import { expect, test } from 'vitest';
import { lintFindings } from '../../flow-files/lint/lint.ts';
import { type LintCode, lintCodes } from '../../flow-files/lint/lint-finding.ts';
import { readFlowFile } from '../../flow-files/reading/read-flow-file.ts';
import { namesForTests } from './names.ts';

function found(states: string, rest = ''): string[] {
  const text = `name: Linted\nmeaning: A test.\n${rest}\ninitial: a\nstates:\n${states}`;
  const { file, findings } = readFlowFile(text, namesForTests);
  expect(findings).toEqual([]);
  return file ? lintFindings(file).map(({ code, path }) => `${code} ${path}`) : [];
}

const ISSUE =
  'id: loan, src: Issue, onError: b, input: { request: {}, deadlines: { issue: { pickUp: P3D } } }';
const BOOK = 'src: CreateLocalShipmentAsIssue, input: {}, onError: b';

interface Case {
  readonly code: LintCode;
  readonly path: string;
  readonly wrong: string;
  readonly mended: string;
  readonly rest?: string;
  readonly restMended?: string;
}

const cases: readonly Case[] = [
  {
    code: 'StateUnreachable',
    path: 'states.c',
    wrong: '  a: { after: { P1D: b } }\n  b: { type: final }\n  c: { always: b }',
    mended: '  a: { after: { P1D: c } }\n  b: { type: final }\n  c: { always: b }',
  },
  {
    code: 'StateUnreachable',
    path: 'states.b',
    wrong:
      '  a: { initial: x, states: { x: { after: { P1D: y } }, y: { after: { P1D: x } } }, onDone: b }\n  b: { type: final }',
    mended:
      '  a: { initial: x, states: { x: { after: { P1D: y } }, y: { type: final } }, onDone: b }\n  b: { type: final }',
  },
  {
    code: 'StateNeverLeft',
    path: 'states.b',
    wrong: '  a: { after: { P1D: b } }\n  b: {}',
    mended: '  a: { after: { P1D: b } }\n  b: { meta: { unbounded: It stands for good. } }',
  },
  {
    code: 'WaitUnbounded',
    path: 'states.a',
    wrong: '  a: { on: { GO: b } }\n  b: { type: final }',
    mended: '  a: { on: { GO: b }, after: { P9D: b } }\n  b: { type: final }',
  },
  {
    code: 'WaitUnbounded',
    path: 'states.a',
    wrong:
      '  a: { invoke: { src: ask, input: { of: desk, question: Well? }, onDone: b } }\n  b: { type: final }',
    mended:
      '  a: { invoke: { src: ask, input: { of: desk, question: Well?, within: P2D }, onDone: b, onError: b } }\n  b: { type: final }',
  },
  {
    code: 'BookingNotUndone',
    path: 'states.a.invoke',
    wrong: `  a: { invoke: { ${BOOK}, onDone: b } }\n  b: { type: final }`,
    mended: `  a: { invoke: { ${ISSUE}, onDone: b } }\n  b: { type: final }`,
  },
  {
    code: 'BookingNotUndone',
    path: 'states.a.invoke',
    wrong: `  a: { invoke: { ${BOOK}, onDone: b } }\n  b: { after: { P1D: c } }\n  c: { invoke: { src: CancelShipment, onDone: d, onError: d } }\n  d: { type: final }`,
    mended: `  a: { invoke: { ${BOOK}, onDone: b } }\n  b: { after: { P1D: c }, on: { cancelRequested: c } }\n  c: { invoke: { src: CancelShipment, onDone: d, onError: d } }\n  d: { type: final }`,
  },
  {
    code: 'FailureUnhandled',
    path: 'states.a.invoke',
    wrong: '  a: { invoke: { src: GetLockers, input: {}, onDone: b } }\n  b: { type: final }',
    mended: '  a: { invoke: { src: GetLockers, input: {}, onDone: b, onError: b } }\n  b: { type: final }',
  },
  {
    code: 'FailureUnhandled',
    path: 'states.a.invoke',
    wrong:
      '  a: { invoke: { src: ask, input: { of: desk, question: Well?, within: P2D }, onDone: b } }\n  b: { type: final }',
    mended:
      '  a: { invoke: { src: ask, input: { of: desk, question: Well?, within: P2D }, onDone: b }, on: { "*": b } }\n  b: { type: final }',
  },
  {
    code: 'FailureUnhandled',
    path: 'states.a.invoke',
    wrong:
      '  a: { invoke: { id: q, src: ask, input: { of: desk, question: Well? }, onDone: b }, after: { P1D: { actions: { type: cancel, params: { invoke: q } } } } }\n  b: { type: final }',
    mended:
      '  a: { invoke: { id: q, src: ask, input: { of: desk, question: Well? }, onDone: b }, after: { P1D: b } }\n  b: { type: final }',
  },
  {
    code: 'QuestionUnanswered',
    path: 'states.a.invoke.input.of',
    wrong:
      '  a: { invoke: { src: ask, input: { of: "${input.desk}", question: Well?, within: P2D }, onDone: b, onError: b } }\n  b: { type: final }',
    mended:
      '  a: { invoke: { src: ask, input: { of: "${input.desk}", question: Well?, within: P2D }, onDone: b, onError: b } }\n  b: { type: final }',
    rest: 'input: { type: object, properties: { desk: { type: string } } }',
    restMended: 'input: { type: object, required: [desk], properties: { desk: { type: string } } }',
  },
  {
    code: 'EventNeverComes',
    path: 'states.a.on.loan.issue.PickedUp',
    wrong: `  a: { invoke: { ${ISSUE}, onDone: b }, on: { loan.issue.PickedUp: b } }\n  b: { type: final }`,
    mended: `  a: { invoke: { ${ISSUE}, onDone: b }, on: { loan.issue.Completed: b, loan.needsPerson: b } }\n  b: { type: final }`,
  },
  {
    code: 'EventNeverComes',
    path: 'states.c.on.loan.issue.Completed',
    wrong: `  a: { invoke: { ${ISSUE}, onDone: c } }\n  c: { on: { loan.issue.Completed: b }, after: { P1D: b } }\n  b: { type: final }`,
    mended: `  a: { invoke: { ${ISSUE}, onDone: c }, on: { loan.issue.*: c } }\n  c: { after: { P1D: b } }\n  b: { type: final }`,
  },
  {
    code: 'EventNeverComes',
    path: 'states.a.on.lone.issue.Completed',
    wrong: `  a: { invoke: { ${ISSUE}, onDone: b }, on: { lone.issue.Completed: b } }\n  b: { type: final }`,
    mended: `  a: { invoke: { ${ISSUE}, onDone: b }, on: { order.paid: b } }\n  b: { type: final }`,
  },
  {
    code: 'EventNeverComes',
    path: 'states.a.on.repair.finished',
    wrong:
      '  a: { invoke: { id: repair, src: Repair, onDone: b, onError: b }, on: { repair.finished: b }, after: { P1D: b } }\n  b: { type: final }',
    mended:
      '  a: { invoke: { id: repair, src: Repair, onDone: b, onError: b }, on: { repair.needsPerson: b }, after: { P1D: b } }\n  b: { type: final }',
  },
  {
    code: 'AssignNeverRead',
    path: 'states.a.entry.params.seen',
    wrong:
      '  a: { entry: { type: assign, params: { seen: true } }, after: { P1D: b } }\n  b: { type: final }',
    mended:
      '  a: { entry: { type: assign, params: { seen: true } }, after: { P1D: b } }\n  b: { type: final }',
    restMended: 'output: { seen: "${context.seen}" }',
  },
  {
    code: 'ContextNeverSet',
    path: 'context',
    wrong: '  a: { after: { "${context.until}": b } }\n  b: { type: final }',
    mended: '  a: { after: { "${context.until}": b } }\n  b: { type: final }',
    restMended: 'context: { until: "${later(now, \'P2D\')}" }',
  },
  {
    code: 'InputNotDeclared',
    path: 'input.properties',
    wrong: '  a: { after: { "${input.untill}": b } }\n  b: { type: final }',
    mended: '  a: { after: { "${input.until}": b } }\n  b: { type: final }',
    rest: 'input: { type: object, required: [until], properties: { until: { type: string } } }',
    restMended: 'input: { type: object, required: [until], properties: { until: { type: string } } }',
  },
];

test.each(cases)('$code at $path', ({ code, path, wrong, mended, rest, restMended }) => {
  expect(found(wrong, rest)).toEqual([`${code} ${path}`]);
  expect(found(mended, restMended)).toEqual([]);
});

test('FlowsInCircle: of files that invoke each other', () => {
  const read = (name: string, src: string) => {
    const states = `states: { a: { invoke: { src: ${src}, input: { deadlines: {} }, onDone: b, onError: b } }, b: { type: final } }`;
    const text = `name: ${name}\nmeaning: A test.\ninitial: a\n${states}`;
    const { file, findings } = readFlowFile(text, namesForTests);
    if (!file) throw new Error(JSON.stringify(findings));
    return file;
  };
  const [one, two, three] = [read('One', 'Two'), read('Two', 'Three'), read('Three', 'One')];
  expect(lintFindings(one, [one, two, three])).toEqual([
    {
      code: 'FlowsInCircle',
      path: 'states.a.invoke.src',
      what: 'Two',
      because: 'One → Two → Three → One',
    },
  ]);
  expect(lintFindings(one, [one, two])).toEqual([]);
  // A file that leads into a circle, but is not part of it, has no finding: the files in the circle have it.
  expect(lintFindings(read('Zero', 'One'), [one, two, three])).toEqual([]);
});

test('each code has a file that has it', () => {
  const shown = ['FlowsInCircle', ...cases.map(({ code }) => code)];
  expect(lintCodes.filter((each) => !shown.includes(each))).toEqual([]);
});
