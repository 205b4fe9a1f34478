// Which open processes need a person, in Temporal's query language: those that say so themselves, and those at which a worker fails
// again and again, which can say nothing. Newer servers report these after some tries.
import type { Client } from '@temporalio/client';
import { hasSearchAttribute } from '../../client/search-attributes.ts';

/** Temporal's own search attribute. */
export const REPORTED_PROBLEMS = 'TemporalReportedProblems';

/** A server that has it keeps it; one that lacks it may be replaced by a newer one. */
const reporting = new WeakSet<Client>();

export async function reportsProblems(client: Client): Promise<boolean> {
  if (reporting.has(client)) return true;
  const isReported = await hasSearchAttribute(client, REPORTED_PROBLEMS);
  if (isReported) reporting.add(client);
  return isReported;
}

/** @param isReported whether this Temporal reports problems */
export const needsPerson = (isReported = false): string =>
  isReported
    ? `(LockerPhase = 'NeedsPerson' OR ${REPORTED_PROBLEMS} IS NOT NULL)`
    : "LockerPhase = 'NeedsPerson'";
