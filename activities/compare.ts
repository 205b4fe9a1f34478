// The scheduled activity that compares flows with the locker service (architecture: Silence) and logs a warning for each
// disagreement.
import { activityInfo, cancellationSignal, getClient, log } from '@temporalio/activity';
import { comparedService } from '../shared/locker-api/compared-service.ts';
import { LockerApiError } from '../shared/locker-api/index.ts';
import { type Comparison, compare } from '../shared/routing/comparison/compare.ts';
import { meaningOf, mendingOf } from '../shared/routing/comparison/disagreement.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { ActivityHeartbeat } from './activity-heartbeat.ts';
import { apiFailure } from './failures.ts';
import type { CompareInput } from './flow-activities.ts';
import { callOperation } from './operation-call.ts';

// Temporal limits a result to 2 MB, and after a restore there may be thousands of disagreements.
const MAX_DISAGREEMENTS = 500;

export async function compareStores(
  { api, peer }: ActivityDependencies,
  input: CompareInput,
): Promise<Comparison> {
  using _heartbeat = new ActivityHeartbeat();
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
    return { ...compared, disagreements: compared.disagreements.slice(0, MAX_DISAGREEMENTS) };
  } catch (error) {
    throw error instanceof LockerApiError ? apiFailure(error, peer) : error;
  }
}
