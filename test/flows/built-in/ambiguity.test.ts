// Flows whose end callbacks alone cannot tell (assumptions: A bare vendor): named where they are declared, and left to a
// person where they run.
import { describe, expect, test } from 'vitest';
import type { FlowInput, Role } from '../../../contract/flows/flow-input.ts';
import type { StateCode } from '../../../contract/wire/states.ts';
import type { ProcessStart } from '../../../engine/definition/definition.ts';
import {
  type FlowContext,
  type KnownShipment,
  newShipment,
  nothingKnown,
} from '../../../flows/booking/known.ts';
import { type Assignment, assignments, isWholeDone } from '../../../flows/booking/settlement.ts';
import { type Declaration, type Leg, legOf, rolesOf } from '../../../flows/built-in/declaration.ts';
import { flows, issueAndSwapIntake, newLeg, swapOf } from '../../../flows/built-in/flows.ts';
import { fileOf } from '../../../flows/shipped/files.ts';
import { shippedDefinition } from '../../../workflows/flow-files/shipped-flow.ts';
import { Outside, reportOf } from '../../workflows/outside.ts';
import { Playing } from '../../workflows/playing.ts';
import { requestOf, type Story, stories } from '../../workflows/stories.ts';

/**
 * The legs that look alike at the moment when the flow is done. It takes the reports to be less than a minute apart, so
 * that their times show no order.
 */
function alikeLegs(flow: Declaration): readonly Role[] {
  const { possible } = atTheEnd(flow);
  return rolesOf(flow).filter((role, index) => possible.some((each) => each[index] !== role));
}

/** The legs that look alike, if the flow is done by one assignment and not by another; else none. */
function indistinctLegs(flow: Declaration): readonly Role[] {
  const { known, possible } = atTheEnd(flow);
  return possible.every((each) => isWholeDone(flow, known, each)) ? [] : alikeLegs(flow);
}

function atTheEnd(flow: Declaration): {
  readonly known: FlowContext;
  readonly possible: readonly Assignment[];
} {
  const start = {
    input: { request: {} },
    flow: flow.name,
    version: 1,
    workflowId: '',
    firstExecutionRunId: '',
  };
  const shipments = rolesOf(flow).map((role) => shipmentAtTheEnd(flow, role));
  const known = { ...nothingKnown(start as ProcessStart<FlowInput>, 0), shipments };
  return { known, possible: assignments(flow, known) };
}

function shipmentAtTheEnd(flow: Declaration, role: Role): KnownShipment {
  const { isPrior } = legOf(flow, role);
  const seen = Object.fromEntries(reportedStates(flow, role).map((state) => [state, null]));
  return {
    ...newShipment(role),
    role: isPrior ? role : null,
    roleFrom: isPrior ? 'booking' : 'evidence',
    seen,
  };
}

/** The states that a bare vendor has reported by then (assumptions: A bare vendor). */
function reportedStates(flow: Declaration, role: Role): readonly StateCode[] {
  const leg = legOf(flow, role);
  const successors = rolesOf(flow).flatMap((other) => {
    const { follows } = legOf(flow, other);
    return follows?.role === role ? [follows.link] : [];
  });
  const reported = [...inLocker(leg, successors.includes('circularStock')), 'Completed'] as const;
  // A successor begins only when it is Completed.
  if (successors.length > 0) return reported;
  const end = reported.findIndex((state) => leg.done.includes(state));
  return end === -1 ? reported : reported.slice(0, end + 1);
}

function inLocker({ begins, done, follows }: Leg, isCircular: boolean): readonly StateCode[] {
  if (begins === 'ReadyForPickup') return [];
  const droppedOff = follows?.link === 'subsequentIntake' ? (['ReadyForDropoff'] as const) : [];
  // An intake with circular stock pending on it is Completed by its drop-off.
  if (isCircular) return droppedOff;
  return [...droppedOff, done.includes('WaitForReceiver') && !follows ? 'WaitForReceiver' : 'ReadyForPickup'];
}

const declared = Object.entries(flows).flatMap(([name, versions]) =>
  Object.entries<Declaration>(versions).map(([version, flow]) => ({ name: `${name}@${version}`, flow })),
);

/** Done as soon as what comes back lies in the locker. */
const swappedIn: Declaration = {
  ...issueAndSwapIntake,
  legs: {
    issue: newLeg(),
    intake: { ...swapOf('issue', 'return'), done: ['ReadyForPickup', 'Completed'] },
  },
  personAssignsLegs: true,
};

describe.each(declared)('$name', ({ flow }) => {
  test('callbacks show when it is done, or its declaration says that a person assigns the legs', () => {
    const indistinct = indistinctLegs(flow);
    const remedy =
      indistinct.length > 0 && !flow.personAssignsLegs
        ? `${flow.name}: callbacks alone cannot tell ${indistinct.join(' from ')} when the flow is done. ` +
          'Let these legs be done in the same states (Completed is safe), or say personAssignsLegs: true in the ' +
          'declaration: at a service that has nothing but the interface each of its processes then asks a person'
        : null;
    expect(remedy).toBe(null);
    expect(flow.personAssignsLegs === true).toBe(indistinct.length > 0);
  });
});

test('legs that look alike but are done in the same state are not indistinct', () => {
  expect(alikeLegs(issueAndSwapIntake)).toEqual(['issue', 'intake']);
  expect(indistinctLegs(issueAndSwapIntake)).toEqual([]);
});

test('a swap that is done once the item is in the locker is indistinct', () => {
  expect(indistinctLegs(swappedIn)).toEqual(['issue', 'intake']);
});

describe('a process of such a flow at a bare vendor', () => {
  const story = stories.find(({ flow }) => flow === 'IssueAndSwapIntake') as Story;

  async function swapped(flow: Declaration) {
    const outside = new Outside({ isBare: true });
    const { book } = outside.activities;
    // Nothing but two uids.
    outside.activities.book = async (input) => ({
      ...(await book(input)),
      references: [],
      shipments: ['one', 'two'].map((shipmentUid) => ({
        shipmentUid,
        role: null,
        stateCode: null,
        stateStart: null,
        pupUid: null,
        lockerName: null,
      })),
    });
    const input = { request: await requestOf(story, outside) };
    const playing = new Playing(flow.name, input, outside.activities, shippedDefinition(fileOf(flow)));
    await playing.answer();
    for (const state of ['ReadyForPickup', 'Completed'])
      playing.receive(reportOf('two', state, '2031-01-01T12:00:00'));
    expect(playing.progress.phase).toBe('Open');
    playing.receive(reportOf('one', 'ReadyForPickup', '2031-01-01T12:00:01'));
    return playing;
  }

  test('says what it cannot know, and ends as the person says', async () => {
    const playing = await swapped(swappedIn);
    expect(playing.progress).toMatchObject({ phase: 'NeedsPerson', activity: 'Following' });
    expect(playing.progress.waitingFor[0]?.words).toContain('the reports do not show which leg is which');
    const payload = {
      by: 'anna',
      why: 'seen at the locker',
      action: 'adopt',
      shipments: { issue: 'two', intake: 'one' },
    };
    playing.send({ type: 'resolve', payload, updateId: 'u1' });
    expect(playing.ending).toMatchObject({ kind: 'result', result: { outcome: 'Done' } });
  });

  test('needs nobody where every leg is done in the same state', async () => {
    const playing = await swapped(issueAndSwapIntake);
    expect(playing.progress.phase).toBe('Open');
    playing.receive(reportOf('one', 'Completed', '2031-01-01T12:00:02'));
    expect(playing.ending).toMatchObject({ kind: 'result', result: { outcome: 'Done' } });
  });
});
