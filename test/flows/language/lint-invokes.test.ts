// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the flow files hold expressions.
// What `lint` finds in the invokes of a file: of flows, operations and connectors.
import { describe, expect, test } from 'vitest';
import { invokeSchemas } from '../../../contract/flow-schemas/flow-schemas.ts';
import { flowTypes } from '../../../contract/flows/flow-types.ts';
import type { FlowFile } from '../../../flows/language/flow-file.ts';
import { lintFindings } from '../../../flows/language/lint/lint.ts';
import { formatLintFinding } from '../../../flows/language/lint/lint-finding.ts';
import { type ReadFlowFile, readFlowFile } from '../../../flows/language/reading/read-flow-file.ts';
import { fileOf, namesForTests } from './names.ts';

const invocables = { builtIn: flowTypes, schemasOf: invokeSchemas, published: [] };

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

const copy = fileOf(`
name: Copy
meaning: Issues a tool as the built-in flow does, and says when it is wrapped.
initial: a
states:
  a:
    entry: { type: sendParent, params: { type: wrapped, data: { by: anna } } }
    invoke: { src: book, input: { operation: CreateLocalShipmentAsIssue, isWhole: true }, onDone: b, onError: b }
  b: { type: final }
`);

describe('a copy of a built-in flow, which lint sees, sends what that flow sends', () => {
  const COPY = 'src: Copy, input: { request: "${input.issue}" }';
  const found = (on: string, { events = '', published = false, src = COPY } = {}) => {
    const file = fileOf(
      `name: Parent\nmeaning: A test.\n${events}\ninitial: a\nstates:\n  a: { invoke: { id: loan, ${src}, onDone: b, onError: b }, on: { ${on} } }\n  b: { type: final }`,
    );
    const seen = published
      ? { invocables: { ...invocables, published: [copy] } }
      : { others: [file, copy], invocables };
    return lintFindings(file, seen).map(({ code, what, because }) => `${code} ${what}: ${because}`);
  };
  const logged = (event: string, text: string) =>
    `${event}: { actions: { type: log, params: { message: "\${${text}}" } } }`;

  test.each([true, false])('EventNeverComes: the events of its legs come (published: %s)', (published) => {
    expect(found('loan.issue.Completed: b, loan.needsPerson: b', { published })).toEqual([]);
    expect(found(logged('loan.wrapped', 'event.data.by'), { published })).toEqual([]);
    expect(found('loan.intake.Completed: b', { published })).toEqual([
      expect.stringContaining('EventNeverComes loan.intake.Completed: Copy sends issue.Registered, '),
    ]);
  });

  test.each([COPY, `src: each, input: { of: [1], do: { ${COPY} } }`])(
    'EventFieldUnknown: the events of its legs have their fields (%s)',
    (src) => {
      expect(found(logged('loan.issue.ReadyForPickup', 'event.lockerName'), { src })).toEqual([]);
      expect(found(logged('loan.issue.ReadyForPickup', 'event.data'), { src })).toEqual([
        expect.stringContaining('EventFieldUnknown event.data: it has type, shipmentUid, '),
      ]);
    },
  );

  test('EventFieldUnknown: not of its output, which may be another one', () => {
    const file = fileOf(
      `name: Parent\nmeaning: A test.\ninitial: a\nstates:\n  a: { invoke: { ${COPY}, onDone: { target: b, actions: { type: log, params: { message: "\${event.output.wrappedBy}" } } }, onError: b } }\n  b: { type: final }`,
    );
    expect(lintFindings(file, { others: [file, copy], invocables })).toEqual([]);
  });

  test('EventSchemaUnused: the events of its legs have no data to describe, its own have', () => {
    const events = (...types: string[]) =>
      `events: { ${types.map((type) => `${type}: { data: { type: object } }`).join(', ')} }`;
    const all = 'loan.*: b';
    expect(found(all, { events: events('loan.wrapped') })).toEqual([]);
    expect(found(all, { events: events('loan.issue.Completed') })).toEqual([
      expect.stringContaining('EventSchemaUnused loan.issue.Completed'),
    ]);
    expect(found('loan.issue.Completed: b', { events: events('loan.issue.Completed') })).toEqual([
      expect.stringContaining('EventSchemaUnused loan.issue.Completed'),
    ]);
  });
});

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
    expect(foundIn('src: GetShipmnt, input: {}', [repair])).toEqual([
      'ChildUnknown states.a.invoke.src: GetShipmnt: perhaps the operation GetShipment was meant',
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
      'InputWrong states.a.invoke.input.request.priorShipmentUid: priorShipmentUid: IssueFromStock: it is required',
      'InputWrong states.a.invoke.input.request.priorShipmentUId: priorShipmentUId: IssueFromStock: it is not known; perhaps priorShipmentUid was meant',
      'InputWrong states.a.invoke.input.request.toUserUid: toUserUid: IssueFromStock: it must be string, not 3',
      'InputWrong states.a.invoke.input.onOverdue: onOverdue: IssueFromStock: it must be "wait" or "cancel", not "cancle"',
    ]);
    expect(issue('{ request: "${input.request}", deadlines: { issue: { pickUp: P1M } } }')).toEqual([
      'InputWrong states.a.invoke.input.deadlines.issue.pickUp: pickUp: IssueFromStock: it must be a duration such as P2D or PT30M, not "P1M"',
    ]);
    expect(issue('{ request: { priorShipmentUid: "S-${input.no}" } }')).toEqual([
      'InputWrong states.a.invoke.input.request.toUserUid: toUserUid: IssueFromStock: it is required',
    ]);
  });

  test('InputWrong: a booking gets what the built-in flow of its operation gets, but no notifications', () => {
    const issue = (input: string) =>
      foundIn(`src: book, input: { operation: CreateLocalShipmentAsIssueFromStock, ${input} }`);
    const request = 'request: { priorShipmentUid: "${input.item}", toUserUid: u }';
    expect(
      issue(`${request}, deadlines: { issue: { pickUp: P3D } }, legs: { issue: { undo: cancel } }`),
    ).toEqual([]);
    expect(
      issue(
        `${request}, deadlines: { intake: { dropOff: P3D } }, onOverdue: cancle, personAssignsLegs: true`,
      ),
    ).toEqual([
      'InputWrong states.a.invoke.input.deadlines.intake: intake: book: it is not known; expected issue',
      'InputWrong states.a.invoke.input.onOverdue: onOverdue: book: it must be "wait" or "cancel", not "cancle"',
    ]);
    expect(issue('deadlines: {}, request: { priorShipmentUId: s, toUserUid: 3 }')).toEqual([
      'InputWrong states.a.invoke.input.request.priorShipmentUid: priorShipmentUid: book: it is required',
      'InputWrong states.a.invoke.input.request.priorShipmentUId: priorShipmentUId: book: it is not known; perhaps priorShipmentUid was meant',
      'InputWrong states.a.invoke.input.request.toUserUid: toUserUid: book: it must be string, not 3',
    ]);
    expect(issue('deadlines: {}')).toEqual([
      'InputWrong states.a.invoke.input.request: request: book: it is required',
    ]);
    expect(foundIn('src: book, input: { operation: CreateLocalShipmentAsIssue, isWhole: true }')).toEqual([]);
  });

  test('InputWrong: an expression that gives the input of the file as a whole gives no more than what is invoked takes', () => {
    const found = (invoke: string, properties: string) =>
      lintFindings(
        fileOf(
          `name: Linted\nmeaning: A test.\ninput: { type: object, properties: ${properties} }\ninitial: a\nstates:\n  a: { after: { P1D: b }, invoke: { onError: b, onDone: b, ${invoke} } }\n  b: { type: final }`,
        ),
        { invocables },
      ).flatMap(({ code, path, because }) => (code === 'InputWrong' ? `${code} ${path}: ${because}` : []));
    const person = '{ emailAddress: {}, firstName: {}, lastName: {}, pickUpPointUid: {} }';
    const whole = 'src: FindAccount, input: { request: "${input}" }';
    expect(found(whole, person)).toEqual([]);
    expect(found(whole, person.replace('}, first', '}, bookSize: {}, first'))).toEqual([
      expect.stringMatching(
        /^InputWrong states.a.invoke.input.request: FindAccount: it does not take bookSize of \$\{input\}; expected at most emailAddress, /,
      ),
    ]);
    const part = 'src: FindAccount, input: { request: "${ input.person }" }';
    expect(found(part, `{ bookSize: {}, person: { type: object, properties: ${person} } }`)).toEqual([]);
    expect(found(part, '{ person: { type: object, properties: { shoeSize: {} } } }')).toHaveLength(1);
    expect(found(part, '{ person: {} }')).toEqual([]);
  });

  test('InputWrong: a file whose booking is the whole process gets what the built-in flow of its operation gets', () => {
    const whole = fileOf(
      'name: Whole\nmeaning: A test.\ninitial: a\nstates: { a: { invoke: { src: book, input: { operation: CreateLocalShipmentAsIssueFromStock, isWhole: true }, onDone: b, onError: b } }, b: { type: final } }',
    );
    const start = (input: string) => foundIn(`src: Whole, input: ${input}`, [whole]);
    expect(
      start('{ request: { priorShipmentUid: s, toUserUid: u }, deadlines: { issue: { pickUp: P3D } } }'),
    ).toEqual([]);
    expect(start('{ request: { priorShipmentUid: s }, onOverdue: cancle }')).toEqual([
      'InputWrong states.a.invoke.input.request.toUserUid: toUserUid: Whole: it is required',
      'InputWrong states.a.invoke.input.onOverdue: onOverdue: Whole: it must be "wait" or "cancel", not "cancle"',
    ]);
  });

  test('InputWrong: an operation gets its request', () => {
    expect(foundIn('src: GetPickUpPoints, input: { pageNo: 1, pageSize: 10 }')).toEqual([]);
    expect(foundIn('src: GetPickUpPoints, input: { pageNo: one, page: 10 }')).toEqual([
      'InputWrong states.a.invoke.input.pageSize: pageSize: GetPickUpPoints: it is required',
      'InputWrong states.a.invoke.input.pageNo: pageNo: GetPickUpPoints: it must be integer, not "one"',
      'InputWrong states.a.invoke.input.page: page: GetPickUpPoints: it is not known; perhaps pageNo was meant',
    ]);
  });

  test('InputWrong: a file that is linted together gets its request', () => {
    expect(foundIn('src: Repair, input: { request: { devise: d-1, cost: much } }', [repair])).toEqual([
      'InputWrong states.a.invoke.input.request.device: device: Repair: it is required',
      'InputWrong states.a.invoke.input.request.devise: devise: Repair: it is not known; perhaps device was meant',
      'InputWrong states.a.invoke.input.request.cost: cost: Repair: it must be number, not "much"',
    ]);
    expect(foundIn('src: Repair, input: { device: d-1, cost: 3 }', [repair])).toEqual([
      'InputWrong states.a.invoke.input: input: Repair: device, cost must stand within request, as input: { request: { … } }',
    ]);
    expect(foundIn('src: Repair, input: {}', [repair])).toEqual([
      'InputWrong states.a.invoke.input.request: request: Repair: it is required',
    ]);
  });

  test('has line and column, where the text is at hand', () => {
    const text =
      'name: Linted\nmeaning: A test.\ninitial: a\nstates:\n  a: { after: { P1D: b } }\n  b: { type: final }\n  c: { always: b }';
    const { file, placeOf } = readFlowFile(text, namesForTests) as Extract<ReadFlowFile, { file: FlowFile }>;
    expect(lintFindings(file, { placeOf }).map(formatLintFinding)).toEqual([
      'StateUnreachable: line 7:3, states.c: c is never entered; add a transition to it, or remove it',
    ]);
  });
});

test.each([
  ['CreateLocalShipment', 'shipmentUid', 'shipmentUids', 'perhaps shipmentUid was meant'],
  ['GetShipments', 'items', 'shipments', 'it has items, '],
  ['FindAccount', 'differingDetails', 'differing', 'it has userUid, '],
])('EventFieldUnknown: %s answers %s, not %s', (src, right, wrong, because) => {
  const found = (field: string) =>
    foundIn(
      `id: asked, src: ${src}, input: { request: "\${input}" }, onDone: { target: b, actions: { type: log, params: { message: "\${event.output.${field}}" } } }`,
    ).filter((each) => each.startsWith('EventFieldUnknown'));
  expect(found(right)).toEqual([]);
  expect(found(wrong)).toEqual([
    expect.stringContaining(`EventFieldUnknown states.a.invoke.onDone: event.output.${wrong}: `),
  ]);
  expect(found(wrong)).toEqual([expect.stringContaining(because)]);
});

test('ContextFieldUnknown: what an operation has answered, unless anything else is kept there', () => {
  const found = (field: string, { context = '', more = '' } = {}) =>
    lintFindings(
      fileOf(`name: Linted
meaning: A test.
context: { ${context} }
initial: a
states:
  a: { invoke: { id: asked, src: FindAccount, input: { request: {} }, onDone: { target: b, actions: { type: assign, params: { account: "\${event.output}" } } }, onError: b } }
  b: { invoke: { id: again, src: FindAccount, input: { request: {} }, onDone: { target: c, actions: { type: assign, params: { account: "\${ event.output }" } } }, onError: c } }
  c: { on: { say: { target: d, actions: { type: log, params: { message: "\${context.account.${field}}" } } }, set: { actions: { type: log, params: { message: x } } }${more} }, after: { P1D: d } }
  d: { type: final }`),
      { invocables },
    ).flatMap(({ code, path, what, because }) =>
      code === 'ContextFieldUnknown' ? [`${path}: ${what}: ${because}`] : [],
    );
  const unknown = ['states.c.on.say: context.account.userUids: perhaps userUid was meant'];
  expect(found('userUid', { context: 'account: null' })).toEqual([]);
  expect(found('userUids', { context: 'account: null' })).toEqual(unknown);
  expect(found('userUids')).toEqual(unknown);
  expect(found('userUids', { context: 'account: { userUids: [] }' })).toEqual([]);
  const more = ', put: { actions: { type: assign, params: { account: "${input}" } } }';
  expect(found('userUids', { context: 'account: null', more })).toEqual([]);
});

test('EventFieldUnknown: at any depth of what an operation answers', () => {
  const found = (source: string) =>
    foundIn(
      `src: GetLockers, input: { pageNo: 1, pageSize: 9 }, onDone: { target: b, actions: { type: log, params: { message: "\${${source}}" } } }`,
    );
  expect(found('event.output.items.map(each, each.innerDimension.width)')).toEqual([]);
  expect(found('event.output.items.map(each, each.innerDimension.widht)')).toEqual([
    'EventFieldUnknown states.a.invoke.onDone: each.innerDimension.widht: perhaps width was meant',
  ]);
});
