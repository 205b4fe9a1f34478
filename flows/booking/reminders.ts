// Reminders before deadlines, where the start's `tell` asks for them: when each comes, and its record.
import type { Role, Stage } from '../../contract/flows/flow-input.ts';
import { durationMs } from '../language/duration.ts';
import { deadlineOf, stageBegan } from './deadlines.ts';
import type { FlowContext, Reminder } from './known.ts';
import { notificationRequestIn } from './notification-request.ts';

/**
 * For the chart: Infinity is "no reminder". A deadline that is nearer than the reminder when its stage begins has none.
 * A reminder whose moment passed unseen, because no worker ran, comes late rather than never.
 */
export function delayOfReminder(known: FlowContext, role: Role, stage: Stage, now: number): number {
  const before = remindBeforeMs(known);
  const until = deadlineOf(known, role, stage);
  if (before === null || until === null || until <= now) return Number.POSITIVE_INFINITY;
  const moment = until - before;
  return moment <= stageBegan(known, role) ? Number.POSITIVE_INFINITY : Math.max(0, moment - now);
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
