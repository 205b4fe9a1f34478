// Every process answers `progress` in one shape: a built-in flow, whose booking is the whole of it, an onboarding, and a flow file.
import { expect, test } from 'vitest';
import { processProgressSchema } from '../../contract/flows/flow-answers.ts';
import { onboardProgressSchema } from '../../contract/flows/onboard-answers.ts';
import { examples } from '../../contract/operations/examples.ts';
import { declarations } from '../../flows/built-in/flows.ts';
import { Player } from '../../flows/simulation/player.ts';
import { fileOf } from '../flows/language/names.ts';
import { Outside } from './outside.ts';
import { Playing } from './playing.ts';

/** What it says, each field of it known to the schema. */
const asDescribed = (answer: object, schema = processProgressSchema) => schema.strict().parse(answer);

const startOf = (flow: string, operation: keyof typeof examples) =>
  new Playing(flow, { request: examples[operation].request }, new Outside().activities);

test.each(declarations.map(({ name, operation }) => [name, operation] as const))(
  '%s says all of its booking twice: as its own, and as its one booking',
  async (flow, operation) => {
    const playing = startOf(flow, operation);
    expect(playing.progress).toMatchObject({
      state: 'following',
      bookings: [{ activity: 'Booking', caseNo: null, shipments: {} }],
    });
    await playing.answer();
    const { bookings, ...own } = playing.progress;
    expect(bookings).toHaveLength(1);
    const [booking] = bookings;
    const { id, isWhole, ...said } = booking ?? {};
    expect([id, isWhole]).toEqual(['shipments', true]);
    expect(own).toMatchObject(said);
    expect(own).toMatchObject({ questions: [], halted: null, events: [], children: [], operation });
    // The rest is the process's alone.
    const alone = Object.fromEntries(Object.entries(own).filter(([name]) => !Object.hasOwn(said, name)));
    asDescribed({ ...alone, activity: own.activity, bookings });
  },
);

test('the legs of a booking are in the order of the chain, each with the states that it is expected to go through', () => {
  const legsOf = (flow: string, operation: keyof typeof examples) =>
    startOf(flow, operation).progress.legs.map(({ role, states }) => [role, ...states]);
  expect(
    legsOf(
      'IssueFromStockAndSubsequentIntakeAndCircularStock',
      'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock',
    ),
  ).toEqual([
    ['issue', 'ReadyForPickup', 'Completed'],
    ['intake', 'Registered', 'ReadyForDropoff', 'Completed'],
    ['circularStock', 'Registered', 'ReadyForPickup'],
  ]);
  expect(legsOf('Issue', 'CreateLocalShipmentAsIssue')).toEqual([
    ['issue', 'ReadyForDropoff', 'ReadyForPickup', 'Completed'],
  ]);
});

test('an onboarding books nothing, and says which call it waits for', () => {
  const { request } = examples.CreateAccount;
  const { progress } = new Playing('OnboardAccount', { request }, new Outside().activities);
  expect(asDescribed(progress, onboardProgressSchema as never)).toMatchObject({
    state: 'finding',
    step: 'finding',
    phase: 'Open',
    waitingFor: [{ kind: 'call', code: 'Call' }],
    bookings: [],
  });
});

test('a flow file books nothing until it has bookings, and says what it asks and at which step it has halted', () => {
  const player = new Player(
    fileOf(`
name: Approval
meaning: Somebody approves.
initial: asking
states:
  asking:
    invoke:
      id: check
      src: ask
      input: { of: desk, question: May it be bought?, fields: { cost: { type: number, min: 1 } } }
      onDone: over
    on: { fails: { target: over, guard: "\${event.data.x == 1}" } }
  over: { type: final }
`),
  );
  expect(asDescribed(player.progress)).toMatchObject({ bookings: [], questions: [{ id: 'check' }] });
  expect(() => player.send('fails', {})).toThrow('ExpressionFailed');
  expect(asDescribed(player.progress)).toMatchObject({
    phase: 'NeedsPerson',
    halted: { code: 'ExpressionFailed', details: { path: 'states.asking.on.fails.guard' } },
  });
});
