// What must hold after every step, and what must hold once the faults are over and everything has come to its end. Each throws a
// Violation with the name of the invariant. They look at both sides: what the flows believe, and what is true in the service.

import type { Received } from '../../../client/receiver/receive-callback.ts';
import type { FlowResult } from '../../../contract/flows/flow-result.ts';
import { hasEnded } from '../../../contract/wire/states.ts';
import { durationMs } from '../../../flow-files/duration.ts';
import { isActive } from '../../../machines/chart.ts';
import { Violation } from '../kernel/simulator.ts';
import { decoded } from '../temporal/cached-run.ts';
import type { Execution } from '../temporal/execution.ts';
import { replayed } from '../temporal/worker.ts';
import type { Installation } from './installation.ts';
import { type Asked, EXTENDED_BY_MS, LENDS } from './people.ts';

export const invariants = {
  oneBookingALocker: 'no locker has two bookings',
  bookedOnce: 'nothing is booked twice without a retry that a person decided',
  takenCallbackKept: 'a callback that was answered with 2xx is in a flow or parked',
  forgedRefused: 'a callback without the key changes nothing',
  everyFlowEnds: 'every flow comes to its end',
  callbacksDelivered: 'every callback is taken in the end',
  beliefIsTruth: 'what a flow says of its shipments at its end is true',
  endedLeavesNothing: 'a flow that was undone or refused leaves nothing booked',
  doneIsDone: 'a flow is done only if each of its legs is',
  deadlineInTime: 'a deadline passes when it is due, not before and not long after',
  historyBounded: 'no run has a longer history than its continuation allows',
  noTaskFails: 'no workflow task fails',
  replayDecidesTheSame: 'a replay decides the same',
} as const;

/** Beyond what is suggested: the messages that come while a run cannot continue yet. */
const MOST_EVENTS_AFTER_SUGGESTION = 400;

const EVENTS_OF_A_DECISION = 15;

/** Longer than any program is away: a timer that fires while no worker is there is seen only then. */
const NOTICED_WITHIN_MS = 4 * 3_600_000;

export class Invariants {
  readonly #simulation: Installation;
  readonly #asked: ReadonlyMap<string, Asked>;
  #bookingsSeen = 0;

  constructor(simulation: Installation, asked: ReadonlyMap<string, Asked>) {
    this.#simulation = simulation;
    this.#asked = asked;
  }

  afterStep(): void {
    const { service } = this.#simulation;
    if (service.bookings.length === this.#bookingsSeen) return;
    this.#bookingsSeen = service.bookings.length;
    for (const wrong of service.wrong()) throw new Violation(invariants.oneBookingALocker, wrong);
    this.#bookedOnce();
  }

  /** The answer of the receiver is about to leave. */
  received({ status, became, shipmentUid, workflowIds }: Received): void {
    const { temporal } = this.#simulation;
    if (became === 'unauthentic' || status >= 300) return;
    for (const workflowId of workflowIds)
      if (became !== 'afterTheEnd' && !hasReport(temporal.byId.get(workflowId) ?? [], shipmentUid))
        throw new Violation(
          invariants.takenCallbackKept,
          `${shipmentUid} was answered ${status} (${became}), and ${workflowId} has no report of it`,
        );
    if (workflowIds.length === 0)
      throw new Violation(
        invariants.takenCallbackKept,
        `${shipmentUid} was answered ${status} and is nowhere`,
      );
  }

  atTheEnd(): void {
    const { service, temporal } = this.#simulation;
    for (const asked of this.#asked.values()) this.#flow(asked);
    for (const { shipmentUid, outbox } of service.shipments.values())
      if (outbox.length > 0)
        throw new Violation(invariants.callbacksDelivered, `${shipmentUid}: ${outbox.length} are left`);
    for (const execution of temporal.executions) {
      this.#bounded(execution);
      replayed(execution);
    }
  }

  #bookedOnce(): void {
    const { service } = this.#simulation;
    const byCase = new Map<string, number>();
    for (const { caseNo } of service.bookings)
      if (caseNo !== null) byCase.set(caseNo, (byCase.get(caseNo) ?? 0) + 1);
    for (const [caseNo, times] of byCase) {
      const retries = this.#asked.get(caseNo)?.decisions.filter((action) => action === 'retry').length ?? 0;
      if (times > 1 + retries)
        throw new Violation(
          invariants.bookedOnce,
          `${caseNo} is booked ${times} times, after ${retries} retries`,
        );
    }
  }

  #flow(asked: Asked): void {
    const { temporal, service } = this.#simulation;
    const { key } = asked;
    const execution = temporal.newest(key);
    if (!execution || execution.isOpen)
      throw new Violation(
        invariants.everyFlowEnds,
        `${asked.type} ${key} is ${execution?.status ?? 'not there'}`,
      );
    // What it has booked its children have, and they are looked at too.
    if (asked.type === LENDS) return;
    const uids = service.bookings
      .filter(({ caseNo }) => caseNo === key)
      .flatMap(({ shipments }) => Object.values(shipments));
    const { end } = execution;
    const isByPerson = asked.decisions.length > 0;
    if (end?.status === 'FAILED' || end?.status === 'CANCELLED') return void this.#nothingLeft(asked, uids);
    if (end?.status !== 'COMPLETED') return;
    const result = decoded([end.result])[0] as FlowResult;
    const legs = Object.entries(result.shipments);
    for (const [role, { shipmentUid, stateCode }] of legs) {
      const stored = service.of(shipmentUid);
      const truth = service.stateOf(shipmentUid)?.stateCode;
      const hasHad = stored.states.some((each) => each.stateCode === stateCode);
      if (!isByPerson && stateCode !== null && (!hasHad || (hasEnded(stateCode) && truth !== stateCode)))
        throw new Violation(
          invariants.beliefIsTruth,
          `${key} says that its ${role} ${shipmentUid} is ${stateCode}; it is ${truth}`,
        );
      if (
        !isByPerson &&
        result.outcome === 'Done' &&
        stored.role !== role &&
        uids.includes(shipmentUid) &&
        !asked.type.startsWith('IssueFrom')
      )
        throw new Violation(
          invariants.beliefIsTruth,
          `${key} takes ${shipmentUid} for its ${role}; it is ${stored.role}`,
        );
    }
    if (result.outcome === 'Done') this.#done(asked, result);
    else {
      this.#notDone(asked, result, execution.endedAt ?? 0);
      this.#nothingLeft(asked, uids);
    }
    this.#deadlines(asked, result);
  }

  #done({ key, decisions }: Asked, { shipments }: FlowResult): void {
    if (decisions.length > 0) return;
    const { service } = this.#simulation;
    for (const [role, { shipmentUid, stateCode: believed }] of Object.entries(shipments)) {
      const { states: had, referenceCaseNo } = service.of(shipmentUid);
      // Another flow has taken it over: this one is done with it, whatever becomes of it.
      if (referenceCaseNo !== key) continue;
      const states = had.map(({ stateCode }) => stateCode);
      // If it has ended, it may have been done before.
      const isBelieved = believed !== null && !hasEnded(believed);
      const isDone = [states, isBelieved ? [believed] : states].every((some) =>
        some.some((state) => doneStates(role).includes(state)),
      );
      if (!isDone)
        throw new Violation(
          invariants.doneIsDone,
          `${key} is done, and its ${role} ${shipmentUid} had ${states.join(', ')}`,
        );
    }
  }

  /** If all were completed when it ended, it was done. */
  #notDone({ key, decisions }: Asked, { outcome, shipments }: FlowResult, endedAt: number): void {
    const { service } = this.#simulation;
    const wasCompleted = (uid: string) =>
      service.of(uid).states.some(({ stateCode, at }) => stateCode === 'Completed' && at <= endedAt);
    const uids = Object.values(shipments).map(({ shipmentUid }) => shipmentUid);
    if (decisions.length === 0 && uids.length > 0 && uids.every(wasCompleted))
      throw new Violation(
        invariants.beliefIsTruth,
        `${key} ended as ${outcome}, and ${uids.join(', ')} were completed`,
      );
  }

  /** Of what it has booked; issued stock only loses its receiver. */
  #nothingLeft({ key, type, decisions }: Asked, uids: readonly string[]): void {
    if (decisions.includes('giveUp')) return;
    const { service } = this.#simulation;
    for (const uid of uids) {
      const shipment = service.stateOf(uid);
      if (!shipment || !isActive(shipment.stateCode)) continue;
      const isStockAgain = type.startsWith('IssueFromStock') && shipment.toUserUid === null;
      const isTakenOver = service.of(uid).referenceCaseNo !== key;
      if (!isStockAgain && !isTakenOver)
        throw new Violation(
          invariants.endedLeavesNothing,
          `${key} was undone or refused, and ${uid} is ${shipment.stateCode}`,
        );
    }
  }

  /** By when the stage began in the service. An extended deadline is an instant, whenever its stage begins. */
  #deadlines({ key, input, extendedAt, decisions }: Asked, { overdue, shipments }: FlowResult): void {
    const { service } = this.#simulation;
    const given = (input as { readonly deadlines?: Record<string, Record<string, string>> }).deadlines ?? {};
    for (const [role, stages] of Object.entries(given))
      for (const [stage, duration] of Object.entries(stages)) {
        const uid = shipments[role as keyof typeof shipments]?.shipmentUid;
        const allowed = durationMs(duration) ?? Number.NaN;
        const passed = overdue.find((each) => each.role === role && each.stage === stage);
        if (!uid || decisions.length > 0) continue;
        const { states } = service.of(uid);
        const index = states.findIndex(({ stateCode }) => stateCode === stateOfStage[stage]);
        const began = states[index]?.at;
        const due = (began ?? Number.POSITIVE_INFINITY) + allowed;
        const earliest = extendedAt === null ? due : Math.min(due, extendedAt + EXTENDED_BY_MS);
        if (passed && !(Date.parse(passed.deadline) >= earliest))
          throw new Violation(
            invariants.deadlineInTime,
            `${key}: ${role} ${stage} was due at ${passed.deadline}, before ${new Date(earliest).toISOString()}`,
          );
        const endedAt = this.#simulation.temporal.newest(key)?.endedAt ?? Number.POSITIVE_INFINITY;
        if (passed && endedAt < Date.parse(passed.deadline))
          throw new Violation(
            invariants.deadlineInTime,
            `${key}: ended at ${new Date(endedAt).toISOString()}, overdue by ${passed.deadline}, which is later`,
          );
        const left = states[index + 1]?.at;
        // Of several shipments that a booking gives the roles may be unknown, and their deadlines do not run then.
        const isRoleKnown = Object.keys(shipments).length === 1;
        if (
          !passed &&
          isRoleKnown &&
          extendedAt === null &&
          left !== undefined &&
          left > due + NOTICED_WITHIN_MS
        )
          throw new Violation(
            invariants.deadlineInTime,
            `${key}: ${role} was in ${stage} until ${new Date(left).toISOString()}, and nothing was overdue at ${new Date(due).toISOString()}`,
          );
      }
  }

  #bounded({ workflowId, events, type }: Execution): void {
    const { suggestedAfterEvents } = this.#simulation.configuration.temporal;
    if (!type.startsWith('Issue') && !type.startsWith('Intake') && type !== 'Stock') return;
    // A cancelled workflow cannot continue as a new run, and each decision to try again costs it some events.
    const decided = (this.#asked.get(workflowId)?.decisions.length ?? 0) * EVENTS_OF_A_DECISION;
    if (events > suggestedAfterEvents + MOST_EVENTS_AFTER_SUGGESTION + decided)
      throw new Violation(invariants.historyBounded, `${workflowId} has ${events} events`);
  }
}

const stateOfStage: Readonly<Record<string, string>> = {
  dropOff: 'ReadyForDropoff',
  receiver: 'WaitForReceiver',
  pickUp: 'ReadyForPickup',
};

function doneStates(role: string): readonly string[] {
  if (role === 'stock' || role === 'circularStock') return ['WaitForReceiver', 'ReadyForPickup', 'Completed'];
  return ['Completed'];
}

const reports: ReadonlySet<string> = new Set(['shipmentStatus', 'park']);

/** In what a run has recorded, or has not seen yet. */
function hasReport(runs: readonly Execution[], shipmentUid: string | null): boolean {
  return runs.some(({ recorded, pending }) =>
    [...recorded.flatMap(({ jobs }) => jobs), ...pending].some((job) => {
      const { signalName, input } = (job.signalWorkflow ?? {}) as { signalName?: string; input?: never };
      if (signalName === undefined || !reports.has(signalName)) return false;
      return (decoded(input)[0] as { shipmentUid?: string }).shipmentUid === shipmentUid;
    }),
  );
}
