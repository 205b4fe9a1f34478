// Cancels a process: it undoes what it has booked, and ends. Temporal keeps who asked for it and why with the request, in the
// process's own history.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { FlowFileProgress } from '../../client/flow-files/flow-file-handle.ts';
import type { Progress } from '../../contract/flows/flow-messages.ts';
import { hasEnded } from '../../contract/wire/states.ts';
import { answered } from '../at-temporal.ts';
import { command, ofOpenProcess } from './command.ts';

export interface LegUndone {
  /** Null: it is not known yet which leg the shipment is. */
  readonly role: string | null;
  readonly shipmentUid: string;
  readonly stateCode: string | null;
  readonly lockerName: string | null;
  readonly pupUid: string | null;
  /** Whether its item lies in the locker, and stays there until somebody fetches it. */
  readonly isItemLeft: boolean;
}

export interface Cancellation {
  /** The shipments that are cancelled; null: the process has none of its own, and its flow says what it undoes. */
  readonly cancelled: readonly LegUndone[] | null;
}

export const cancel = command({
  ...{ name: 'cancel', right: 'decide', why: 'optional', input: z.strictObject({}) },
  flowOf: ofOpenProcess,
  async preview(acting, key: string): Promise<Cancellation> {
    const handle = acting.flows.handle<'Issue'>(key);
    return cancellationOf(await answered(acting, () => handle.progress()));
  },
  async act({ client, by, why }, key): Promise<null> {
    await client.workflowService.requestCancelWorkflowExecution({
      ...{ namespace: client.options.namespace, workflowExecution: { workflowId: key } },
      ...{ requestId: randomUUID(), identity: client.options.identity },
      reason: why?.trim() ? `${by}: ${why.trim()}` : by,
    });
    return null;
  },
  would: cancellationWords,
  did: () => 'cancellation asked for',
});

const INSIDE: ReadonlySet<string | null> = new Set(['ReadyForPickup', 'WaitForReceiver']);

/** From the progress of any process. */
export function cancellationOf(
  progress: Progress | FlowFileProgress | { readonly activity: string },
): Cancellation {
  if (!('shipments' in progress)) return { cancelled: null };
  const legs = [
    ...Object.entries(progress.shipments).map(([role, leg]) => ({ role, ...leg })),
    ...progress.unassigned.map((leg) => ({ role: null, done: false, ...leg })),
  ];
  const cancelled = legs
    .filter(({ done, stateCode }) => !done && !hasEnded(stateCode))
    .map(({ role, shipmentUid, stateCode, lockerName, pupUid }) => ({
      ...{ role, shipmentUid, stateCode, lockerName, pupUid, isItemLeft: INSIDE.has(stateCode) },
    }));
  return { cancelled };
}

function cancellationWords({ cancelled }: Cancellation): string {
  if (cancelled === null)
    return 'The process hears that it is to end. It undoes what its flow says, and ends; this cannot be taken back.';
  const left = cancelled.filter(({ isItemLeft }) => isItemLeft);
  return [
    'The flow undoes what it has booked, and ends as cancelled.',
    cancelled.length > 0
      ? `These shipments are cancelled: ${cancelled.map(nameOf).join(', ')}.`
      : 'No shipment is open, so none is cancelled.',
    left.length > 0 ? `Somebody must fetch what stays in a locker: ${left.map(placeOf).join('; ')}.` : '',
    'It cannot be taken back.',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

const nameOf = ({ role, shipmentUid }: LegUndone): string => role ?? shipmentUid;

const placeOf = (leg: LegUndone): string =>
  `${nameOf(leg)} in locker ${leg.lockerName ?? 'unknown'} of ${leg.pupUid ?? 'unknown'}`;
