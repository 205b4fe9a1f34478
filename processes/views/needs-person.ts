// Which open processes need a person, in Temporal's query language: those that say so themselves, and those at which a worker fails
// again and again, which can say nothing. Newer servers report these after some tries.
import type { Client } from '@temporalio/client';
import { hasSearchAttribute } from '../../client/search-attributes.ts';

/** Temporal's own search attribute. */
export const REPORTED_PROBLEMS = 'TemporalReportedProblems';

export const reportsProblems = (client: Client): Promise<boolean> =>
  hasSearchAttribute(client, REPORTED_PROBLEMS);

/** @param isReported whether this Temporal reports problems */
export const needsPerson = (isReported = false): string =>
  isReported
    ? `(LockerPhase = 'NeedsPerson' OR ${REPORTED_PROBLEMS} IS NOT NULL)`
    : "LockerPhase = 'NeedsPerson'";
