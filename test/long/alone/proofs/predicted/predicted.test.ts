// What a flow predicts of a command is what happens: for each flow at each of its moments, and where it is in trouble, every
// command that it offers is predicted and then done. With everything real, test/end-to-end/undoing.test.ts asks what a
// cancellation does.

import { ApplicationFailure } from '@temporalio/common';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Consequence } from '../../../../../contract/flows/actions.ts';
import type { Progress } from '../../../../../contract/flows/flow-answers.ts';
import { outreachUpdates } from '../../../../../engine/outreach.ts';
import { possible } from '../../../../proofs/predicted/offered-commands.ts';
import { notUndone, Outside } from '../../../../workflows/outside.ts';
import { Playing } from '../../../../workflows/playing.ts';
import { requestOf, type Story, stories } from '../../../../workflows/stories.ts';
import { deadlines, type States, statesOf } from '../../../../workflows/under-way.ts';

// Time stands still, so that what is counted from now is the same.
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterAll(() => void vi.useRealTimers());

interface Moment {
  readonly story: Story;
  readonly actions: number;
  readonly isBare: boolean;
  /** It has not booked yet, does not know whether it has, or could not undo it. */
  readonly trouble?: 'booking' | 'doubt' | 'stuck';
}

/** The flow after so many actions, when it has the callbacks of all of them. */
async function underWay({ story, actions, isBare, trouble }: Moment) {
  const outside = new Outside({ isBare });
  const request = await requestOf(story, outside);
  const playing = new Playing(story.flow, { request, deadlines }, inTrouble(outside, trouble));
  outside.deliver = async (report) => playing.receive(report);
  if (trouble !== 'booking') await playing.answer();
  for (const [role, action] of story.actions.slice(0, actions)) await outside.does(outside.uid(role), action);
  if (trouble === 'stuck') {
    playing.send({ type: 'cancelRequested' });
    await playing.answer();
  }
  return { outside, playing, before: statesOf(outside) };
}

function inTrouble({ activities }: Outside, trouble: Moment['trouble']): Partial<Outside['activities']> {
  const { book, undo } = activities;
  let hasFailed = false;
  return {
    ...activities,
    book: async (input) => {
      const booked = await book(input);
      if (trouble !== 'doubt') return booked;
      const candidates = booked.shipments.map(({ shipmentUid }) => shipmentUid);
      const details = [{ why: 'two of them may be', candidates }];
      throw ApplicationFailure.create({ type: 'OutcomeUnknown', nonRetryable: true, details });
    },
    undo: async (input) => {
      if (trouble !== 'stuck' || hasFailed) return await undo(input);
      hasFailed = true;
      return notUndone(input);
    },
  };
}

const moments: Moment[] = [false, true].flatMap((isBare) =>
  stories.flatMap((story) => [...story.actions, null].map((_, actions) => ({ story, actions, isBare }))),
);
const troubles: Moment[] = (['booking', 'doubt', 'stuck'] as const).flatMap((trouble) =>
  stories.map((story) => ({ story, actions: 0, isBare: false, trouble })),
);

/** They take no step: nothing is predicted of them. */
const isBesideSteps = (command: string): boolean =>
  command === 'note' || Object.hasOwn(outreachUpdates, command);

const commandsOf = (playing: Playing) =>
  possible(playing.asked().actions.filter(({ command }) => !isBesideSteps(command)));

describe.each([...moments, ...troubles])(
  '$story.flow after $actions actions, with a bare peer: $isBare, in trouble: $trouble',
  (moment) => {
    test('each command does what was predicted, at the service and in the process', async () => {
      const all = commandsOf((await underWay(moment)).playing);
      for (const index of all.keys()) await doneAsPredicted(moment, index);
    });
  },
);

async function doneAsPredicted(moment: Moment, index: number): Promise<void> {
  const { outside, playing, before } = await underWay(moment);
  const {
    action: { command, sent },
    fields,
  } = commandsOf(playing)[index] as ReturnType<typeof commandsOf>[number];
  const said = playing.progress;
  const { isPossible, consequence } = playing.asked({ command, fields });
  expect([command, fields, isPossible]).toEqual([command, fields, true]);
  // It has changed nothing.
  expect(playing.progress).toEqual(said);
  if (sent.kind === 'cancellation') playing.send({ type: 'cancelRequested' });
  else playing.send({ type: sent.name, payload: { ...fields, ...sent.constant }, updateId: 'one' });
  // What comes of a booking cannot be foretold.
  if (moment.trouble !== 'booking' && moment.trouble !== 'doubt') await playing.answer();
  // Only the service knows whether a shipment has a receiver, and the flow of a bare peer may not know its state.
  if (playing.emitted.some(({ type }) => type === 'refusal'))
    return expect(command).toMatch(/^(?:set|remove)Receiver$/);
  expectHappened({ command, fields }, consequence as Consequence, { outside, playing, before, said });
}

interface Happened {
  readonly outside: Outside;
  readonly playing: Playing;
  readonly before: States;
  readonly said: Progress;
}

function expectHappened(what: object, predicted: Consequence, { outside, playing, before, said }: Happened) {
  const { progress, state } = playing;
  // A callback of the receiver's change may move its leg on.
  const isMovedOn = predicted.shipments.some(({ effect }) => effect === 'ReceiverSet');
  if (!isMovedOn)
    expect({ ...what, ...predicted.after }).toEqual({
      ...what,
      ...state,
      activity: progress.activity,
      phase: state.ends ? null : progress.phase,
    });
  const after = statesOf(outside);
  const cancelled = [...outside.roles].filter(
    ([role]) => after[role] === 'Cancelled' && before[role] !== 'Cancelled',
  );
  const effects = new Map(predicted.shipments.map(({ shipmentUid, effect }) => [shipmentUid, effect]));
  const expected = [...outside.roles].filter(([, uid]) => effects.get(uid) === 'Cancelled');
  const unsure = [...outside.roles].filter(([, uid]) => effects.get(uid) === 'ReceiverRemovedOrCancelled');
  expect([what, cancelled.filter(([role]) => !unsure.some(([each]) => each === role))]).toEqual([
    what,
    expected,
  ]);
  for (const [role, uid] of outside.roles)
    if (effects.get(uid) === 'Stays' || effects.get(uid) === 'ReceiverRemoved')
      expect([what, role, after[role]]).toEqual([what, role, before[role]]);
  const left = new Set(said.itemsLeft.map(({ shipmentUid }) => shipmentUid));
  expect([what, predicted.itemsLeft]).toEqual([
    what,
    progress.itemsLeft.filter(({ shipmentUid }) => !left.has(shipmentUid)),
  ]);
  if (!isMovedOn) expect([what, movedIn(said, progress)]).toEqual([what, predicted.deadlines]);
}

/** The deadlines that differ between two answers of a flow, in the form in which a consequence has them. */
function movedIn(before: Progress, after: Progress): Consequence['deadlines'] {
  const untilOf = ({ deadlines: all }: Progress) =>
    new Map(all.map((each) => [`${each.role}.${each.stage}`, each]));
  const [was, is] = [untilOf(before), untilOf(after)];
  return [...new Map([...was, ...is])].flatMap(([name, { role, stage }]) => {
    const from = was.get(name)?.until ?? null;
    const until = is.get(name)?.until ?? null;
    const ahead = is.get(name)?.ahead;
    return from === until ? [] : [{ role, stage, timer: null, from, until, ...(ahead && { ahead }) }];
  });
}
