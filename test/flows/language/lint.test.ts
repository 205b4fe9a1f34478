// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the flow files hold expressions.
// What `lint` finds: a file for each code, and the same file without the fault.
import { expect, test } from 'vitest';
import { lintFindings } from '../../../flows/language/lint/lint.ts';
import { lintCodes } from '../../../flows/language/lint/lint-finding.ts';
import { fileOf } from './names.ts';

function found(states: string, rest = ''): string[] {
  const text = `name: Linted\nmeaning: A test.\n${rest}\ninitial: a\nstates:\n${states}`;
  return lintFindings(fileOf(text)).map(({ code, path }) => `${code} ${path}`);
}

const ISSUE =
  'id: loan, src: Issue, onError: b, input: { request: {}, deadlines: { issue: { pickUp: P3D } } }';
const LOAN = ISSUE.replace('src: Issue', 'src: book').replace(
  'input: { ',
  'input: { operation: CreateLocalShipmentAsIssue, ',
);
const BOOK = 'src: CreateLocalShipmentAsIssue, input: {}, onError: b';

const log = (source: string) => `{ type: log, params: { message: "\${${source}}" } }`;

/**
 * A code and its path, then a file with that finding. Of `<<one||other>>` the first is wrong, and the second has no finding. States
 * are indented. A file ends in `b`, unless it says otherwise.
 */
const cases = `
StateUnreachable states.c
  a: { after: { P1D: <<b||c>> } }
  c: { always: b }

StateUnreachable states.b
  a: { initial: x, states: { x: { after: { P1D: y } }, y: { <<after: { P1D: x }||type: final>> } }, onDone: b }

StateNeverLeft states.b
  a: { after: { P1D: b } }
  b: {<<|| meta: { unbounded: It stands for good. } >>}

WaitUnbounded states.a
  a: { on: { GO: b }<<||, after: { P9D: b }>> }

WaitUnbounded states.a
  a: { invoke: { src: ask, input: { of: desk, question: Well?<< }, onDone||, within: P2D }, onDone: b, onError>>: b } }

WaitUnbounded states.a
  a: { always: [ { guard: "\${1 > 2}", target: b }<< ], on: { GO: b }||, b ]>> }

AlwaysInCircle states.a.always
  a: { always: c, on: { GO: b } }
  c: { initial: x, states: { x: { always: <<"#Linted.a"||[ { guard: "\${1 > 2}", target: "#Linted.a" }, "#Linted.b" ]>> } } }

AlwaysInCircle states.a.states.y.always
  a: { initial: x, states: { x: { after: { P1D: y } }, y: { always: z }, z: { <<always: y||after: { P1D: y }>> } }, on: { GO: b } }

BookingNotUndone states.a.invoke
  a: { invoke: { <<${BOOK}||${ISSUE}>>, onDone: b } }

BookingNotUndone states.a.invoke
  a: { invoke: { ${BOOK}, onDone: b } }
  b: { after: { P1D: c }<<||, on: { cancelRequested: c }>> }
  c: { invoke: { src: CancelShipment, onDone: d, onError: d } }
  d: { type: final }

BookingLeft states.a.on.loan.issue.ReadyForPickup
  a: { invoke: { ${LOAN}, onDone: b }, on: { loan.issue.ReadyForPickup: <<b||{ actions: { type: log, params: { message: x } } }>> } }

BookingLeft states.a.on.loan.needsPerson
  a: { <<||meta: { undoesBooking: Nobody waits for it. }, >>invoke: { ${LOAN}, onDone: b }, on: { loan.needsPerson: b } }

BookingLeft states.a.states.x.on.loan.issue.Completed
# Within the state that books, it goes on.
  a: { invoke: { ${LOAN}, onDone: b }, initial: x, states: { x: { on: { loan.issue.Completed: <<"#over"||y>>, loan.issue.overdue: y } }, y: {} } }
  b: { id: over, type: final }

WaitUnbounded states.a
  a: { invoke: { src: book, input: { operation: CreateLocalShipmentAsIssue, request: {}<<||, deadlines: { issue: { pickUp: P3D } }>> }, onDone: b, onError: b } }

WaitUnbounded states.a
# Whoever starts it gives its deadlines.
  a: { invoke: { src: book, input: { operation: CreateLocalShipmentAsIssue, <<request: {}||isWhole: true>> }, onDone: b, onError: b } }

FailureUnhandled states.a.invoke
  a: { invoke: { src: book, input: { operation: CreateLocalShipmentAsIssue, deadlines: {} }, onDone: b<<||, onError: b>> } }

EventNeverComes states.a.on.loan.intake.Completed
  a: { invoke: { ${LOAN}, onDone: b }, on: { loan.<<intake||issue>>.Completed: { actions: { type: log, params: { message: x } } } } }

EventNeverComes states.a.on.loan.issue.PickedUp
  a: { invoke: { ${LOAN}, onDone: b }, on: { loan.issue.<<PickedUp||overdue>>: { actions: { type: log, params: { message: x } } } } }

EventNeverComes states.c.on.loan.issue.Completed
  a: { invoke: { ${LOAN}, onDone: c } }
  c: { on: { <<loan||parcel>>.issue.Completed: b }, after: { P1D: b } }

FailureUnhandled states.a.invoke
  a: { invoke: { src: GetLockers, input: {}, onDone: b<<||, onError: b>> } }

FailureUnhandled states.a.invoke
  a: { invoke: { src: ask, input: { of: desk, question: Well?, within: P2D }, onDone: b }<<||, on: { "*": b }>> }

FailureUnhandled states.a.invoke
  a: { invoke: { id: q, src: ask, input: { of: desk, question: Well? }, onDone: b }, after: { P1D: <<{ actions: { type: cancel, params: { invoke: q } } }||b>> } }

EventNeverComes states.a.on.loan.issue.PickedUp
  a: { invoke: { ${ISSUE}, onDone: b }, on: { loan.issue.<<PickedUp||Completed: b, loan.needsPerson>>: b } }

EventNeverComes states.c.on.loan.issue.Completed
  a: { invoke: { ${ISSUE}, onDone: c }<< }
  c: { on: { loan.issue.Completed: b },||, on: { loan.issue.*: c } }
  c: {>> after: { P1D: b } }

EventNeverComes states.a.on.spare.done
# What comes from outside may come where the call does not run.
  a: { invoke: { id: spare, src: call, input: { connector: shop, path: /a }, onDone: <<b, onError: b }, on: { spare.done||c, onError: b }, on: { spare.calledOff: b } }
  c: { on: { spare.arrived: b }, after: { P1D>>: b } }

EventNeverComes states.a.on.lone.issue.Completed
  a: { invoke: { ${ISSUE}, onDone: b }, on: { <<lone.issue.Completed||order.paid>>: b } }

EventNeverComes states.a.on.loon.issue.overdue
# An event from outside may begin like an id.
  a: { invoke: { ${ISSUE}, onDone: b }, on: { loon.<<issue.overdue||arrived: b, loans.issue>>: b } }

WaitUnbounded states.a.states.x
  a: { type: parallel, states: { x: { on: { GO: x } }, y: { after: { P1D: <<y } } }, on: { STOP: b } }
  b: {||"#over" } } }, on: { STOP: b } }
  b: { id: over,>> type: final }

InputMayBeMissing states.a.entry
input: { type: object, properties: { note: { type: string } } }
  a: { entry: { type: log, params: { message: "\${input.<<note||?note.orValue('')>>}" } }, after: { P1D: b } }

InputMayBeMissing states.a.invoke.input.not
input: { type: object, properties: { by: { type: string<<||, default: null>> } } }
  a: { invoke: { src: ask, input: { of: desk, question: Well?, not: "\${input.by}", within: P2D }, onDone: b, onError: b } }

InputMayBeMissing states.c.entry
input: { type: object, properties: { note: { type: string } } }
  a: { after: { P1D: [ { guard: "\${<<!has(input.note)}", target: c }, { target: b } ] } }
  c: { entry: { type: log, params: { message: "\${input.note}" } }, always: b }
  b: {||has(input.note)}", target: c }, { target: b } ] } }
  c: { initial: d, states: { d: { entry: { type: log, params: { message: "\${input.note}" } }, always: "#over" } } }
  b: { id: over,>> type: final }

InputMayBeMissing states.c.entry
input: { type: object, properties: { note: { type: string } } }
  a: { after: { P1D: [ { guard: { type: <<or||and>>, params: { guards: [ "\${has(input.note)}", "\${1 < 2}" ] } }, target: c }, { target: b } ] } }
  c: { entry: { type: log, params: { message: "\${input.note}" } }, always: b }

InputMayBeMissing states.c.entry
input: { type: object, properties: { note: { type: string } } }
  a: { after: { P1D: [ { guard: <<{ type: not, params: { guard: "\${has(input.note)}" } }||"\${has(input.note)}">>, target: c }, { target: b } ] } }
  c: { entry: { type: log, params: { message: "\${input.note}" } }, always: b }

InputMayBeMissing states.c.entry
input: { type: object, properties: { note: { type: string } } }
  a: { after: { P1D: [ { guard: "\${<<1 < 2 ? has(input.note) : true||1 < 2 && has(input.note)>>}", target: c }, { target: b } ] } }
  c: { entry: { type: log, params: { message: "\${input.note}" } }, always: b }

InputMayBeMissing states.a.entry
input: { type: object, properties: { note: { type: string } } }
  a: { entry: ${log("input<<['note']||.?note.orValue('')>>")}, after: { P1D: b } }

InputMayBeMissing states.a.entry
# What has the field must be there itself.
input: { type: object, properties: { to: { type: object } } }
  a: { entry: ${log("<<||has(input.to) && >>has(input.to.name) ? input.to.name : ''")}, after: { P1D: b } }

InputMayBeMissing states.a.after.\${input.length}
input: { type: object, properties: { length: { type: string<<||, default: P1D>> } } }
  a: { after: { "\${input.length}": b } }

EventDataNotDeclared states.a.on.SAY
events: { SAY: { data: { type: object, required: [name], properties: { name: { type: string } } } } }
  a: { on: { SAY: { actions: { type: log, params: { message: "\${event.data.<<nam||name>>}" } } } }, after: { P1D: b } }

EventDataMayBeMissing states.a.on.SAY
events: { SAY: { data: { type: object, <<||required: [name], >>properties: { name: { type: string } } } } }
  a: { on: { SAY: { actions: { type: log, params: { message: "\${event.data.name}" } } } }, after: { P1D: b } }

EventDataMayBeMissing states.a.on.SAY
events: { SAY: { data: { type: object, properties: { name: { type: string } } } } }
  a: { on: { SAY: { guard: "\${<<||has(event.data.name) && >>1 < 2}", actions: { type: log, params: { message: "\${event.data.name}" } } } }, after: { P1D: b } }

EventDataWrong states.a.entry.params.data.name
events: { SAY: { data: { type: object, required: [name], properties: { name: { type: string } } } } }
  a: { entry: { type: raise, params: { type: SAY, data: { name: <<1||x>> } } }, on: { SAY: b }, after: { P1D: b } }

EventFieldUnknown states.a.invoke.onDone
  a: { invoke: { id: check, src: ask, input: { of: desk, question: Well?, fields: { ok: { type: yesNo } }, within: P1D }, onDone: { guard: "\${event.output.<<okay||ok>> && event.output.by != ''}", target: b }, onError: b } }

EventFieldUnknown states.a.invoke.onDone
  a: { invoke: { ${LOAN}, onDone: { target: b, actions: { type: log, params: { message: "\${event.output.<<result||outcome>>}" } } } } }

EventFieldUnknown states.a.invoke.onDone
  a: { invoke: { ${LOAN}, onDone: { target: b, actions: ${log('event.output.shipments.<<intake||issue>>.shipmentUid')} } } }

EventFieldUnknown states.a.invoke.onDone
  a: { invoke: { ${ISSUE}, onDone: { target: b, actions: ${log("event.output.shipments['issue'].<<shipmentUID||shipmentUid>>")} } } }

EventFieldUnknown states.a.invoke.onDone
  a: { invoke: { ${LOAN}, onDone: { target: b, actions: ${log('event.output.itemsLeft.filter(one, one.<<lockr||lockerName>> != null).size()')} } } }

EventFieldUnknown states.a.invoke.onDone
  a: { invoke: { ${LOAN}, onDone: { target: b, actions: ${log('event.output.overdue[0].<<leg||role>>')} } } }

EventFieldUnknown states.a.invoke.onError
  a: { invoke: { ${LOAN.replace('onError: b', `onError: { target: b, actions: ${log('event.error.<<cod||details>>')} }`)}, onDone: b } }

EventFieldUnknown states.a.invoke.onError
# Only a booking of the file itself says all.
  a: { invoke: { ${ISSUE.replace('onError: b', `onError: { target: b, actions: ${log('event.error.<<details||detail>>')} }`)}, onDone: b } }

EventFieldUnknown states.a.invoke.onDone
  a: { invoke: { src: each, input: { of: [1], do: { src: CancelShipment, input: {} } }, onDone: { target: b, actions: ${log('event.output.failed.map(each, each.error.<<kode||code>>)')} }, onError: b } }

EventFieldUnknown states.a.invoke.undo
  a: { invoke: { ${LOAN}, onDone: c, undo: { src: call, input: { connector: crm, method: DELETE, path: "/loans/\${event.output.shipments.<<intake||issue>>.shipmentUid}" } } } }
  c: { invoke: { id: back, src: undo, input: { of: crm }, onDone: b } }

EventFieldUnknown states.a.on.loan.issue.deadlineMoved
  a: { invoke: { ${LOAN}, onDone: b }, on: { loan.issue.deadlineMoved: { actions: { type: log, params: { message: "\${event.<<untill||until>>} \${event.stage}" } } } } }

EventFieldUnknown states.a.on.loan.issue.ReadyForPickup
  a: { invoke: { ${ISSUE}, onDone: b }, on: { loan.issue.ReadyForPickup: { guard: "\${event.<<locker||lockerName>> != event.until}", actions: { type: log, params: { message: x } } } } }

EventFieldUnknown states.a.on.check.claimed
  a: { invoke: { id: check, src: ask, input: { of: desk, question: Well?, within: P1D }, onDone: b, onError: b }, on: { check.claimed: { actions: { type: log, params: { message: "\${event.<<data||by>>}" } } } } }

EventFieldUnknown states.a.on.all.intake.Completed
  a: { invoke: { id: all, src: each, input: { of: [a], do: { src: book, input: { operation: CreateLocalShipmentAsIntake, request: {}, deadlines: { intake: { dropOff: P1D } } } } }, onDone: b, onError: b }, on: { all.intake.Completed: { actions: { type: log, params: { message: "\${event.<<name||item>>} \${event.index}" } } } }, after: { P9D: b } }

EventFieldUnknown states.a.on.timerMoved
  a: { after: { P1D: b }, on: { timerMoved: { actions: { type: log, params: { message: "\${event.<<end||until>>} \${event.timer}" } } } } }

EventUnheard states.a.entry.params.type
  a: { entry: { type: raise, params: { type: <<said||say>> } }, on: { say: b }, after: { P1D: b } }

EventSchemaUnused events.SAID
events: { SA<<ID||Y>>: {} }
  a: { on: { SAY: b }, after: { P1D: b } }

EventSchemaUnused events.SAID
starts: { SA<<Y||ID>>: {} }
events: { SAID: {} }
  a: { after: { P1D: b } }

EventSchemaUnused events.check.claimed
events: { check.<<claimed||late>>: {} }
  a: { invoke: { id: check, src: ask, input: { of: desk, question: Well?, within: P1D }, onDone: b, onError: b }, on: { check.claimed: {}, check.late: {} } }

ContextMayBeMissing states.a.on.SAY
<<||context: { name: null }>>
  a: { on: { SET: { actions: { type: assign, params: { name: x } } }, SAY: { actions: { type: log, params: { message: "\${context.name}" } } } }, after: { P1D: b } }

ContextFieldUnknown states.b.output
context: { check: null }
  a: { invoke: { id: check, src: ask, input: { of: desk, question: Well?, fields: { ok: { type: yesNo } }, within: P1D }, onDone: { target: b, actions: { type: assign, params: { check: "\${event.output}" } } }, onError: b } }
  b: { type: final, output: "\${context.check.<<okay||ok>>}" }

ContextFieldUnknown states.b.on.SAY
context: { loan: null<<||, none: 1>> }
  a: { invoke: { ${LOAN}, onDone: { target: b, actions: { type: assign, params: { loan: "\${event.output}"<<||, none: "\${event.output}">> } } } } }
  b: { on: { SAY: { target: c, guard: "\${context.<<loan.result||none.result>> == 1}" } }, after: { P1D: c } }
  c: { type: final }

ContextFieldUnknown states.b.output
context: { loan: null }
  a: { invoke: { ${LOAN}, onDone: { target: b, actions: { type: assign, params: { loan: "\${event.output}" } } } } }
  b: { type: final, output: "\${context.loan.shipments.<<intake||issue>>.lockerName}" }

ResultWrong output.count
result: { type: object, required: [count], properties: { count: { type: integer } } }
output: { <<number||count>>: "\${1 + 1}" }
  a: { after: { P1D: b } }

ResultWrong output.count
result: { type: object, required: [count], properties: { count: { type: integer } } }
output: { count: <<many||2>> }
  a: { after: { P1D: b } }

ContextNeverSet context
<<||context: { until: "\${later(now, 'P2D')}" }>>
  a: { after: { "\${context.until}": b } }

ContextNeverSet context
  a: { entry: ${log("<<context.name||'context.name'>>")}, after: { P1D: b } }

InputNotDeclared input.properties
input: { type: object, required: [until], properties: { until: { type: string } } }
  a: { after: { "\${input.<<untill||until>>}": b } }
`
  .trim()
  .split('\n\n')
  .map((each) => {
    const [, finding = '', text = ''] = /^(.*)\n([\s\S]*)$/.exec(each) ?? [];
    return [finding, text] as const;
  });

function alternatives(text: string): [rest: string, states: string][] {
  return ['$1', '$2'].map((which) => {
    const lines = text.replaceAll(/<<([\s\S]*?)\|\|([\s\S]*?)>>/g, which).split('\n');
    const states = lines.filter((line) => line.startsWith('  '));
    if (!states.some((line) => line.startsWith('  b:'))) states.push('  b: { type: final }');
    return [lines.filter((line) => !line.startsWith('  ')).join('\n'), states.join('\n')];
  });
}

test.each(cases)('%s', (finding, text) => {
  const [[rest, wrong] = ['', ''], [restMended, mended] = ['', '']] = alternatives(text);
  expect(found(wrong, rest)).toEqual([finding]);
  expect(found(mended, restMended)).toEqual([]);
});

test('FlowsInCircle: of files that invoke each other', () => {
  const read = (name: string, src: string) => {
    const states = `states: { a: { invoke: { src: ${src}, input: { deadlines: {} }, onDone: b, onError: b } }, b: { type: final } }`;
    return fileOf(`name: ${name}\nmeaning: A test.\ninitial: a\n${states}`);
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

test('each code has a file that has it', () => {
  const shown = [
    'FlowsInCircle',
    'ChildUnknown',
    'VersionUnknown',
    'InputWrong',
    'EventUnheard',
    ...cases.map(([finding]) => finding.split(' ')[0]),
  ];
  expect(lintCodes.filter((each) => !shown.includes(each))).toEqual([]);
});
