// Reminders before deadlines, where the start's `tell` asks for them: when each comes, and its record.
import type { Role, Stage } from '../../contract/flows/flow-input.ts';
import { durationMs } from '../language/duration.ts';
import { deadlineOf, stageBegan } from './deadlines.ts';
import type { FlowContext, Reminder } from './known.ts';
import { notificationRequestIn } from './notification-request.ts';

/**
 * When it comes, in milliseconds since 1970; null: there is none, or it has come. A deadline that is nearer than the reminder when
 * its stage begins has none. A reminder whose moment passed unseen, because no worker ran, comes late rather than never.
 */
export function reminderOf(
  known: FlowContext,
  { role, stage, until }: { readonly role: Role; readonly stage: Stage; readonly until: number },
  now: number,
): number | null {
  const before = remindBeforeMs(known);
  const isReminded = known.reminded.some(
    (each) => each.role === role && each.stage === stage && Date.parse(each.until) === until,
  );
  if (before === null || isReminded || until <= now) return null;
  const moment = until - before;
  return moment <= stageBegan(known, role) ? null : moment;
}

function remindBeforeMs({ start }: FlowContext): number | null {
  const tell = notificationRequestIn(start.input);
  return tell?.events.includes('reminder') ? durationMs(tell.remindBefore) : null;
}

export function withReminder(known: FlowContext, role: Role, stage: Stage): FlowContext {
  const until = deadlineOf(known, role, stage);
  if (until === null) return known;
  const reminder: Reminder = { role, stage, until: new Date(until).toISOString() };
  return { ...known, reminded: [...known.reminded, reminder] };
}
