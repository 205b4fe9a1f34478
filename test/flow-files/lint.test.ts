// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the flow files hold expressions.
// What `lint` finds: a file for each code, and the same file without the fault.
import { describe, expect, test } from 'vitest';
import { invokeSchemas } from '../../contract/flow-schemas/invoke-schemas.ts';
import { flowTypes } from '../../contract/flows/flow-types.ts';
import type { FlowFile } from '../../flow-files/flow-file.ts';
import { lintFindings } from '../../flow-files/lint/lint.ts';
import { type LintCode, lintCodes, wordsOfLint } from '../../flow-files/lint/lint-finding.ts';
import { type ReadFlowFile, readFlowFile } from '../../flow-files/reading/read-flow-file.ts';
import { connectorApisIn } from '../../runtime/settings/connector-names.ts';
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

const STATE_ASKED =
  'id: q, src: ask, input: { of: desk, question: Well?, fields: { state: { choice: [whole, broken] }, sure: { type: yesNo } }, within: P1D }';
const KIND_GIVEN =
  'input: { type: object, required: [kind], properties: { kind: { enum: [laptop, phone] } } }';

const UNTIL =
  'input: { type: object, required: [until, pause], properties: { until: { type: string, format: date-time }, pause: { type: string } } }';

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
    code: 'PersonalShown',
    path: 'states.b.invoke.input.question',
    wrong:
      "  a: { invoke: { id: who, src: GetAccount, input: { userUid: u }, onError: c, onDone: { target: b, actions: { type: assign, params: { who: '${event.output}' } } } } }\n  b: { invoke: { id: q, src: ask, input: { of: desk, question: 'Is ${context.who.firstName} in?', within: P1D }, onDone: c, onError: c } }\n  c: { type: final }",
    mended:
      "  a: { invoke: { id: who, src: GetAccount, input: { userUid: u }, onError: c, onDone: { target: b, actions: { type: assign, params: { who: '${event.output}' } } } } }\n  b: { invoke: { id: q, src: ask, input: { of: desk, question: 'Is ${context.who.userUid} in?', within: P1D }, onDone: c, onError: c } }\n  c: { type: final }",
    rest: 'context: { who: null }',
    restMended: 'context: { who: null }',
  },
  {
    code: 'PersonalShown',
    path: 'states.b.invoke.input.question',
    wrong:
      "  a: { invoke: { id: who, src: GetAccount, input: { userUid: u }, onError: c, onDone: { target: b, actions: [{ type: assign, params: { name: '${context.who.firstName}' } }, { type: assign, params: { who: '${event.output}' } }] } } }\n  b: { invoke: { id: q, src: ask, input: { of: desk, question: 'Is ${context.name} in?', within: P1D }, onDone: c, onError: c } }\n  c: { type: final }",
    mended:
      "  a: { invoke: { id: who, src: GetAccount, input: { userUid: u }, onError: c, onDone: { target: b, actions: [{ type: assign, params: { name: '${context.who.firstName}' } }, { type: assign, params: { who: '${event.output}' } }] } } }\n  b: { invoke: { id: q, src: ask, meta: { personal: The desk calls them. }, input: { of: desk, question: 'Is ${context.name} in?', within: P1D }, onDone: c, onError: c } }\n  c: { type: final }",
    rest: 'context: { who: null, name: "" }',
    restMended: 'context: { who: null, name: "" }',
  },
  {
    code: 'PersonalShown',
    path: 'states.b.invoke.input.question',
    wrong:
      "  a: { invoke: { id: who, src: GetAccount, input: { userUid: u }, onError: c, onDone: b } }\n  b: { invoke: { id: q, src: ask, input: { of: desk, question: 'Is ${event.output.lastName} in?', within: P1D }, onDone: c, onError: c } }\n  c: { type: final }",
    mended:
      "  a: { invoke: { id: who, src: GetAccount, input: { userUid: u }, onError: c, onDone: b } }\n  b: { invoke: { id: q, src: ask, input: { of: desk, question: 'Is ${event.output.userUid} in?', within: P1D }, onDone: c, onError: c } }\n  c: { type: final }",
  },
  {
    code: 'PersonalShown',
    path: 'states.b.entry.params.message',
    wrong:
      "  a: { invoke: { id: who, src: GetAccount, input: { userUid: u }, onError: c, onDone: b } }\n  b: { type: final, entry: { type: fail, params: { code: Gone, message: 'no ${event.output.emailAddress}' } } }\n  c: { type: final }",
    mended:
      "  a: { invoke: { id: who, src: GetAccount, input: { userUid: u }, onError: c, onDone: b } }\n  b: { type: final, entry: { type: fail, params: { code: Gone, message: 'no ${event.output.userUid}' } } }\n  c: { type: final }",
  },
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
    code: 'WaitUnbounded',
    path: 'states.a',
    wrong: '  a: { always: [ { guard: "${1 > 2}", target: b } ], on: { GO: b } }\n  b: { type: final }',
    mended: '  a: { always: [ { guard: "${1 > 2}", target: b }, b ] }\n  b: { type: final }',
  },
  {
    code: 'TransitionNeverTaken',
    path: 'states.a.on.GO.1',
    wrong:
      '  a: { on: { GO: [ b, { guard: "${1 > 2}", target: c } ] }, after: { P1D: c } }\n  b: { type: final }\n  c: { type: final }',
    mended:
      '  a: { on: { GO: [ { guard: "${1 > 2}", target: c }, b ] }, after: { P1D: c } }\n  b: { type: final }\n  c: { type: final }',
  },
  {
    code: 'ValueNeverGiven',
    path: 'states.a.invoke.onDone.0',
    wrong: `  a: { invoke: { ${STATE_ASKED}, onDone: [ { guard: "\${event.output.state == 'brokn'}", target: c }, b ], onError: b } }\n  b: { type: final }\n  c: { type: final }`,
    mended: `  a: { invoke: { ${STATE_ASKED}, onDone: [ { guard: "\${event.output.state == 'broken'}", target: c }, b ], onError: b } }\n  b: { type: final }\n  c: { type: final }`,
  },
  {
    code: 'ValueNeverGiven',
    path: 'states.a.invoke.onDone.0',
    wrong: `  a: { invoke: { ${STATE_ASKED}, onDone: [ { guard: "\${event.output.sure == 'yes'}", target: c }, b ], onError: b } }\n  b: { type: final }\n  c: { type: final }`,
    mended: `  a: { invoke: { ${STATE_ASKED}, onDone: [ { guard: "\${event.output.sure && event.output.by == 'anna'}", target: c }, b ], onError: b } }\n  b: { type: final }\n  c: { type: final }`,
  },
  {
    code: 'ValueNeverGiven',
    path: 'states.a.always.0',
    wrong: `  a: { always: [ { guard: "\${input.kind != 'phones'}", target: c }, b ] }\n  b: { type: final }\n  c: { type: final }`,
    mended: `  a: { always: [ { guard: "\${input.kind != 'phone'}", target: c }, b ] }\n  b: { type: final }\n  c: { type: final }`,
    rest: KIND_GIVEN,
    restMended: KIND_GIVEN,
  },
  ...['{{ input.kind }}', '$ {input.kind}', 'input.kind', 'A {input.kind}'].map(
    (text): Case => ({
      code: 'ExpressionMeant',
      path: 'states.a.entry.params.data.kind',
      wrong: `  a: { entry: { type: emit, params: { type: x, data: { kind: "${text}" } } }, always: b }\n  b: { type: final }`,
      mended:
        '  a: { entry: { type: emit, params: { type: x, data: { kind: "A ${input.kind}, { now } or $5" } } }, always: b }\n  b: { type: final }',
      ...{ rest: KIND_GIVEN, restMended: KIND_GIVEN },
    }),
  ),
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
    code: 'ReminderUnheard',
    path: 'states.a.invoke.input.remind',
    wrong:
      '  a: { invoke: { id: q, src: ask, input: { of: desk, question: Well?, within: P2D, remind: P1D }, onDone: b, onError: b } }\n  b: { type: final }',
    mended:
      '  a: { invoke: { id: q, src: ask, input: { of: desk, question: Well?, within: P2D, remind: P1D }, onDone: b, onError: b }, on: { q.reminder: { actions: { type: emit, params: { type: reminder } } } } }\n  b: { type: final }',
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
    path: 'states.a.on.spare.done',
    wrong: `  a: { invoke: { id: spare, src: call, input: { connector: shop, path: /a }, onDone: b, onError: b }, on: { spare.done: b } }\n  b: { type: final }`,
    // It comes from outside, also where the call does not run.
    mended: `  a: { invoke: { id: spare, src: call, input: { connector: shop, path: /a }, onDone: c, onError: b }, on: { spare.calledOff: b } }\n  c: { on: { spare.arrived: b }, after: { P1D: b } }\n  b: { type: final }`,
  },
  {
    code: 'EventNeverComes',
    path: 'states.a.on.lone.issue.Completed',
    wrong: `  a: { invoke: { ${ISSUE}, onDone: b }, on: { lone.issue.Completed: b } }\n  b: { type: final }`,
    mended: `  a: { invoke: { ${ISSUE}, onDone: b }, on: { order.paid: b } }\n  b: { type: final }`,
  },
  {
    // An event from outside may begin like an id.
    code: 'EventNeverComes',
    path: 'states.a.on.loon.issue.overdue',
    wrong: `  a: { invoke: { ${ISSUE}, onDone: b }, on: { loon.issue.overdue: b } }\n  b: { type: final }`,
    mended: `  a: { invoke: { ${ISSUE}, onDone: b }, on: { loon.arrived: b, loans.issue: b } }\n  b: { type: final }`,
  },
  {
    code: 'WaitUnbounded',
    path: 'states.a.states.x',
    wrong:
      '  a: { type: parallel, states: { x: { on: { GO: x } }, y: { after: { P1D: y } } }, on: { STOP: b } }\n  b: { type: final }',
    mended:
      '  a: { type: parallel, states: { x: { on: { GO: x } }, y: { after: { P1D: "#over" } } }, on: { STOP: b } }\n  b: { id: over, type: final }',
  },
  {
    code: 'AlwaysInCircle',
    path: 'states.a.always',
    wrong:
      '  a: { always: { actions: { type: log, params: { message: a } } }, on: { GO: b } }\n  b: { type: final }',
    mended:
      '  a: { always: { guard: "${now > \'2031\'}", target: b }, after: { P1D: b } }\n  b: { type: final }',
  },
  {
    code: 'MomentInCircle',
    path: 'states.a.on.q.overdue',
    wrong:
      '  a: { invoke: { id: q, src: ask, input: { of: desk, question: Well?, due: "${input.until}" }, onDone: b }, on: { q.overdue: { target: a, reenter: true } } }\n  b: { type: final }',
    mended:
      '  a: { invoke: { id: q, src: ask, input: { of: desk, question: Well?, due: P1D }, onDone: b }, on: { q.overdue: { target: a, reenter: true } } }\n  b: { type: final }',
    rest: UNTIL,
    restMended: '',
  },
  {
    // From state to state, and by what a question hears when its time is over.
    code: 'MomentInCircle',
    path: "states.a.after.${earlier(input.until, 'P1D')}",
    wrong:
      '  a: { id: begin, after: { "${earlier(input.until, \'P1D\')}": c } }\n  b: { id: b, type: final }\n  c: { initial: x, states: { x: { invoke: { src: ask, input: { of: desk, question: Well?, within: P1D }, onDone: "#b", onError: "#b" }, after: { "${flow.startedAt}": "#begin" } } } }',
    mended: '  a: { after: { "${input.until}": b } }\n  b: { type: final }',
    rest: UNTIL,
    restMended: UNTIL,
  },
  {
    // A guard ends it; a transition into its own state does not begin the wait anew; and a duration is waited for again.
    code: 'MomentInCircle',
    path: 'states.a.after.${input.until}',
    wrong:
      '  a: { after: { "${input.until}": { target: a, reenter: true } }, on: { GO: b } }\n  b: { type: final }',
    mended:
      '  a: { after: { "${input.until}": a, "${input.pause}": { target: a, reenter: true } }, on: { GO: b }, initial: x, states: { x: { after: { "${input.until}": { guard: "${now > \'2031\'}", target: x, reenter: true } } } } }\n  b: { type: final }',
    rest: UNTIL,
    restMended: UNTIL,
  },
  {
    code: 'InputMayBeMissing',
    path: 'states.a.entry',
    wrong:
      '  a: { entry: { type: log, params: { message: "${input.note}" } }, after: { P1D: b } }\n  b: { type: final }',
    mended:
      '  a: { entry: { type: log, params: { message: "${input.?note.orValue(\'\')}" } }, after: { P1D: b } }\n  b: { type: final }',
    rest: 'input: { type: object, properties: { note: { type: string } } }',
    restMended: 'input: { type: object, properties: { note: { type: string } } }',
  },
  {
    code: 'InputMayBeMissing',
    path: 'states.a.invoke.input.not',
    wrong:
      '  a: { invoke: { src: ask, input: { of: desk, question: Well?, not: "${input.by}", within: P2D }, onDone: b, onError: b } }\n  b: { type: final }',
    mended:
      '  a: { invoke: { src: ask, input: { of: desk, question: Well?, not: "${input.by}", within: P2D }, onDone: b, onError: b } }\n  b: { type: final }',
    rest: 'input: { type: object, properties: { by: { type: string } } }',
    restMended: 'input: { type: object, properties: { by: { type: string, default: null } } }',
  },
  {
    code: 'InputMayBeMissing',
    path: 'states.c.entry',
    wrong:
      '  a: { after: { P1D: [ { guard: "${!has(input.note)}", target: c }, { target: b } ] } }\n  c: { entry: { type: log, params: { message: "${input.note}" } }, always: b }\n  b: { type: final }',
    mended:
      '  a: { after: { P1D: [ { guard: "${has(input.note)}", target: c }, { target: b } ] } }\n  c: { initial: d, states: { d: { entry: { type: log, params: { message: "${input.note}" } }, always: "#over" } } }\n  b: { id: over, type: final }',
    rest: 'input: { type: object, properties: { note: { type: string } } }',
    restMended: 'input: { type: object, properties: { note: { type: string } } }',
  },
  {
    code: 'InputMayBeMissing',
    path: 'states.a.after.${input.length}',
    wrong: '  a: { after: { "${input.length}": b } }\n  b: { type: final }',
    mended: '  a: { after: { "${input.length}": b } }\n  b: { type: final }',
    rest: 'input: { type: object, properties: { length: { type: string } } }',
    restMended: 'input: { type: object, properties: { length: { type: string, default: P1D } } }',
  },
  {
    code: 'ContextMayBeMissing',
    path: 'states.a.on.SAY',
    wrong:
      '  a: { on: { SET: { actions: { type: assign, params: { name: x } } }, SAY: { actions: { type: log, params: { message: "${context.name}" } } } }, after: { P1D: b } }\n  b: { type: final }',
    mended:
      '  a: { on: { SET: { actions: { type: assign, params: { name: x } } }, SAY: { actions: { type: log, params: { message: "${context.name}" } } } }, after: { P1D: b } }\n  b: { type: final }',
    restMended: 'context: { name: null }',
  },
  {
    code: 'AssignNeverRead',
    path: 'states.a.entry.params.seen',
    wrong:
      '  a: { entry: { type: assign, params: { seen: true } }, after: { P1D: b } }\n  b: { type: final }',
    mended:
      '  a: { entry: { type: assign, params: { seen: true } }, after: { P1D: b } }\n  b: { type: final }',
    restMended: 'context: { seen: false }\noutput: { seen: "${context.seen}" }',
  },
  {
    code: 'ContextNeverSet',
    path: 'context',
    wrong: '  a: { after: { "${context.until}": b } }\n  b: { type: final }',
    mended: '  a: { after: { "${context.until}": b } }\n  b: { type: final }',
    restMended: 'context: { until: "${later(now, \'P2D\')}" }',
  },
  {
    code: 'CalendarUnknown',
    path: 'calendars',
    wrong: '  a: { after: { "${workLater(now, \'P1D\', calendars.dsk)}": b } }\n  b: { type: final }',
    mended: '  a: { after: { "${workLater(now, \'P1D\', calendars.desk)}": b } }\n  b: { type: final }',
    rest: 'calendars: { desk: { zone: UTC, hours: { MON: "08:00-17:00" } } }',
    restMended: 'calendars: { desk: { zone: UTC, hours: { MON: "08:00-17:00" } } }',
  },
  {
    code: 'InputNotDeclared',
    path: 'input.properties',
    wrong: '  a: { after: { "${input.untill}": b } }\n  b: { type: final }',
    mended: '  a: { after: { "${input.until}": b } }\n  b: { type: final }',
    rest: 'input: { type: object, required: [until], properties: { until: { type: string } } }',
    restMended: 'input: { type: object, required: [until], properties: { until: { type: string } } }',
  },
  {
    code: 'ResultWrong',
    path: 'output.day',
    wrong: '  a: { after: { P1D: b } }\n  b: { type: final }',
    mended: '  a: { after: { P1D: b } }\n  b: { type: final }',
    rest: 'result: { properties: { day: { type: string } } }\noutput: { day: 3 }',
    restMended: 'result: { properties: { day: { type: string } } }\noutput: { day: "${now}" }',
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
  expect(lintFindings(one, { others: [one, two, three] })).toEqual([
    {
      code: 'FlowsInCircle',
      path: 'states.a.invoke.src',
      what: 'Two',
      because: 'One → Two → Three → One',
    },
  ]);
  expect(lintFindings(one, { others: [one, two] })).toEqual([]);
  // A file that leads into a circle, but is not part of it, has no finding: the files in the circle have it.
  expect(lintFindings(read('Zero', 'One'), { others: [one, two, three] })).toEqual([]);
});

const invocables = { builtIn: flowTypes, schemasOf: invokeSchemas, published: [] };

function fileOf(text: string): FlowFile {
  const { file, findings } = readFlowFile(text, namesForTests);
  expect(findings).toEqual([]);
  return file as FlowFile;
}

/** What is found in a file with this invoke in its first state. */
function foundIn(invoke: string, others: readonly FlowFile[] = []): string[] {
  const file = fileOf(
    `name: Linted\nmeaning: A test.\ninitial: a\nstates:\n  a: { after: { P1D: b }, invoke: { onError: b, ${invoke} } }\n  b: { type: final }`,
  );
  return lintFindings(file, { others, invocables }).map(
    ({ code, path, what, because }) => `${code} ${path}: ${what}: ${because}`,
  );
}

const repair = fileOf(`
name: Repair
meaning: Is invoked by others.
input: { type: object, required: [device], additionalProperties: false, properties: { device: { type: string }, cost: { type: number } } }
initial: over
states: { over: { type: final } }
output: { verdict: fine, parts: { used: 3 } }
`);

test('WaitUnbounded: not of a flow whose file lint sees, because it finds the wait there', () => {
  const text = (name: string, waiting: string) =>
    `name: ${name}\nmeaning: A test.\ninitial: a\nstates: { a: { ${waiting} }, b: { type: final } }`;
  const [outer, inner] = [
    fileOf(text('Outer', 'invoke: { src: Inner, onDone: b, onError: b }')),
    fileOf(text('Inner', 'on: { GO: b }')),
  ];
  const codes = (file: FlowFile, others: readonly FlowFile[]) =>
    lintFindings(file, { others }).map(({ code, what }) => `${code} ${what}`);
  expect(codes(outer, [])).toEqual(['WaitUnbounded a']);
  expect(codes(outer, [outer, inner])).toEqual([]);
  expect(codes(inner, [outer, inner])).toEqual(['WaitUnbounded a']);
});

describe('what a file invokes', () => {
  test('ChildUnknown: is a flow that lint can see', () => {
    expect(foundIn('src: Repare, input: {}')).toEqual([
      'ChildUnknown states.a.invoke.src: Repare: undefined',
    ]);
    expect(foundIn('src: Repare, input: {}', [repair])).toEqual([
      'ChildUnknown states.a.invoke.src: Repare: perhaps Repair was meant',
    ]);
    expect(foundIn('src: Repair, input: { request: { device: d-1 } }', [repair])).toEqual([]);
  });

  test('InputWrong: a built-in flow gets what its schema has', () => {
    const issue = (input: string) => foundIn(`src: IssueFromStock, input: ${input}`);
    expect(
      issue(
        '{ request: { priorShipmentUid: "${input.item}", toUserUid: u }, deadlines: { issue: { pickUp: P3D } } }',
      ),
    ).toEqual([]);
    expect(issue('{ request: { priorShipmentUId: s, toUserUid: 3 }, onOverdue: cancle }')).toEqual([
      'InputWrong states.a.invoke.input.request.priorShipmentUid: priorShipmentUid: IssueFromStock: it is required, and missing',
      'InputWrong states.a.invoke.input.request.priorShipmentUId: priorShipmentUId: IssueFromStock: it is not known; perhaps priorShipmentUid was meant',
      'InputWrong states.a.invoke.input.request.toUserUid: 3: IssueFromStock: expected a text, but it is a number',
      'InputWrong states.a.invoke.input.onOverdue: "cancle": IssueFromStock: expected one of wait, cancel',
    ]);
    expect(issue('{ request: "${input.request}", deadlines: { issue: { pickUp: P1M } } }')).toEqual([
      'InputWrong states.a.invoke.input.deadlines.issue.pickUp: "P1M": IssueFromStock: expected a duration such as P2D or PT30M',
    ]);
    expect(issue('{ request: { priorShipmentUid: "S-${input.no}" } }')).toEqual([
      'InputWrong states.a.invoke.input.request.toUserUid: toUserUid: IssueFromStock: it is required, and missing',
    ]);
  });

  test('InputWrong: an operation gets its request', () => {
    expect(foundIn('src: GetPickUpPoints, input: { pageNo: 1, pageSize: 10 }')).toEqual([]);
    expect(foundIn('src: GetPickUpPoints, input: { pageNo: one, page: 10 }')).toEqual([
      'InputWrong states.a.invoke.input.pageSize: pageSize: GetPickUpPoints: it is required, and missing',
      'InputWrong states.a.invoke.input.pageNo: "one": GetPickUpPoints: expected a whole number, but it is a text',
      'InputWrong states.a.invoke.input.page: page: GetPickUpPoints: it is not known; perhaps pageNo was meant',
    ]);
  });

  test('InputWrong: a file that is linted together gets its request', () => {
    expect(foundIn('src: Repair, input: { request: { devise: d-1, cost: much } }', [repair])).toEqual([
      'InputWrong states.a.invoke.input.request.device: device: Repair: it is required, and missing',
      'InputWrong states.a.invoke.input.request.devise: devise: Repair: it is not known; perhaps device was meant',
      'InputWrong states.a.invoke.input.request.cost: "much": Repair: expected a number, but it is a text',
    ]);
    expect(foundIn('src: Repair, input: { device: d-1, cost: 3 }', [repair])).toEqual([
      'InputWrong states.a.invoke.input: input: Repair: device, cost must stand within request, as input: { request: { … } }',
    ]);
    expect(foundIn('src: Repair, input: {}', [repair])).toEqual([
      'InputWrong states.a.invoke.input.request: request: Repair: it is required, and missing',
    ]);
  });

  test('OutputNotGiven: only what it gives is read', () => {
    const reading = (invoke: string, expression: string) =>
      foundIn(
        `${invoke}, onDone: { target: b, actions: { type: log, params: { message: "\${${expression}}" } } }`,
        [repair],
      ).filter((each) => !each.startsWith('InputWrong'));
    const asked = 'src: ask, input: { of: desk, question: Well?, fields: { state: { type: text } } }';
    expect(reading(asked, 'event.output.state + event.output.by')).toEqual([]);
    expect(reading(asked, 'event.output.stat')).toEqual([
      'OutputNotGiven states.a.invoke.onDone: event.output.stat: perhaps state was meant',
    ]);
    const issued = 'id: loan, src: Issue, input: { request: {} }';
    expect(reading(issued, 'event.output.shipments.issue.shipmentUid')).toEqual([]);
    expect(reading(issued, 'event.output.shipments.intake.shipmentUid')).toEqual([
      'OutputNotGiven states.a.invoke.onDone: event.output.shipments.intake.shipmentUid: Issue gives issue',
    ]);
    expect(reading('src: Repair, input: { request: { device: d } }', 'event.output.parts.used')).toEqual([]);
    expect(reading('src: Repair, input: { request: { device: d } }', 'event.output.verdikt.size()')).toEqual([
      'OutputNotGiven states.a.invoke.onDone: event.output.verdikt.size: perhaps verdict was meant',
    ]);
    const called = 'src: call, input: { connector: c, path: /, keep: { no: "${body.no}" } }';
    expect(reading(called, 'event.output.no.size()')).toEqual([]);
    expect(reading(called, 'event.output.number')).toEqual([
      'OutputNotGiven states.a.invoke.onDone: event.output.number: call gives no',
    ]);
  });

  test('has line and column, where the text is at hand', () => {
    const text =
      'name: Linted\nmeaning: A test.\ninitial: a\nstates:\n  a: { after: { P1D: b } }\n  b: { type: final }\n  c: { always: b }';
    const { file, placeOf } = readFlowFile(text, namesForTests) as Extract<ReadFlowFile, { file: FlowFile }>;
    expect(lintFindings(file, { placeOf }).map(wordsOfLint)).toEqual([
      'StateUnreachable: line 7:3, states.c: c is never entered; add a transition to it, or remove it',
    ]);
  });
});

describe('a call of an operation', () => {
  const document = `openapi: 3.1.0
paths:
  /orders/{id}:
    get:
      operationId: getOrder
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { "200": { content: { application/json: { schema: { $ref: "#/components/schemas/Order" } } } } }
    delete: { operationId: dropOrder, parameters: [{ name: id, in: path, required: true, schema: {} }] }
components:
  schemas:
    Order: { properties: { number: { type: string }, items: { type: object, properties: { count: {} } } } }`;
  const apis = connectorApisIn(
    'connectors: { shop: { openapi: shop.yaml, allow: [getOrder] } }',
    () => document,
  );
  const invocables = {
    ...{ builtIn: [], published: [], schemasOf: () => null },
    apiOf: (name: string) => apis.get(name) ?? null,
  };
  const found = (input: string, read = 'event.output') => {
    const file = fileOf(`name: Shop
meaning: A test.
context: { kept: null }
initial: a
states:
  a:
    invoke:
      id: shop
      src: call
      input: { connector: shop, ${input} }
      onDone: { target: b, actions: { type: assign, params: { kept: "\${${read}}" } } }
      onError: b
  b: { type: final }
output: "\${context.kept}"`);
    return lintFindings(file, { invocables }).map(
      ({ code, path, what, because }) => `${code} ${path}: ${what}: ${because}`,
    );
  };

  test('OperationUnknown: is in the document', () => {
    expect(found('operation: getOrdr, parameters: { id: 7 }')).toEqual([
      'OperationUnknown states.a.invoke.input.operation: getOrdr: perhaps getOrder was meant',
    ]);
  });

  test('CallNotAllowed: is allowed', () => {
    expect(found('operation: dropOrder, parameters: { id: 7 }')).toEqual([
      'CallNotAllowed states.a.invoke.input.operation: dropOrder: allow of shop has getOrder',
    ]);
  });

  test('InputWrong: takes what the document says', () => {
    expect(found('operation: getOrder, parameters: { id: "${flow.key}" }')).toEqual([]);
    expect(found('operation: getOrder, parameters: { id: seven, ide: 7 }')).toEqual([
      'InputWrong states.a.invoke.input.parameters.id: "seven": getOrder: expected a whole number, but it is a text',
      'InputWrong states.a.invoke.input.parameters.ide: ide: getOrder: it is not known; perhaps id was meant',
    ]);
    expect(found('operation: getOrder')).toEqual([
      'InputWrong states.a.invoke.input.parameters: parameters: getOrder: it is required, and missing',
    ]);
  });

  test('OutputNotGiven: answers with what the file keeps and reads', () => {
    const kept = (keep: string, read?: string) =>
      found(`operation: getOrder, parameters: { id: 7 }, keep: "\${${keep}}"`, read);
    expect(kept('body.items', 'event.output.count')).toEqual([]);
    expect(kept('body.nummer')).toEqual([
      'OutputNotGiven states.a.invoke.input.keep: body.nummer: perhaps number was meant',
    ]);
    expect(kept('body.items', 'event.output.total')).toEqual([
      'OutputNotGiven states.a.invoke.onDone: event.output.total: call gives count',
    ]);
  });
});

test('only what an operation tells of a person is about a person, also item by item', () => {
  const asks = (question: string) => `src: ask, input: { of: desk, question: "${question}", within: P1D }`;
  const file = (onDone: string, question: string) =>
    [
      '  a: { invoke: { src: GetAccount, input: { userUid: u }, onDone: b, onError: d } }',
      `  b: { invoke: { src: GetPickUpPoints, input: {}, onDone: { target: c, actions: { type: assign, params: { name: "${onDone}" } } }, onError: d } }`,
      `  c: { invoke: { ${asks(question)}, onDone: d, onError: d } }`,
      '  d: { type: final }',
    ].join('\n');
  const context = 'context: { name: "" }';
  expect(found(file('${event.output.items[0].name}', 'At ${context.name}?'), context)).toEqual([]);
  const each = (what: string) =>
    [
      '  a: { invoke: { id: who, src: each, input: { of: [u], do: { src: GetAccount, input: { userUid: "${item}" } } }, onDone: b, onError: d } }',
      `  b: { invoke: { id: q, src: each, input: { of: "\${event.output.done}", do: { ${asks(what)} } }, onDone: d, onError: d } }`,
      '  d: { type: final }',
    ].join('\n');
  const shown = (what: string) => found(each(what)).filter((finding) => finding.startsWith('Personal'));
  expect(shown('Is ${item.output.lastName} in?')).toEqual([
    'PersonalShown states.b.invoke.input.do.input.question',
  ]);
  expect(shown('Is ${item.output.userUid} in?')).toEqual([]);
});

test('each code has a file that has it', () => {
  const shown = [
    'OperationUnknown',
    'CallNotAllowed',
    'FlowsInCircle',
    'ChildUnknown',
    'VersionUnknown',
    'InputWrong',
    'OutputNotGiven',
    'CalendarUnknown',
    'EventUnheard',
    'KeyIsConstant',
    'KeyUnheard',
    // In permits.test.ts.
    'LockUnheard',
    'LocksWithinEachOther',
    // In undo.test.ts.
    'UndoNeverRuns',
    'NothingToUndo',
    'CancelNotUndone',
    ...cases.map(({ code }) => code),
  ];
  expect(lintCodes.filter((each) => !shown.includes(each))).toEqual([]);
});
