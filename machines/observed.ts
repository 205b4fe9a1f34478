// Judges a reported state of a shipment against the last one known, for those who only observe (callbacks, listings).
// Computed from the chart by reachability; it applies nothing and never throws, whatever the peer reports.

import type { StateCode } from '../contract/wire/states.ts';
import { isOneStep, isReachable, isStateCode } from './chart.ts';
import { instantOf } from './state-start.ts';

export interface Observation {
  /** In our words: the peer's own state codes are mapped before (assumptions: A bare vendor, LOCKER_STATE_MAP). */
  stateCode: string;
  /** As the peer wrote it, in UTC; absent or unreadable counts as not known. Never the observer's own clock. */
  stateStart?: string | null;
}

export type Known = Observation & { stateCode: StateCode };

/**
 * - next: one step further; apply it.
 * - skippedAhead: further, reports between were lost or overtaken; apply it.
 * - repeated: what is known already.
 * - stale: an earlier state, told again or late.
 * - unknown: not a state code of ours; keep it, apply nothing.
 * - contradictory: no walk of the chart explains it; a person must look.
 */
export type Judgement = 'next' | 'skippedAhead' | 'repeated' | 'stale' | 'unknown' | 'contradictory';

/**
 * Milliseconds. ASSUMPTION: two machines of one peer stamp at most this far apart. Without the allowance a late report,
 * stamped by the faster clock, would look like a way back and call for a person.
 */
const clockTolerance = 60_000;

/**
 * `known` is null as long as nothing is known of the shipment. The chart has no cycles, so it decides the order of two
 * states by itself. The stamps decide only where the chart says "earlier": entered clearly later than the known state,
 * it is no late report but a way back that the chart does not have. Equal and missing stamps decide nothing.
 */
export function judge(known: Known | null, reported: Observation): Judgement {
  const { stateCode } = reported;
  if (!isStateCode(stateCode)) return 'unknown';
  const from = known?.stateCode ?? 'Booked';
  if (stateCode === from) return 'repeated';
  if (isReachable(from, stateCode)) return isOneStep(from, stateCode) ? 'next' : 'skippedAhead';
  const isEarlier = isReachable(stateCode, from) && !startedClearlyLater(reported, known);
  return isEarlier ? 'stale' : 'contradictory';
}

/** Whether the judgement moves what is known to what was reported. */
export function isAdvance(judgement: Judgement): boolean {
  return judgement === 'next' || judgement === 'skippedAhead';
}

function startedClearlyLater(reported: Observation, known: Observation | null): boolean {
  const reportedStart = instantOf(reported.stateStart);
  const knownStart = instantOf(known?.stateStart);
  if (reportedStart === null || knownStart === null) return false;
  return reportedStart > knownStart + clockTolerance;
}
