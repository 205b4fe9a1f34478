// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the flow files hold expressions.
// Each code of a finding has a file with that finding, and the finding names the path and the line.
import { describe, expect, test } from 'vitest';
import type { FlowFile } from '../../../flows/language/flow-file.ts';
import { idleMachineOf } from '../../../flows/language/machine/machine.ts';
import { readFlowFile } from '../../../flows/language/reading/read-flow-file.ts';
import { findingCodes, formatFinding } from '../../../flows/language/reading/report.ts';
import { namesForTests } from './names.ts';

/** A valid file, to which these states and fields are added. */
const withStates = (states: string, rest = '') => `name: Loan
meaning: A test.
${rest}initial: a
states:
  a: { on: { GO: b } }
${states}
  b: { type: final }`;

/** To be closed. */
const BOOK = 'src: book, input: { operation: CreateLocalShipmentAsIssue';

const state = (inner: string) => withStates(`  c: ${inner}`);

const keys = (count: number) => Array.from({ length: count }, (_, index) => `k${index}: a`).join(', ');

/** The columns of each line. */
const rows = (table: string): [string, string, string][] =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split(/(?<= )\|(?= |$)/).map((cell) => cell.trim()) as [string, string, string]);

/** Where it is found, and the state `c` with that finding. */
const inStates = rows(`
FieldMissing | states.c.invoke.input | { invoke: { src: ask, input: { of: desk } } }
FieldMissing | states.c.invoke.input | { invoke: { src: call, input: { connector: shop } } }
FieldMissing | states.c | { states: { d: {} } }
FieldMissing | states.c.entry.params | { entry: { type: cancel } }
FieldUnknown | states.c.onn | { onn: {} }
FieldsConflict | states.c.invoke.input.fields.there | { invoke: { src: ask, input: { of: desk, question: Well?, fields: { there: { type: yesNo, choice: [a] } } } } }
FieldsConflict | states.c.invoke.retry | { invoke: { src: ask, input: { of: d, question: q }, retry: { tries: 3 } } }
FieldsConflict | states.c.invoke.retry | { invoke: { src: Issue, retry: { tries: 3 } } }
FieldsConflict | states.c.invoke.retry | { invoke: { src: each, input: { of: [], do: { src: Issue } }, retry: { tries: 3 } } }
ValueWrong | states.c.invoke.retry.on.1 | { invoke: { src: GetLockers, retry: { on: [NoLockerAvailable, OutcomeUnknown] } } }
FieldsConflict | states.c.invoke.retry | { invoke: { ${BOOK} }, retry: { tries: 3 } } }
FieldsConflict | states.c.invoke.within | { invoke: { ${BOOK} }, within: P1D } }
TypeWrong | states.c.invoke.input | { invoke: { src: book } }
FieldMissing | states.c.invoke.input | { invoke: { src: book, input: { request: {} } } }
ValueWrong | states.c.invoke.input.operation | { invoke: { src: book, input: { operation: CreateLocalShipmentAsIsue } } }
ValueWrong | states.c.invoke.input.operation | { invoke: { src: book, input: { operation: "\${input.operation}" } } }
ValueWrong | states.c.invoke.input.operation | { invoke: { src: book, input: { operation: CancelShipment } } }
FieldUnknown | states.c.invoke.input.legs.intake | { invoke: { ${BOOK}, legs: { intake: { done: [Completed] } } } } }
FieldUnknown | states.c.invoke.input.legs.issue.begins | { invoke: { ${BOOK}, legs: { issue: { begins: Registered } } } } }
ValueWrong | states.c.invoke.input.legs.issue.done.1 | { invoke: { ${BOOK}, legs: { issue: { done: [Completed, PickedUp] } } } } }
TypeWrong | states.c.invoke.input.legs.issue.done | { invoke: { ${BOOK}, legs: { issue: { done: [] } } } } }
ValueWrong | states.c.invoke.input.legs.issue.undo | { invoke: { ${BOOK}, legs: { issue: { undo: forget } } } } }
ValueWrong | states.c.invoke.input.waitForLocker | { invoke: { ${BOOK}, waitForLocker: a while } } }
FieldUnknown | states.c.invoke.input.tell | { invoke: { ${BOOK}, tell: { events: [ended] } } } }
FieldsConflict | states.c.invoke.input.request | { invoke: { ${BOOK}, isWhole: true, request: {} } } }
FieldsConflict | states.c.invoke.input.deadlines | { invoke: { ${BOOK}, isWhole: true, deadlines: {} } } }
FieldsConflict | states.c.invoke.0.input.isWhole | { invoke: [{ id: x, ${BOOK}, isWhole: true } }, { id: y, ${BOOK} } }] }
ValueWrong | states.c.invoke.undo.src | { invoke: { src: GetLockers, undo: { ${BOOK} } } } }
ValueWrong | states.c.invoke.input.isWhole | { invoke: { src: FindAccount, input: { isWhole: false } } }
ValueWrong | states.c.invoke.input.isWhole | { invoke: { src: FindAccount, input: { isWhole: "\${true}" } } }
FieldsConflict | states.c.invoke.input.request | { invoke: { src: FindAccount, input: { isWhole: true, request: {} } } }
FieldsConflict | states.c.invoke.input.do.input.isWhole | { invoke: { src: each, input: { of: "\${[1]}", do: { src: FindAccount, input: { isWhole: true } } } } }
FieldsConflict | states.c.invoke.undo.input.isWhole | { invoke: { src: GetLockers, undo: { src: FindAccount, input: { isWhole: true } } } }
FieldsConflict | states.c.invoke.1.input.isWhole | { invoke: [{ id: x, ${BOOK}, isWhole: true } }, { id: y, src: FindAccount, input: { isWhole: true } }] }
DelayInvalid | states.c.invoke.within | { invoke: { src: GetLockers, within: 5 min } }
FieldsConflict | states.c.entry.params | { entry: { type: cancel, params: { invoke: x, raise: y } } }
ExpressionNotMarked | states.c.always.guard | { always: { guard: "event.data.ok == 1", target: b } }
TypeWrong | states.c.on | { on: [] }
ValueWrong | states.c.invoke.input.atOnce | { invoke: { src: each, input: { of: [a], do: { src: GetLockers }, atOnce: 300 } } }
ValueWrong | states.c.invoke.input.atOnce | { invoke: { src: each, input: { of: [a], do: { src: GetLockers }, atOnce: 0 } } }
ValueWrong | states.c.entry.params.code | { type: final, entry: { type: fail, params: { code: "Not Good!" } } }
ValueWrong | states.c.entry.params.code | { type: final, entry: { type: fail, params: { code: 404 } } }
ValueWrong | states.c.type | { type: finall }
ValueWrong | states.c.invoke.input.path | { invoke: { src: call, input: { connector: c, path: "//evil.example" } } }
NameInvalid | states.c.states.d e | { initial: d e, states: { "d e": {} } }
NameTaken | states.c.invoke.input.fields.by | { invoke: { src: ask, input: { of: desk, question: Who?, fields: { by: { type: text } } } } }
ValueWrong | states.c.title | { title: " " }
ValueWrong | states.c.title | { title: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx }
ExpressionNotAllowed | states.c.title | { title: "For \${input.user}" }
WasStillHere | states.c.was | { was: a }
WasStillHere | states.c.invoke.0.was | { invoke: [{ src: Other, id: x, was: y }, { src: Other, id: y }] }
WasStillHere | states.c.on.paid.was | { on: { paid: { target: b, was: GO } } }
WasTaken | states.c.on.sent.0.was | { on: { paid: { was: payed }, sent: [{ was: payed }] } }
NameInvalid | states.c.was | { was: "lent waiting" }
EventNameInvalid | states.c.on.paid.was | { on: { paid: { was: "pa id" } } }
FieldUnknown | states.c.always.was | { always: { target: b, was: paid } }
EventNameInvalid | states.c.on.xstate.done.actor.x | { on: { xstate.done.actor.x: b } }
SrcUnknown | states.c.invoke.src | { invoke: { src: issue } }
SrcUnknown | states.c.invoke.src | { invoke: { src: "Ιssue" } }
SrcUnknown | states.c.invoke.src | { invoke: { src: GetShipmentAccessCode } }
SelfInvoked | states.c.invoke.src | { invoke: { src: Loan } }
ActionUnknown | states.c.entry.type | { entry: { type: emitt } }
FieldMissing | states.c.entry | { entry: { params: {} } }
TypeWrong | states.c.entry.type | { entry: { type: [assign] } }
GuardUnknown | states.c.always.guard.type | { always: { guard: { type: isDue }, target: b } }
TargetUnknown | states.c.on.GO | { on: { GO: d } }
TargetUnknown | states.c.always.guard.params.state | { always: { guard: { type: stateIn, params: { state: "#d" } } } }
TargetUnknown | states.c.always.guard.params.guards.1.params.guard.params.state | { always: { guard: { type: or, params: { guards: ["\${1 > 2}", { type: not, params: { guard: { type: stateIn, params: { state: "#d" } } } }] } } } }
GuardUnknown | states.c.always.guard.params.guard.type | { always: { guard: { type: not, params: { guard: { type: isDue } } }, target: b } }
FieldMissing | states.c.always.guard.params | { always: { guard: { type: not }, target: b } }
TypeWrong | states.c.always.guard.params.guards | { always: { guard: { type: and, params: { guards: [] } }, target: b } }
InitialUnknown | states.c.initial | { initial: e, states: { d: {} } }
IdTaken | states.c.id | { id: Loan }
IdTaken | states.c.invoke.1.id | { invoke: [{ id: x, src: Issue, input: { request: {} } }, { id: x, src: Issue, input: { request: {} } }] }
FailMisplaced | states.c.entry | { entry: { type: fail, params: { code: Broken } } }
FailMisplaced | states.c.states.d.entry | { initial: d, states: { d: { type: final, entry: { type: fail, params: { code: Broken } } } } }
ReceiverUnknown | states.c.entry.params.to | { invoke: { id: issue, src: Issue, input: { request: {} } }, entry: { type: sendTo, params: { type: told, to: loan } } }
ReceiverUnknown | states.c.entry.params.to | { invoke: { id: issue, src: Issue, input: { request: {} } }, entry: { type: sendTo, params: { type: told, to: issue } } }
FieldMissing | states.c.entry.params | { entry: { type: sendTo, params: { type: told } } }
FieldsConflict | states.c.entry.params | { entry: { type: sendTo, params: { type: told, to: a, where: { device: a } } } }
FieldMissing | states.c.entry.params.where | { entry: { type: sendTo, params: { type: told, where: {} } } }
ValueWrong | states.c.entry.params.keepFor | { entry: { type: sendTo, params: { type: told, where: { device: a }, keepFor: soon } } }
ValueWrong | states.c.entry.params.where | { entry: { type: sendTo, params: { where: { k0: a, k1: a, k2: a, k3: a, k4: a, k5: a, k6: a, k7: a, k8: a }, type: a } } }
InvokeUnknown | states.c.entry.params | { entry: { type: cancel, params: { invoke: loan } } }
CalendarUnknown | states.c.invoke.input.deadlines.issue.pickUp.in | { invoke: { src: book, input: { operation: CreateLocalShipmentAsIssueFromStock, deadlines: { issue: { pickUp: { open: P3D, in: desk } } } } } }
ConnectorUnknown | states.c.invoke.input.connector | { invoke: { src: call, input: { connector: servicenov, path: / } } }
ConnectorUnknown | states.c.invoke.input.connector | { invoke: { src: call, input: { connector: hub, path: / } } }
ConnectorUnknown | states.c.entry.params.to | { entry: { type: emit, params: { type: told, to: servicenow } } }
StateWrong | states.c.on | { type: final, on: { GO: b } }
ExpressionInvalid | states.c.always.guard | { always: { guard: "\${context.}", target: b } }
ExpressionInvalid | states.c.always.guard | { always: { guard: "\${contxt.a}", target: b } }
ExpressionInvalid | states.c.always.guard | { always: { guard: "\${input.a.matches('a')}", target: b } }
ExpressionInvalid | states.c.always.guard | { always: { guard: "\${input.a", target: b } }
ExpressionInvalid | states.c.always.guard | { always: { guard: "a \${input.a}", target: b } }
ExpressionNotAllowed | states.c.meta.a | { meta: { a: "\${input.a}" } }
DelayInvalid | states.c.after.2 days | { after: { 2 days: b } }
StepUnknown | states.c.invoke.input.steps | { invoke: { src: undo, input: { steps: a } } }
TargetsConflict | states.c.on.GO.0 | { on: { GO: [{ target: [a, b] }] } }
`);

const inFields = rows(`
FieldUnknown | was | was: a
TypeWrong | title | title: 3
TypeWrong | correlate.device | correlate: { device: [] }
ExpressionInvalid | correlate.device | correlate: { device: "\${event.data}" }
StateWrong | type | type: final
EventNameInvalid | starts.a b | starts: { a b: {} }
ExpressionInvalid | starts.a.key | starts: { a: { key: "r-\${context.a}" } }
FieldUnknown | starts.a.keys | starts: { a: { keys: b } }
FieldMissing | schedules.a | schedules: { a: { cron: "0 8 * * *" } }
FieldsConflict | schedules.a | schedules: { a: { cron: "0 8 * * *", zone: UTC, calendar: desk } }
FieldMissing | schedules.a | schedules: { a: { zone: UTC } }
NameInvalid | schedules.a b | schedules: { a b: { cron: "0 8 * * *", zone: UTC } }
ValueWrong | schedules.a.zone | schedules: { a: { cron: "0 8 * * *", zone: "+01:00" } }
ValueWrong | schedules.a.cron | schedules: { a: { cron: "0 8 1 * MON", zone: UTC } }
CalendarUnknown | schedules.a.calendar | schedules: { a: { cron: "0 8 * * *", calendar: desk } }
ExpressionNotAllowed | schedules.a.request.of | schedules: { a: { cron: "0 8 * * *", zone: UTC, request: { of: "\${now}" } } }
SchemaInvalid | input.$ref | input: { $ref: "#" }
SchemaInvalid | events.GO.data.oneOf | events: { GO: { data: { oneOf: [] } } }
EventNameInvalid | events.go on | events: { "go on": {} }
FieldUnknown | events.GO.schema | events: { GO: { schema: {} } }
`);

const inTexts = rows(`
NotReadable | | name: [
AliasNotAllowed | b | { a: &x 1, b: *x }
TagNotAllowed | a | a: !!binary aGk=
MergeKeyNotAllowed | | <<: { a: 1 }
DuplicateKey | | { name: A, name: B }
KeyNotAllowed | | {"__proto__": {"name": "A"}}
KeyNotAllowed | context | context: { constructor: 1 }
KeyNotText | | 1: a
NumberNotJson | context.a | context: { a: .inf }
FieldMissing | | name: A
TypeWrong | | []
`);

const list = (count: number, item: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => item(index));

const cases: readonly (readonly [code: string, path: string, text: string])[] = [
  ...inStates.map(([code, path, inner]) => [code, path, state(inner)] as const),
  ...inFields.map(([code, path, field]) => [code, path, withStates('', `${field}\n`)] as const),
  ...inTexts,
  ['FileTooLarge', '', `name: ${'x'.repeat(70_000)}`],
  ['NotReadable', '', 'name: A\n---\nname: B'],
  ['MoreFindings', '', 'name: A\n'.repeat(60)],
  ['TooDeep', list(33, () => '0').join('.'), '['.repeat(40)],
  ['NameTaken', 'name', withStates('').replace('name: Loan', 'name: Issue')],
  ['NameTaken', 'name', withStates('').replace('name: Loan', 'name: ask')],
  ['WasTaken', 'states.d.was', withStates('  c: { was: lent.waiting }\n  d: { was: lent.waiting }')],
  [
    'ValueWrong',
    'schedules',
    withStates('', `schedules: { ${keys(21).replaceAll(': a', ': { cron: 0 8 * * *, zone: UTC }')} }\n`),
  ],
  [
    'RequestWrong',
    'schedules.a',
    withStates(
      '',
      'input: { type: object, required: [of] }\nschedules: { a: { cron: 0 8 * * *, zone: UTC } }\n',
    ),
  ],
  [
    'RequestWrong',
    'schedules.a.request',
    withStates(
      '',
      'input: { properties: { of: { type: string } } }\nschedules: { a: { cron: 0 8 * * *, zone: UTC, request: { of: 3 } } }\n',
    ),
  ],
  ['ValueWrong', 'correlate', withStates('', `correlate: { ${keys(9)} }\n`)],
  ['ContextTooLarge', 'context', withStates('', `context: { a: ${'x'.repeat(33_000)} }\n`)],
  [
    'ExpressionTooLong',
    'states.c.always.guard',
    state(`{ always: { guard: "\${${'1 + '.repeat(300)}1 > 2}" } }`),
  ],
  ['TooManyStates', 'states', withStates(list(200, (index) => `  s${index}: {}`).join('\n'))],
  [
    'TooManyInvokes',
    'states',
    state(`{ invoke: [${list(201, (index) => `{ id: i${index}, src: Issue }`).join()}] }`),
  ],
  ['TooManyTransitions', 'states', state(`{ on: { GO: [${list(1_001, () => 'b').join()}] } }`)],
];

const names = { ...namesForTests, connectors: { calls: ['servicenow'], events: ['hub'] } };

test.each(cases)('%s at "%s"', (code, path, text) => {
  const { file, findings } = readFlowFile(text, names);
  expect(file).toBeNull();
  expect(findings.map((each) => `${each.code} ${each.path}`)).toContain(`${code} ${path}`);
});

test('each code has a file that has it', () => {
  expect(findingCodes.filter((code) => !cases.some(([shown]) => shown === code))).toEqual([]);
});

test.each(
  rows(`
{ always: { guard: event.data.ok == 1, target: b } } | "event.data.ok == 1" is a text, not an expression (expected "\${event.data.ok == 1}")
{ after: { P1D: { target: b, guard: \${input.a} } } } | NotReadable: line 6:42: an expression without quotes cannot be read as YAML or JSON (expected "\${…}" in quotes)
{ invoke: { src: Unheard } } | Unheard is not a flow, an operation of the locker API, ask, book, call, each or undo (expected a name such as 
{ invoke: { src: ask, input: { of: desk, question: Well?, fields: { a: { type: yesNo, choice: [a] } } } } } | type and choice exclude each other (expected choice alone
{ after: { P1D: { target: b, guard: "is \${input.a}" } } } | (expected one expression and nothing else)
{ invoke: { src: call, input: { connector: "\${input.shop}", path: /a } } } | ExpressionNotAllowed: line 6:38, states.c.invoke.input.connector: "\${input.shop}" has an expression,
{ invoke: { src: call, input: { connector: servicenow, path: "\${input.path}" } } } | (expected a path that begins with one /)
{ on: { P1D: b } } | EventNameInvalid: line 6:14, states.c.on.P1D: "P1D" is not a valid event name (expected after: { P1D: … }, for a delay)
{ invoke: { src: ask, input: { of: desk, question: Well?, fields: { a: { choice: whole } } } } } | a text is the wrong kind of value (expected a list such as [a, b], or an expression)
{ invoke: { src: call, input: { connector: servicenow, path: /a, keep: body.number } } } | "body.number" is a text, not an expression (expected "\${body.number}")
{ invoke: { src: ask, input: { of: desk, question: Well? }, onDone: { target: b, guard: "\${output.ok}" } } } | (Unknown variable: output) is not a valid expression (expected one of input, context,
{ invoke: { src: each, input: { of: [], do: { src: ask, input: { of: "\${event.data}", question: Well? } } } } } | (Unknown variable: event) is not a valid expression (expected one of input, context, flow, now, calendars, item, index)
`),
)('%s says what works', (inner, words) => {
  const { findings } = readFlowFile(state(inner), { ...names, published: [] });
  expect(findings.map(formatFinding)).toEqual([expect.stringContaining(words)]);
});

describe('the findings', () => {
  test('name all errors at once, with code, line, column, path, the expected value, and what to do', () => {
    const { findings } = readFlowFile(
      withStates('  c: { on: { GO: d }, invoke: { src: IssueFromStok } }\n  e: { after: { 2d: b } }'),
      { ...names, published: [] },
    );
    expect(findings.map(formatFinding)).toEqual([
      'DelayInvalid: line 7:17, states.e.after.2d: "2d" is not a valid delay; use an ISO 8601 duration such as P2D, or an expression that gives a duration or an instant',
      'SrcUnknown: line 6:33, states.c.invoke.src: IssueFromStok is not a flow, an operation of the locker API, ask, book, call, each or undo (expected IssueFromStock, perhaps); use the name of one of these',
      'TargetUnknown: line 6:14, states.c.on.GO: d is not a state that can be named from here (expected a, perhaps); name a state beside this one, .name for a state within it, or #id',
    ]);
  });

  test('are empty for a valid file, as YAML and as JSON', () => {
    const yaml = readFlowFile(withStates('  c: { always: b }'), names);
    expect(yaml.findings).toEqual([]);
    const { file, findings } = readFlowFile(JSON.stringify(yaml.file), names);
    expect({ file, findings }).toEqual({ file: yaml.file, findings: [] });
  });

  test('are empty for as many keys as events are found by', () => {
    const { findings } = readFlowFile(
      withStates(
        `  c: { entry: { type: sendTo, params: { where: { ${keys(8)} }, type: a } } }`,
        `correlate: { ${keys(8)} }\n`,
      ),
      names,
    );
    expect(findings).toEqual([]);
  });

  test('are empty where each former name is gone, and continued once; an event in as many states as take it', () => {
    const { file, findings } = readFlowFile(
      withStates(
        '  c: { was: lent.waiting, invoke: { id: x, src: Other, was: y, onDone: b }, on: { paid: { target: b, was: payed } } }\n' +
          '  d: { on: { paid: [{ target: b, was: payed }] } }',
      ),
      { ...names, published: ['Other'] },
    );
    expect(findings).toEqual([]);
    // xstate gets nothing of it.
    expect(JSON.stringify(idleMachineOf(file as FlowFile).config)).not.toContain('was');
  });

  test('name what is wrong elsewhere too, after a value of the wrong kind', () => {
    const { findings } = readFlowFile(
      withStates(
        '  c: { on: { GO: d, STOP: 1 }, entry: { type: assing }, tags: { a: 1 } }\n  e: 7\n  f: { invoke: [3, { src: IssueFromStok }], always: { target: [e, [1]] } }',
        'input: []\n',
      ),
      { ...names, published: [] },
    );
    expect(findings.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'TypeWrong input',
      'TypeWrong states.c.on.STOP',
      'ActionUnknown states.c.entry.type',
      'TypeWrong states.c.tags',
      'TypeWrong states.e',
      'TypeWrong states.f.invoke.0',
      'TypeWrong states.f.always.target.1',
      'SrcUnknown states.f.invoke.1.src',
      'TargetUnknown states.c.on.GO',
    ]);
  });
});
