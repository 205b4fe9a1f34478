// Which notifications the start of a flow asks for, and how one is emitted. The input is unchecked: what is no such request asks for
// nothing.
import type { Tell } from '../../contract/flows/flow-input.ts';
import type { Closing } from '../../engine/definition/closing.ts';
import { errorView } from '../language/machine/machine-runtime.ts';

export function notificationRequestIn(input: unknown): Tell | null {
  const { tell } = input as { readonly tell?: Tell | null };
  return tell && Array.isArray(tell.events) && isConnector(tell.to ?? 'x') ? tell : null;
}

const isConnector = (to: unknown): boolean => typeof to === 'string' && /^[A-Za-z][\w-]{0,63}$/.test(to);

/** For the connector of events: `flow.reminder`, `flow.overdue`, `flow.needsPerson`, `flow.ended`. */
export interface Notification {
  readonly type: 'emit';
  readonly emitted: { readonly type: string; readonly data: unknown; readonly to?: string };
}

export const notification = ({ to }: Tell, type: string, data: unknown): Notification => ({
  type: 'emit',
  emitted: { type: `flow.${type}`, data, ...(to != null && { to }) },
});

/** None if nobody has asked to hear the end of the process. */
export function endNotifications(closing: Closing, input: unknown): Notification[] {
  const tell = notificationRequestIn(input ?? {});
  return tell?.events.includes('ended') ? [notification(tell, 'ended', endOf(closing))] : [];
}

function endOf(closing: Closing): object {
  switch (closing.kind) {
    case 'result':
      return { result: closing.result };
    case 'cancelled':
      return { cancelled: true };
    case 'failed':
      return { code: closing.code };
    case 'unhandled':
      return { code: errorView(closing.error).code };
  }
}
