// Judges a reported state of a shipment against the last one known, for those who only observe (callbacks, listings).
// Computed from the chart by reachability. It changes nothing, and never throws for any report.

import type { StateCode } from '../wire/states.ts';
import { isOneStep, isReachable, isStateCode } from './chart.ts';
import { instantOf } from './state-start.ts';

export interface Observation {
  /** Our state code: the service's codes are mapped before (assumptions: A bare vendor, LOCKER_STATE_MAP). */
  stateCode: string;
  /** As the service wrote it, in UTC; absent or unreadable counts as not known. Never the observer's own clock. */
  stateStart?: string | null;
}

export type KnownObservation = Observation & { stateCode: StateCode };

/**
 * - next: one step further; apply it.
 * - skippedAhead: several steps further, because reports were lost or late; apply it.
 * - repeated: the known state again.
 * - stale: an earlier state, repeated or late.
 * - unknown: not a state code of ours; keep it, apply nothing.
 * - contradictory: no path in the chart explains it; a person must look.
 */
export type Judgement = 'next' | 'skippedAhead' | 'repeated' | 'stale' | 'unknown' | 'contradictory';

/**
 * Milliseconds. ASSUMPTION: two machines of one service stamp at most this far apart. Without this tolerance a late report
 * from the faster clock would look like a way back and need a person.
 */
const clockTolerance = 60_000;

/**
 * `known` is null while no state of the shipment is known. The chart has no cycles, so it alone decides the order of
 * two states. The times count only if the chart says "earlier": if that state began clearly later than the known one,
 * the report is not late but a way back, which the chart does not have. Equal and missing times count nothing.
 */
export function judge(known: KnownObservation | null, reported: Observation): Judgement {
  const { stateCode } = reported;
  if (!isStateCode(stateCode)) return 'unknown';
  const from = known?.stateCode ?? 'Booked';
  if (stateCode === from) return 'repeated';
  if (isReachable(from, stateCode)) return isOneStep(from, stateCode) ? 'next' : 'skippedAhead';
  const isEarlier = isReachable(stateCode, from) && !startedClearlyLater(reported, known);
  return isEarlier ? 'stale' : 'contradictory';
}

/** Whether the reported state becomes the known one. */
export function isAdvance(judgement: Judgement): boolean {
  return judgement === 'next' || judgement === 'skippedAhead';
}

function startedClearlyLater(reported: Observation, known: Observation | null): boolean {
  const reportedStart = instantOf(reported.stateStart);
  const knownStart = instantOf(known?.stateStart);
  if (reportedStart === null || knownStart === null) return false;
  return reportedStart > knownStart + clockTolerance;
}
