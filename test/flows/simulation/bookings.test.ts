// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of flow files.
// biome-ignore-all lint/suspicious/noThenProperty: a key of stories.
// Stories of files that book (`src: book`): what they hear of their legs, and what becomes of a booking that is refused, in doubt,
// overdue, cancelled or left.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { invokeSchemas } from '../../../contract/flow-schemas/flow-schemas.ts';
import type { Role } from '../../../contract/flows/flow-input.ts';
import { flowTypes } from '../../../contract/flows/flow-types.ts';
import { declarations } from '../../../flows/built-in/flows.ts';
import type { Json } from '../../../flows/language/flow-file.ts';
import { lintFindings } from '../../../flows/language/lint/lint.ts';
import { yamlText } from '../../../flows/language/reading/yaml-text.ts';
import { SHIPMENTS, fileOf as shippedFileOf } from '../../../flows/shipped/files.ts';
import { play } from '../../../flows/simulation/play-story.ts';
import { Player } from '../../../flows/simulation/player.ts';
import { differing, fileOf } from '../language/names.ts';

const loan = (more = '', policy = 'wait') =>
  fileOf(`
name: Loan
meaning: A tool is issued from a locker.
context: { result: null }
initial: lent
states:
  lent:
    invoke:
      id: loan
      src: book
      input:
        operation: CreateLocalShipmentAsIssue
        request: { toUserUid: anna }
        deadlines: { issue: { pickUp: P3D } }
        onOverdue: ${policy}
      onDone: { target: over, actions: { type: assign, params: { result: "\${event.output}" } } }
      onError: { target: refused, actions: { type: assign, params: { result: "\${event.error.code}" } } }
    on:
      loan.issue.ReadyForPickup: { actions: { type: emit, params: { type: arrived, data: "\${event.shipmentUid}" } } }
      loan.issue.overdue: { actions: { type: emit, params: { type: late, data: "\${event.stage}" } } }
      loan.needsPerson: { actions: { type: emit, params: { type: stuck, data: "\${size(event.waitingFor)}" } } }
      ${more}
  over: { type: final }
  refused: { type: final }
output: "\${context.result}"
`);

describe('a booking of a story', () => {
  test('says where its leg is, when its deadline passes, and its result', () => {
    const steps = `
- when: { event: loan.issue.ReadyForPickup }
  then: { emitted: [{ type: arrived, data: loan-issue }] }
- when: { passes: P2D }
  then: { emitted: [] }
- when: { passes: P1D }
  then: { state: lent, emitted: [{ type: late, data: pickUp }] }
- when: { event: loan.issue.Completed }
  then:
    state: over
    output:
      outcome: Done
      shipments: { issue: { shipmentUid: loan-issue, stateCode: Completed } }
      overdue: [{ role: issue, stage: pickUp, deadline: "2026-01-08T09:00:00Z" }]
      itemsLeft: []
      unassigned: []
`;
    expect(differing(loan(), steps, {}, { state: 'lent', open: ['loan'] })).toEqual([]);
  });

  test('gives the start of the state, pick-up point and locker in each event of a leg', () => {
    const more = `
      loan.issue.ReadyForDropoff: { actions: { type: emit, params: { type: at, data: "\${event.stateStart}" } } }
      loan.issue.WaitForReceiver: { actions: { type: emit, params: { type: at, data: "\${event.stateStart + event.pupUid + event.lockerName}" } } }
`;
    const steps = `
- when: { passes: P1D }
  then: { emitted: [{ type: at, data: "2026-01-05T09:00:00.000Z" }] }
- when: { event: loan.issue.WaitForReceiver }
  then: { emitted: [{ type: at, data: "2026-01-06T09:00:00.000Zloan-pickUpPointloan-locker" }] }
`;
    expect(differing(loan(more), steps)).toEqual([]);
  });

  test('says with the state of a leg until when its stage may take', () => {
    const events = ['ReadyForDropoff', 'ReadyForPickup', 'deadlineMoved', 'overdue', 'Completed'].map(
      (event) =>
        `loan.issue.${event}: { actions: { type: emit, params: { type: ${event}, data: "\${event.until}" } } }`,
    );
    const file = fileOf(`
name: Loan
meaning: A tool is issued from a locker.
initial: lent
states:
  lent:
    invoke:
      id: loan
      src: book
      input:
        operation: CreateLocalShipmentAsIssue
        request: { toUserUid: anna }
        deadlines: { issue: { pickUp: P3D } }
      onDone: over
      onError: over
    on:
      ${events.join('\n      ')}
  over: { type: final }
`);
    const steps = `
- when: { passes: P1D }
  then: { emitted: [{ type: ReadyForDropoff, data: null }] }
- when: { event: loan.issue.ReadyForPickup }
  then: { emitted: [{ type: ReadyForPickup, data: "2026-01-09T09:00:00.000Z" }] }
- when: { extend: loan.issue.pickUp, extendBy: P1D }
  then: { emitted: [{ type: deadlineMoved, data: "2026-01-10T09:00:00.000Z" }] }
- when: { passes: P4D }
  then: { emitted: [{ type: overdue, data: "2026-01-10T09:00:00.000Z" }] }
- when: { event: loan.issue.Completed }
  then: { emitted: [{ type: Completed, data: null }] }
`;
    expect(differing(file, steps)).toEqual([]);
    const moved = `
- when: { extend: loan.issue.pickUp, until: "2026-02-01T09:00:00Z" }
- when: { event: loan.issue.ReadyForPickup }
  then: { emitted: [{ type: ReadyForPickup, data: "2026-02-01T09:00:00.000Z" }] }
`;
    expect(differing(file, moved)).toEqual([]);
  });

  test('gives them of a built-in flow that runs as its own, too', () => {
    const file = fileOf(`
name: Child
meaning: A flow of its own books.
initial: lent
states:
  lent:
    invoke: { id: loan, src: Issue, input: { request: {} }, onDone: over, onError: over }
    on: { loan.issue.ReadyForPickup: { actions: { type: emit, params: { type: at, data: "\${event.shipmentUid + event.stateStart}" } } } }
  over: { type: final }
`);
    const steps = `
- when: { event: loan.issue.ReadyForPickup }
  then: { emitted: [{ type: at, data: "loan-issue2026-01-05T09:00:00.000Z" }] }
- when: { event: loan.issue.ReadyForPickup, data: { shipmentUid: "s-1 at " } }
  then: { emitted: [{ type: at, data: "s-1 at 2026-01-05T09:00:00.000Z" }] }
`;
    expect(differing(file, steps)).toEqual([]);
  });

  test('is undone by a deadline that says so, and ends with what was left in the locker', () => {
    const steps = `
- when: { event: loan.issue.ReadyForPickup }
- when: { passes: P3D }
  then: { state: over, output: { outcome: Overdue, itemsLeft: [{ role: issue, shipmentUid: loan-issue }] } }
`;
    expect(differing(loan('', 'cancel'), steps)).toEqual([]);
  });

  test('is refused, with the code of the service', () => {
    const steps = `
- when: { fails: loan, error: { code: NoLockerAvailable } }
  then: { state: refused, output: NoLockerAvailable }
`;
    expect(differing(loan(), steps)).toEqual([]);
  });

  test('that is refused or given up says all that it says in a run', () => {
    const text = JSON.stringify(loan()).replace('${event.error.code}', '${event.error}');
    const error = (steps: string, then: object) =>
      differing(JSON.parse(text), `${steps}\n  then: { output: ${JSON.stringify(then)} }`);
    const refusal = { code: 'NoLockerAvailable', message: 'all are taken' };
    const seen = {
      ...refusal,
      httpStatus: 409,
      operation: 'CreateLocalShipmentAsIssue',
      evidence: { free: 0 },
    };
    const { message: _, ...detail } = { ...seen, mayHaveReachedService: 'yes', requestId: null };
    expect(
      error(
        `- when: { fails: loan, error: ${JSON.stringify({ ...refusal, status: 409, detail: { free: 0 } })} }`,
        { ...refusal, status: 409, detail: { free: 0 }, details: [detail] },
      ),
    ).toEqual([]);
    expect(
      error('- when: { fails: loan, error: OutcomeUnknown }\n- when: { giveUp: loan, by: anna }', {
        code: 'OutcomeUnknown',
        message: 'given up by anna: a story says so',
        details: [{ why: 'OutcomeUnknown', candidates: [] }],
      }),
    ).toEqual([]);
  });

  test('is in doubt, and needs a person', () => {
    const steps = `
- when: { fails: loan, error: { code: OutcomeUnknown } }
  then: { state: lent, open: [loan], emitted: [{ type: stuck, data: 1 }] }
- when: { event: loan.issue.Completed }
  then: { refused: true }
`;
    expect(differing(loan(), steps)).toEqual([]);
  });

  test('in doubt is booked, found or given up, as a person decides', () => {
    const doubt = '- when: { fails: loan, error: { code: OutcomeUnknown } }';
    const steps = (decided: string, then: string) => `${doubt}
- when: { ${decided}: loan }
${then}`;
    const goesOn = `  then: { state: lent, open: [loan] }
- when: { event: loan.issue.ReadyForPickup }
  then: { emitted: [{ type: arrived, data: loan-issue }] }
- when: { done: loan }
  then: { state: over, output: { outcome: Done, shipments: { issue: { shipmentUid: loan-issue } } } }`;
    expect(differing(loan(), steps('retry', goesOn))).toEqual([]);
    expect(differing(loan(), steps('adopt', goesOn))).toEqual([]);
    expect(differing(loan(), steps('giveUp', '  then: { state: refused, output: OutcomeUnknown }'))).toEqual(
      [],
    );
    const again = `- when: { fails: loan, error: NoLockerAvailable }
  then: { state: refused, output: NoLockerAvailable }`;
    expect(differing(loan(), steps('retry', again))).toEqual([]);
  });

  test('in doubt is an item of an each, or the whole process, too', () => {
    const kit = fileOf(`
name: Kit
meaning: Two tools are issued.
initial: lent
states:
  lent:
    invoke:
      id: kit
      src: each
      input: { of: [1, 2], tolerate: all, do: { src: book, input: { operation: CreateLocalShipmentAsIssue, request: { toUserUid: anna } } } }
      onDone: { target: over, actions: { type: assign, params: { result: "\${event.output}" } } }
  over: { type: final }
output: "\${context.result}"
`);
    const steps = `
- when: { fails: kit.0, error: OutcomeUnknown }
- when: { fails: kit.1, error: OutcomeUnknown }
- when: { retry: kit.0 }
- when: { done: kit.0 }
- when: { giveUp: kit.1 }
  then: { status: done, output: { done: [{ index: 0 }], failed: [{ error: { code: OutcomeUnknown } }] } }
`;
    expect(differing(kit, steps)).toEqual([]);
    for (const declared of declarations) {
      const whole = { ...shippedFileOf(declared), name: 'OfMyOwn' };
      const found = `
- when: { fails: ${SHIPMENTS}, error: OutcomeUnknown }
- when: { adopt: ${SHIPMENTS} }
- when: { done: ${SHIPMENTS} }
  then: { state: done, output: { outcome: Done } }
`;
      expect(differing(whole, found, { priorShipmentUid: 'prior' })).toEqual([]);
    }
  });

  test('in doubt whose state was left is undone after a person has decided', () => {
    const doubt = `
- when: { fails: loan, error: OutcomeUnknown }
- when: { event: stop }
  then: { state: refused, status: active, open: [loan left] }
`;
    const over = '  then: { status: done, open: [] }';
    for (const decided of ['adopt', 'giveUp'])
      expect(differing(loan('stop: refused'), `${doubt}- when: { ${decided}: loan left }\n${over}`)).toEqual(
        [],
      );
    expect(differing(loan('stop: refused'), `${doubt}- when: { adopt: loan }`)).toEqual([
      'step 3 (adopt loan): no booking runs as loan; expected loan left',
    ]);
  });

  test('takes no step that does nothing, and says why', () => {
    const problem = (steps: string) => differing(loan(), steps)[0];
    const doubt = '- when: { fails: loan, error: OutcomeUnknown }\n';
    const expected = "expected a person's decision: retry: loan";
    for (const step of ['done: loan', 'fails: loan', 'event: loan.issue.Completed'])
      expect(problem(`${doubt}- when: { ${step} }`)).toContain(
        `loan is in doubt: nobody knows whether it was booked; ${expected}`,
      );
    const booked = '- when: { passes: P1D }\n';
    expect(problem(`${booked}- when: { fails: loan }`)).toContain(
      'loan is booked already: whatever a step books',
    );
    for (const step of ['retry', 'adopt', 'giveUp'])
      expect(problem(`${booked}- when: { ${step}: loan }`)).toContain(
        `${step} is possible for a booking in doubt, and loan is booked;`,
      );
    expect(problem('- when: { event: loan.intake.Completed }')).toContain(
      'expected a leg, one of issue, and its state',
    );
  });

  test('is undone before a process ends that somebody has cancelled', () => {
    const steps = `
- when: { event: loan.issue.ReadyForPickup }
- when: { cancel: true }
  then: { status: cancelled, open: [] }
`;
    expect(differing(loan(), steps)).toEqual([]);
  });

  test('that an action cancels is undone, and fails with Cancelled', () => {
    const more = 'stop: { actions: { type: cancel, params: { invoke: loan } } }';
    const steps = `
- when: { event: loan.issue.ReadyForPickup }
- when: { event: stop }
  then: { state: refused, output: Cancelled }
`;
    expect(differing(loan(more), steps)).toEqual([]);
  });

  test('whose state is left is undone, and the process ends after that', () => {
    const steps = `
- when: { event: loan.issue.ReadyForPickup }
- when: { event: stop }
  then: { state: refused, status: done, open: [] }
`;
    expect(differing(loan('stop: refused'), steps)).toEqual([]);
  });

  test('that was cancelled with its process leads on by onError', () => {
    const file = {
      ...loan(),
      states: { ...loan().states, refused: { on: { seen: 'over' } } },
    };
    const steps = `
- when: { cancel: true }
  then: { state: refused, status: active, context: { result: Cancelled } }
- when: { event: seen }
  then: { status: cancelled }
`;
    expect(differing(file, steps)).toEqual([]);
  });

  test('that is done when its process is cancelled ends with its result', () => {
    const steps = `
- when: { event: loan.issue.Completed }
- when: { cancel: true }
  then: { refused: true, status: done }
`;
    expect(differing(loan(), steps)).toEqual([]);
  });

  test('is carried by a migration, with its deadlines, and ends by what the new version says of its leg', () => {
    const before = loan();
    const text = JSON.stringify(before).replace(
      '"onOverdue":"wait"',
      '"onOverdue":"wait","legs":{"issue":{"done":["ReadyForPickup"]}}',
    );
    const versions = new Map([['next', JSON.parse(text)]]);
    const played = (plan: object) =>
      play(
        before,
        {
          story: 'It ends at the locker.',
          steps: [
            { when: { event: 'loan.issue.ReadyForPickup' } },
            { when: { migrates: 'next' }, then: { refused: 'FinalChanged' } },
            {
              when: { migrates: 'next', plan } as never,
              then: { status: 'done', output: { outcome: 'Done' } },
            },
          ],
        },
        { versions },
      ).problems;
    expect(played({ states: { 'loan.issue.ReadyForPickup': 'loan.issue.ReadyForPickup' } })).toEqual([]);
  });

  test('has deadlines that somebody moves, of which the file hears', () => {
    const more =
      'loan.issue.deadlineMoved: { actions: { type: emit, params: { type: moved, data: "${event.until}" } } }';
    const steps = `
- when: { event: loan.issue.ReadyForPickup }
- when: { extend: loan.issue.pickUp, extendBy: P2D }
  then: { emitted: [{ type: moved, data: "2026-01-10T09:00:00.000Z" }] }
- when: { passes: P4D }
  then: { emitted: [] }
- when: { passes: P1D }
  then: { emitted: [{ type: late, data: pickUp }] }
- when: { extend: loan.issue.pickUp, until: "2026-01-12T09:00:00Z" }
  then: { emitted: [{ type: moved, data: "2026-01-12T09:00:00.000Z" }] }
- when: { extend: loan.issue.pickUp, until: "2026-01-11T09:00:00Z" }
  then: { emitted: [{ type: moved, data: "2026-01-11T09:00:00.000Z" }] }
`;
    expect(differing(loan(more), steps)).toEqual([]);
  });

  test('says which of its deadlines can be moved, where a story names no such one', () => {
    const problem = (extend: string, until = '2026-01-12T09:00:00Z') =>
      differing(
        loan(),
        `
- when: { event: loan.issue.ReadyForPickup }
- when: { extend: ${extend}, until: "${until}" }
`,
      )[0];
    expect(problem('loan.issue.pickup')).toBe(
      'step 2 (extend loan.issue.pickup): timer is "loan.issue.pickup", expected none: it waits for no time now; ' +
        'the deadlines of its bookings that can be moved now: loan.issue.pickUp',
    );
    expect(problem('loan.issue.dropOff')).toContain(
      'issue is ReadyForPickup, beyond dropOff; the deadlines of its bookings that can be moved now: loan.issue.pickUp',
    );
    expect(problem('loan.issue.pickUp', '2025-01-01T09:00:00Z')).toMatch(/which has passed$/);
  });

  test('takes no report of a leg or a state that it does not have', () => {
    const steps = `
- when: { event: loan.intake.Completed }
  then: { refused: true, state: lent }
- when: { event: loan.issue.PickedUp }
  then: { refused: true, state: lent }
`;
    expect(differing(loan(), steps)).toEqual([]);
  });

  test('is told from another one of the process by its id', () => {
    const two = fileOf(`
name: Two
meaning: Two are issued at once.
initial: both
states:
  both:
    type: parallel
    states: { one: ${region('one')}, other: ${region('other')} }
    onDone: over
  over: { type: final }
`);
    const steps = `
- when: { event: other.issue.Completed }
  then: { state: [both.one.waiting, both.other.over], open: [one] }
- when: { event: one.issue.Completed }
  then: { status: done }
`;
    expect(differing(two, steps, {}, { open: ['one', 'other'] })).toEqual([]);
  });
});

/** Recorded of runs (`npm run docs:examples`). */
const examples: Readonly<Record<string, readonly Readonly<Record<string, object>>[]>> = JSON.parse(
  readFileSync('docs/flow-examples.json', 'utf8'),
);

const region = (id: string) =>
  `{ initial: waiting, states: { waiting: { invoke: { id: ${id}, src: book, input: { operation: CreateLocalShipmentAsIssue, request: { toUserUid: anna } }, onDone: over, onError: over } }, over: { type: final } } }`;

describe('the file of a built-in flow, printed and renamed', () => {
  test.each(declarations.map((declared) => [declared.name, declared] as const))(
    'of %s is clean, and books, follows and ends',
    (name, declared) => {
      const text = yamlText(shippedFileOf(declared)).replace(`name: ${name}\n`, 'name: OfMyOwn\n');
      const file = fileOf(text);
      expect(file).toEqual({ ...shippedFileOf(declared), name: 'OfMyOwn' });
      const invocables = { builtIn: flowTypes, schemasOf: invokeSchemas, published: [] };
      expect(lintFindings(file, { invocables })).toEqual([]);
      const played = play(file, {
        story: 'It is done.',
        given: { input: { priorShipmentUid: 'prior' } },
        then: { state: 'following', open: [SHIPMENTS] },
        steps: [{ when: { done: SHIPMENTS }, then: { state: 'done', output: { outcome: 'Done' } } }],
      });
      expect(played.problems).toEqual([]);
    },
  );

  test.each(declarations.map((declared) => [declared.name, declared] as const))(
    'of %s knows of its shipments in a story what it knows in a run',
    (name, declared) => {
      const [input] = examples[`${name}.input`] ?? [];
      const player = new Player(shippedFileOf(declared), { input: input?.request as Json });
      player.pass('PT1S');
      const [played] = player.progress.bookings;
      // What a story must say itself: where the stock is that exists.
      const isOwn = ([role]: [string, unknown]) => !declared.legs[role as Role]?.isPrior;
      const knownOf = (shipments: object) =>
        Object.entries(shipments)
          .filter(isOwn)
          .map(([role, { stateCode, stateStart, pupUid, lockerName }]) => [
            role,
            stateCode,
            ...[stateStart, pupUid, lockerName].map((value) => value !== null),
          ]);
      const recorded = (examples[`${name}.progress`] ?? [])[0]?.shipments ?? {};
      expect(knownOf(played?.shipments ?? {})).toEqual(knownOf(recorded));
    },
  );

  test('names its events by the id of its booking', () => {
    const [issue] = declarations.filter(({ name }) => name === 'Issue');
    const file = { ...shippedFileOf(issue as never), name: 'OfMyOwn' };
    expect(differing(file, '- when: { event: issue.Completed }')).toEqual([
      `step 1 (event issue.Completed): issue.Completed is not taken in following; expected one of ${SHIPMENTS}.<leg>.<state>`,
    ]);
    expect(
      differing(file, `- when: { event: ${SHIPMENTS}.issue.Completed }\n  then: { status: done }`),
    ).toEqual([]);
  });

  test('takes beside the request what the built-in flow takes', () => {
    const [issue] = declarations.filter(({ name }) => name === 'Issue');
    const file = { ...shippedFileOf(issue as never), name: 'OfMyOwn' };
    const { problems } = play(file, {
      story: 'Its deadline undoes it.',
      given: { start: { deadlines: { issue: { dropOff: 'P1D' } }, onOverdue: 'cancel' } },
      steps: [{ when: { passes: 'P1D' }, then: { state: 'done', output: { outcome: 'Overdue' } } }],
    });
    expect(problems).toEqual([]);
  });

  test('ends as the built-in flow does where the service refuses it, with all that it says', () => {
    const [issue] = declarations.filter(({ name }) => name === 'Issue');
    const file = { ...shippedFileOf(issue as never), name: 'OfMyOwn' };
    const { problems } = play(file, {
      story: 'It is refused.',
      steps: [
        {
          when: { fails: SHIPMENTS, error: { code: 'InvalidPupUid', message: 'no such pick up point' } },
          then: { status: 'failed', error: { code: 'InvalidPupUid', message: 'no such pick up point' } },
        },
      ],
    });
    expect(problems).toEqual([]);
  });
});
