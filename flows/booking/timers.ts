// What a booking waits for in time, computed from its state: the deadlines of its legs, their reminders, and the pauses of undoing.
import type { Role, Stage } from '../../contract/flows/flow-input.ts';
import type { ActorTimer } from '../../engine/inline-actor.ts';
import { type Declaration, legOf, rolesOf } from '../built-in/declaration.ts';
import type { BookingState } from './booking-state.ts';
import { deadlineOf, stageOfState } from './deadlines.ts';
import type { FlowContext } from './known.ts';
import { isFinal, legState } from './leg-state.ts';
import { reminderOf } from './reminders.ts';
import { type LegTimer, timerName } from './timer-names.ts';

export const CALLBACKS_OF_UNDOING = 'callbacksOfUndoing';
export const NEXT_TRY_OF_UNDOING = 'nextTryOfUndoing';

const REMINDER = 'reminder.';

/** By its id: `<role>.<stage>`, or `reminder.<role>.<stage>`. */
export function legTimer(id: string): LegTimer {
  const isReminder = id.startsWith(REMINDER);
  const [role, stage] = id.slice(isReminder ? REMINDER.length : 0).split('.') as [Role, Stage];
  return { role, stage, isReminder };
}

/** @param id the booking's: with it the timers of several in one process can be told apart by who reads its history */
export function timersOf(
  flow: Declaration,
  state: BookingState,
  { id, now }: { readonly id: string; readonly now: number },
): readonly ActorTimer[] {
  const timers = timersOfOne(flow, state, now);
  if (state.terms.isWhole) return timers;
  return timers.map((timer) => ({ ...timer, summary: `${timer.summary} (${id})` }));
}

function timersOfOne(
  flow: Declaration,
  { place, known, lookAt }: BookingState,
  now: number,
): readonly ActorTimer[] {
  if (place === 'following') return rolesOf(flow).flatMap((role) => timersOfLeg(flow, known, role, now));
  if (lookAt === undefined || place === 'ended') return [];
  return [
    place === 'stuck'
      ? { id: NEXT_TRY_OF_UNDOING, dueAt: lookAt, summary: 'wait before the next try to undo' }
      : {
          id: CALLBACKS_OF_UNDOING,
          dueAt: lookAt,
          summary: 'wait for the callbacks of the shipments that were undone',
        },
  ];
}

function timersOfLeg(flow: Declaration, known: FlowContext, role: Role, now: number): ActorTimer[] {
  const stage = timedStage(flow, known, role);
  const until = stage && deadlineOf(known, role, stage);
  if (!stage || until === null) return [];
  const isPassed = known.overdue.some(
    (each) => each.role === role && each.stage === stage && Date.parse(each.deadline) === until,
  );
  if (isPassed) return [];
  const remindAt = reminderOf(known, { role, stage, until }, now);
  const id = `${role}.${stage}`;
  const nameOf = (isReminder: boolean) => timerName({ role, stage, isReminder }, until);
  return [
    ...(remindAt === null ? [] : [{ id: `${REMINDER}${id}`, dueAt: remindAt, summary: nameOf(true) }]),
    { id, dueAt: until, summary: nameOf(false) },
  ];
}

/** The stage that the leg is in, if it may have a deadline. */
function timedStage(flow: Declaration, known: FlowContext, role: Role): Stage | null {
  const [leg, state] = [legOf(flow, role), legState(flow, known, role)];
  if (isFinal(leg, state)) return null;
  const stage = (stageOfState as Readonly<Partial<Record<string, Stage>>>)[state];
  return stage && leg.deadlines.includes(stage) ? stage : null;
}
