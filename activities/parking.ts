// Parks reports that reached a flow but belong to another: their callbacks were acknowledged, so they must not be lost.
import { activityInfo, getClient } from '@temporalio/activity';
import { parkReport } from '../shared/routing/park.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import type { ParkInput } from './flow-activities.ts';

/** A retry parks the same reports again; the ParkedCallback workflow drops duplicates. */
export async function parkReports(
  { parkFor }: Pick<ActivityDependencies, 'parkFor'>,
  { reports }: ParkInput,
): Promise<void> {
  const { taskQueue } = activityInfo();
  for (const report of reports) await parkReport(getClient(), { taskQueue, parkFor }, report);
}
