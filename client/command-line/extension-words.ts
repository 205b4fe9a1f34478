// What `extend` does to a deadline, in words: before it is done, and after.
import type { Stage } from '../../contract/flows/flow-input.ts';
import type { ExtendDeadline, Progress } from '../../contract/flows/flow-messages.ts';
import { durationMs } from '../../flow-files/duration.ts';

type Known = Pick<Progress, 'deadlines' | 'shipments' | 'activity'>;

/** For --dry-run: the end as it is and as it would be, and what the flow would say to it. */
export function previewWords(update: ExtendDeadline, progress: Known, now: Date): string {
  const { role, stage } = update;
  const until = update.until ?? new Date(now.getTime() + (durationMs(update.fromNow) ?? 0)).toISOString();
  const change = `${role}.${stage}: ${deadlineIn(update, progress)?.until ?? 'no deadline'} -> ${until}`;
  if (progress.activity !== 'Following') return `${change}; refused now: the flow is ${progress.activity}`;
  const { stateCode } = progress.shipments[role] ?? {};
  if (stateCode && (endOf[stateCode] ?? -1) > order[stage])
    return `${change}; refused: ${role} is ${stateCode}`;
  return hasBegun(stage, stateCode) ? change : `${change}; ${ahead(update, stateCode)}`;
}

/** Nothing where the stage has begun: that it is done says enough. */
export function extendedWords(update: ExtendDeadline, progress: Known): string | undefined {
  if (!deadlineIn(update, progress)?.ahead) return undefined;
  return ahead(update, progress.shipments[update.role]?.stateCode);
}

const ahead = ({ role, stage }: ExtendDeadline, stateCode: string | null | undefined): string =>
  `${role} is ${stateCode ?? 'not known yet'}: the deadline holds once ${stage} begins`;

function deadlineIn({ role, stage }: ExtendDeadline, { deadlines }: Known) {
  return deadlines.find((each) => each.role === role && each.stage === stage);
}

const order: Readonly<Record<Stage, number>> = { dropOff: 0, receiver: 1, pickUp: 2 };

/** The stage that a state belongs to; an ended shipment is beyond all of them. */
const endOf: Readonly<Record<string, number>> = {
  ReadyForDropoff: order.dropOff,
  WaitForReceiver: order.receiver,
  ReadyForPickup: order.pickUp,
  Completed: 3,
  Cancelled: 3,
};

const hasBegun = (stage: Stage, stateCode: string | null | undefined): boolean =>
  stateCode !== null && stateCode !== undefined && endOf[stateCode] === order[stage];
