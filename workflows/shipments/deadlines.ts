// Until when a leg may stay in a stage, and what is noted when it stays longer.
import type { Role, Stage } from '../../contract/flows/flow-input.ts';
import type { OverdueStage } from '../../contract/flows/flow-result.ts';
import type { StateCode } from '../../contract/wire/states.ts';
import { type Declaration, rolesOf } from '../../flows/declaration.ts';
import { durationMs } from './duration.ts';
import { shipmentWithRole } from './evidence.ts';
import type { Knowledge, StageName } from './knowledge.ts';
import { legState } from './legs-now.ts';

export const stageOfState: Readonly<Partial<Record<StateCode | string, Stage>>> = {
  ReadyForDropoff: 'dropOff',
  WaitForReceiver: 'receiver',
  ReadyForPickup: 'pickUp',
};

/** The delays of the chart that are deadlines, by name. */
export const stageDelays: readonly {
  readonly role: Role;
  readonly stage: Stage;
  readonly delay: StageName;
}[] = (
  ['shipment', 'issue', 'intake', 'stock', 'circularStock', 'collect'] as const satisfies Role[]
).flatMap((role) =>
  (['dropOff', 'receiver', 'pickUp'] as const satisfies Stage[]).map((stage) => ({
    role,
    stage,
    delay: `${role}.${stage}` as const,
  })),
);

export interface OpenDeadline {
  readonly role: Role;
  readonly stage: Stage;
  /** Epoch milliseconds. */
  readonly until: number;
  readonly passed: boolean;
}

/**
 * Epoch milliseconds; null: none. Counted from the moment the stage began, the later of stateStart and the answer to the
 * flow's own booking, and never from when it was heard of: a worker may have been down for a day.
 */
export function deadlineOf(flow: Declaration, known: Knowledge, role: Role, stage: Stage): number | null {
  const extended = known.extended[`${role}.${stage}`];
  if (extended !== undefined) return extended;
  const duration = durationMs(known.start.input.deadlines?.[role]?.[stage]);
  if (duration === null || !known.booking) return null;
  const since = shipmentWithRole(flow, known, role)?.since ?? 0;
  return Math.max(since, Date.parse(known.booking.answeredAt)) + duration;
}

/** For the chart: Infinity is "no deadline". */
export function delayUntil(flow: Declaration, known: Knowledge, role: Role, stage: Stage): number {
  const until = deadlineOf(flow, known, role, stage);
  return until === null ? Number.POSITIVE_INFINITY : until - Date.now();
}

/** Of the stages that the legs are in now. */
export function openDeadlines(flow: Declaration, known: Knowledge): OpenDeadline[] {
  return rolesOf(flow).flatMap((role) => {
    const stage = stageOfState[legState(flow, known, role)];
    const until = stage && deadlineOf(flow, known, role, stage);
    return stage && until ? [{ role, stage, until, passed: isPassed(known, role, stage, until) }] : [];
  });
}

export function stageOverdue(flow: Declaration, known: Knowledge, role: Role, stage: Stage): Knowledge {
  const until = deadlineOf(flow, known, role, stage);
  if (until === null) return known;
  const overdue: OverdueStage = { role, stage, deadline: new Date(until).toISOString() };
  const undoing = known.start.input.onOverdue === 'cancel' ? (known.undoing ?? 'overdue') : known.undoing;
  return { ...known, overdue: [...known.overdue, overdue], undoing };
}

function isPassed({ overdue }: Knowledge, role: Role, stage: Stage, until: number): boolean {
  const deadline = new Date(until).toISOString();
  return overdue.some((each) => each.role === role && each.stage === stage && each.deadline === deadline);
}
