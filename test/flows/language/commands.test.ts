// What a process of a flow file says can be done to it: the query `actions`, played in virtual time.
import { expect, test } from 'vitest';
import type {
  ActionRequest,
  Actions,
  ActionValidation,
  CommandName,
} from '../../../contract/flows/actions.ts';
import { noReply } from '../../../engine/inbox.ts';
import { Player } from '../../../flows/simulation/player.ts';
import { fileOf } from './names.ts';

const repair = fileOf(`
name: Repair
meaning: Asks the desk about a device, and lends another one meanwhile.
context: { cost: 0 }
initial: looking
states:
  looking:
    invoke:
      - id: check
        src: ask
        input:
          of: desk
          question: What does it cost?
          fields: { cost: { type: number, label: Cost }, kind: { choice: [screen, battery] }, note: { type: text, optional: true } }
        onDone:
          - { guard: "\${event.output.cost > 100}", target: asking }
          - { target: over, actions: { type: assign, params: { cost: "\${100 / event.output.cost}" } } }
        onError: over
      - { id: loan, src: Issue, input: { request: {} }, onError: over }
    after: { P2D: over }
    on:
      lost: over
      paid: { guard: "\${event.data.amount > 5}", target: over }
      cancelRequested: { actions: { type: cancel, params: { invoke: loan } } }
  asking:
    invoke: { id: approve, src: ask, input: { of: boss, question: May it cost that? }, onDone: over }
  over: { type: final }
`);

const actionsOf = ({ process }: Player) => process.actions(undefined) as Actions;
const validationOf = ({ process }: Player, asked: ActionRequest) =>
  process.actions(asked) as ActionValidation;
const actionOf = (player: Player, command: CommandName) =>
  actionsOf(player).actions.find((each) => each.command === command);

test('the fields of an answer are those of its question', () => {
  const player = new Player(repair);
  expect(actionOf(player, 'answer')).toEqual({
    command: 'answer',
    question: 'check',
    isPossible: true,
    sent: { kind: 'update', name: 'answer', constant: { question: 'check' } },
    fields: {
      type: 'object',
      required: ['values', 'by'],
      additionalProperties: false,
      description: 'What does it cost?',
      properties: {
        by: expect.objectContaining({ type: 'string' }),
        values: {
          type: 'object',
          required: ['cost', 'kind'],
          additionalProperties: false,
          properties: {
            cost: { type: 'number', title: 'Cost' },
            kind: { type: 'string', enum: ['screen', 'battery'] },
            note: { type: 'string', maxLength: 2_000 },
          },
        },
      },
    },
  });
});

test('the validation of an answer says which event it raises, where the process is then, and whom it asks', () => {
  const player = new Player(repair);
  const fields = { by: 'anna', values: { cost: 200, kind: 'screen' } };
  expect(validationOf(player, { command: 'answer', fields })).toMatchObject({
    isPossible: true,
    consequence: {
      after: { activity: 'Running', phase: 'Open', state: 'asking', ends: null },
      event: 'xstate.done.actor.check',
      questions: [{ id: 'approve', of: 'boss' }],
      children: [{ id: 'loan', flow: 'Issue', effect: 'Cancelled' }],
      deadlines: [{ timer: 'P2D', state: 'looking', from: expect.any(String), until: null }],
    },
  });
  // The process itself has not moved.
  expect(player.states).toEqual(['looking']);
  expect(player.open.map(({ id }) => id)).toEqual(['check', 'loan']);
  player.answer('check', fields.values);
  expect(player.states).toEqual(['asking']);
});

test('an answer that does not fit is refused as the update would be', () => {
  const player = new Player(repair);
  const fields = { by: 'anna', values: { cost: 'much', kind: 'screen' } };
  expect(validationOf(player, { command: 'answer', fields })).toMatchObject({
    isPossible: false,
    refusal: { code: 'InvalidAnswer', message: 'cost must be a number' },
  });
});

test('the validation of an answer shows that its step would fail, and then what the decisions lead to', () => {
  const player = new Player(repair);
  const fields = { by: 'anna', values: { cost: 0, kind: 'screen' } };
  expect(validationOf(player, { command: 'answer', fields }).consequence?.after).toEqual({
    activity: 'NeedsPerson',
    phase: 'NeedsPerson',
    state: 'looking',
    ends: null,
  });
  expect(actionOf(player, 'dropEvent')?.refusal?.code).toBe('NotPossibleNow');
  expect(() => player.answer('check', fields.values)).toThrow();
  expect(actionOf(player, 'giveUp')?.consequence).toMatchObject({
    after: { activity: 'Ended', ends: { status: 'Failed', code: 'ExpressionFailed' } },
    children: [{ id: 'loan', effect: 'Cancelled' }],
  });
  expect(actionOf(player, 'event')?.refusal?.message).toContain('dropEvent or giveUp');
});

test('an event that its guard turns down changes nothing, and one that nobody listens for is refused', () => {
  const player = new Player(repair);
  const validation = (type: string, data: object) =>
    validationOf(player, { command: 'event', fields: { type, data } });
  expect(actionOf(player, 'event')?.fields?.properties.type).toEqual({
    type: 'string',
    enum: ['lost', 'paid'],
  });
  expect(validation('paid', { amount: 3 }).consequence?.isTaken).toBe(false);
  expect(validation('paid', { amount: 9 }).consequence).toMatchObject({
    isTaken: true,
    after: { state: 'over' },
  });
  expect(validation('found', {}).refusal?.message).toContain('expected one of lost, paid');
});

test('a cancellation that the file takes cancels the flow that it has started, and its end is previewed', () => {
  const player = new Player(repair);
  expect(actionOf(player, 'cancel')?.consequence).toMatchObject({
    after: { activity: 'Ended', state: 'over', ends: { status: 'Canceled' } },
    children: [{ id: 'loan', flow: 'Issue', effect: 'Cancelled' }],
  });
  player.cancel();
  expect(player.status).toBe('cancelled');
  expect(player.progress).toMatchObject({ activity: 'Ended', phase: null });
  expect(actionsOf(player)).toMatchObject({ isOpen: false });
  expect(actionOf(player, 'cancel')?.refusal).toEqual({
    code: 'ProcessEnded',
    message: 'the process has ended',
  });
});

test('an answer that ends the process names the final state to which it leads', () => {
  const player = new Player(
    fileOf(`
name: Approval
meaning: Asks the office.
initial: asked
states:
  asked:
    invoke:
      id: approve
      src: ask
      input: { of: office, question: May it cost that?, fields: { ok: { type: yesNo } } }
      onDone: [ { guard: "\${event.output.ok}", target: granted }, refused ]
  granted: { type: final, title: Granted }
  refused: { type: final }
`),
  );
  const endOf = (ok: boolean) => {
    const asked = { command: 'answer', fields: { by: 'anna', values: { ok } } } as const;
    return validationOf(player, asked).consequence?.after.ends;
  };
  expect(endOf(true)).toEqual({ status: 'Completed', title: 'Granted' });
  expect(endOf(false)).toEqual({ status: 'Completed' });
});

test('a question whose answer was dropped is asked again', () => {
  const player = new Player(repair);
  expect(() => player.answer('check', { cost: 0, kind: 'screen' })).toThrow();
  expect(actionOf(player, 'dropEvent')?.consequence).toMatchObject({
    questions: [{ id: 'check', of: 'desk' }],
  });
  player.process.decide('dropEvent', 'test', noReply);
  player.process.drain();
  expect(player.progress.questions).toMatchObject([{ id: 'check', of: 'desk' }]);
  player.answer('check', { cost: 200, kind: 'screen' });
  expect(player.states).toEqual(['asking']);
});

const ordering = (more: string) =>
  fileOf(`
name: Ordering
meaning: Orders a part, and waits for it.
context: { days: 0 }
initial: ordering
states:
  ordering:
    invoke:
      id: order
      src: call
      input: { connector: shop, method: POST, path: /orders }
      onDone: { target: over, actions: { type: assign, params: { days: "\${10 / event.output.body.days}" } } }
      onError: over
    ${more}
  over: { type: final }
`);

test.each([
  ['on: { cancelRequested: { actions: { type: log, params: { message: "no" } } } }', 'refused'],
  ['on: { weighed: { actions: { type: log, params: { message: "5" } } } }', 'refused'],
  ['on: { lost: over }', 'possible'],
  ['after: { P2D: over }', 'possible'],
])(
  'the answer of a call is dropped only where something else leaves its state: %s is %s',
  (more, expected) => {
    const player = new Player(ordering(more));
    const drop = () => actionOf(player, 'dropEvent');
    expect(() => player.done('order', { status: 200, headers: {}, body: { days: 0 } })).toThrow();
    expect(drop()?.isPossible).toBe(expected === 'possible');
    if (expected === 'refused')
      expect(drop()?.refusal).toEqual({
        code: 'NotPossibleNow',
        message: expect.stringMatching(
          /^nothing but the answer of order leaves ordering, .*correct the definition .*\(migrate\).*\(giveUp\)$/,
        ),
      });
    expect(actionOf(player, 'giveUp')?.isPossible).toBe(true);
  },
);

test('an event that has ended a delay is not dropped where nothing else leaves its state', () => {
  const file = fileOf(`
name: Waiting
meaning: Waits for a day.
context: { days: 0 }
initial: waiting
states:
  waiting: { after: { P1D: { target: over, actions: { type: assign, params: { days: "\${10 / context.days}" } } } } }
  over: { type: final }
`);
  const player = new Player(file);
  expect(() => player.pass('P2D')).toThrow();
  expect(actionOf(player, 'dropEvent')?.refusal?.message).toMatch(
    /^nothing but the delay P1D leaves waiting/,
  );
  const { words = '' } = player.progress.waitingFor[0] ?? {};
  expect(words).toMatch(
    /^a person: the step for the end of a wait cannot be taken: ExpressionFailed: states\.waiting\./,
  );
  expect(words).not.toContain('${');
  expect(player.progress.waitingFor[0]?.params).toMatchObject({ cause: 'timer', event: 'the end of a wait' });
  expect(player.progress.halted).toMatchObject({ event: 'the end of a wait' });
  expect(validationOf(player, { command: 'event', fields: { type: 'paid' } }).refusal?.message).toBe(
    'an event waits until a person has decided about the end of a wait: dropEvent or giveUp',
  );
});

test('a halted process says who corrects its file, where the file says so', () => {
  const text = (maintainer: string) => `
name: Count
meaning: Somebody counts.
${maintainer}
initial: counting
states:
  counting: { on: { counted: { target: over, actions: { type: assign, params: { n: "\${1 / event.data.n}" } } } } }
  over: { type: final }
context: { n: 0 }
`;
  const haltedOf = (maintainer: string) => {
    const player = new Player(fileOf(text(maintainer)));
    expect(() => player.send('counted', { n: 0 })).toThrow();
    return player.progress.halted;
  };
  expect(haltedOf('maintainer: IT (extension 12)')).toMatchObject({
    code: 'ExpressionFailed',
    maintainer: 'IT (extension 12)',
  });
  expect(haltedOf('')).not.toHaveProperty('maintainer');
});

test('a halted process takes its cancellation in place of the event that it cannot take', () => {
  const player = new Player(repair);
  expect(() => player.answer('check', { cost: 0, kind: 'screen' })).toThrow();
  const previewed = actionOf(player, 'cancel')?.consequence;
  player.cancel();
  expect(player.status).toBe('cancelled');
  expect(player.states).toEqual(['over']);
  expect(previewed).toMatchObject({ after: { state: 'over', ends: { status: 'Canceled' } } });
});

test('the end of an `after` of a file is moved as it was foretold', () => {
  const player = new Player(repair);
  const [wait] = player.progress.waitingFor.filter(({ kind }) => kind === 'time');
  const fields = { timer: wait?.id, fromNow: 'P5D' };
  expect(actionOf(player, 'extendDeadline')?.fields?.properties.timer?.enum).toEqual([wait?.id]);
  const { consequence } = validationOf(player, { command: 'extendDeadline', fields });
  expect(consequence?.deadlines).toEqual([
    {
      role: null,
      stage: null,
      timer: wait?.id,
      state: 'looking',
      from: '2026-01-07T09:00:00.000Z',
      until: '2026-01-10T09:00:00.000Z',
    },
  ]);
  player.process.update('extendDeadline', fields, 'test', noReply);
  player.pass('P4D');
  expect(player.states).toEqual(['looking']);
  player.pass('P1D');
  expect(player.states).toEqual(['over']);
  const past = { timer: wait?.id, until: '2020-01-01T00:00:00Z' };
  expect(
    validationOf(new Player(repair), { command: 'extendDeadline', fields: past }).refusal?.message,
  ).toMatch(/which has passed/);
});

test('an event is understood by the name that it had in the version before, also by a process that begins on this one', () => {
  const renamed = fileOf(`
name: Parcel
meaning: Keeps a parcel.
initial: kept
states:
  kept: { on: { collected: { target: over, was: fetched }, lost: over } }
  over: { type: final }
`);
  const player = new Player(renamed);
  const asked = { command: 'event', fields: { type: 'fetched' } } as const;
  expect(validationOf(player, asked)).toMatchObject({ isPossible: true, consequence: { isTaken: true } });
  player.send('fetched');
  expect(player.status).toBe('done');
});
