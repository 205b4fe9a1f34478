// The comparison of flows with the locker service as an activity, for its schedule (architecture: Silence). Each disagreement
// becomes a warning in the worker's log.
import { activityInfo, cancellationSignal, getClient, log } from '@temporalio/activity';
import { comparedService } from '../shared/locker-api/compared-service.ts';
import { LockerApiError } from '../shared/locker-api/index.ts';
import { type Comparison, compare } from '../shared/routing/comparison/compare.ts';
import { meaningOf, mendingOf } from '../shared/routing/comparison/disagreement.ts';
import type { ActivityMeans } from './activity-means.ts';
import { apiFailure } from './failures.ts';
import type { CompareInput } from './flow-activities.ts';
import { callOperation } from './operation-call.ts';
import { Pulse } from './pulse.ts';

// A result is kept in a history, which takes 2 MB at most; after a restore there may be thousands.
const MOST_KEPT = 500;

export async function compareStores({ api, peer }: ActivityMeans, input: CompareInput): Promise<Comparison> {
  using _pulse = new Pulse();
  const service = comparedService({
    peer,
    call: (operation, request) => callOperation(api, operation, request),
  });
  const { endedWithinMs, perSecond, settleMs } = input;
  const endedSince = new Date(Date.now() - endedWithinMs);
  const { taskQueue } = activityInfo();
  const signal = cancellationSignal();
  try {
    const compared = await compare(getClient(), service, {
      taskQueue,
      endedSince,
      perSecond,
      settleMs,
      signal,
    });
    for (const found of compared.disagreements)
      log.warn('a flow and the locker service disagree', {
        ...found,
        meaning: meaningOf(found),
        mend: mendingOf(found),
      });
    log.info('flows were compared with the locker service', {
      flows: compared.flows,
      shipments: compared.shipments,
      disagreements: compared.disagreements.length,
      unanswered: compared.unanswered.length,
    });
    return { ...compared, disagreements: compared.disagreements.slice(0, MOST_KEPT) };
  } catch (error) {
    throw error instanceof LockerApiError ? apiFailure(error, peer) : error;
  }
}
