// The workflows of a lock and of a rate limit, one for each key: they give permits to processes, in the order in which these have
// asked. A process that was terminated does not release its permit: a queue in which others wait looks for such.
import {
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { FlowFileActivities } from '../../activities/flow-files/flow-file-activities.ts';
import type { ListeningProcess, PermitQueueView } from '../../contract/flows/correlation.ts';
import {
  type Permit,
  PermitQueue,
  type PermitQueueState,
  type PermitRequest,
  type PermitSource,
  permitSignals,
} from '../../flows/language/permits.ts';
import { localRetries } from '../local-calls.ts';
import { Alarm } from './alarm.ts';

const request = defineSignal<[ListeningProcess, PermitRequest]>(permitSignals.request);
const release = defineSignal<[ListeningProcess, Pick<PermitRequest, 'id'>]>(permitSignals.release);
const permits = defineQuery<PermitQueueView>('permits');

const { givePermits, handOut } = proxyLocalActivities<FlowFileActivities>({
  startToCloseTimeout: '30 s',
  ...localRetries,
});

export const ProcessLock = (before?: PermitQueueState): Promise<void> => queueOf('lock', before);
export const RateLimit = (before?: PermitQueueState): Promise<void> => queueOf('rate', before);

async function queueOf(src: PermitSource, before?: PermitQueueState): Promise<void> {
  const queue = new PermitQueue(src, before);
  const refused: PermitReply[] = [];
  let hasChanged = true;
  setHandler(permits, () => queue.view);
  setHandler(request, (process, asked) => {
    if (!queue.request(process, asked, Date.now())) refused.push({ process, ...asked });
    hasChanged = true;
  });
  setHandler(release, (process, { id }) => {
    queue.release(process, id);
    hasChanged = true;
  });
  const alarm = new Alarm();
  for (;;) {
    hasChanged = false;
    await give(queue, refused.splice(0));
    await look(queue);
    queue.tidy(Date.now());
    if (hasChanged) continue;
    if (queue.isOver) return;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew(queue.carried);
    setCurrentDetails(wordsOf(queue.view));
    alarm.set(queue.dueAt);
    await condition(() => hasChanged || alarm.hasRung);
  }
}

interface PermitReply extends Pick<PermitRequest, 'src' | 'invoke' | 'id'> {
  readonly process: ListeningProcess;
}

// What one activity gives out: it has 30 seconds.
const MAX_CONCURRENT = 100;

async function give(queue: PermitQueue, refused: readonly PermitReply[]): Promise<void> {
  if (refused.length > 0) await tell(refused, true);
  for (let next = queue.next(Date.now()); next.length > 0; next = queue.next(Date.now()))
    for (const process of await tell(next)) queue.gone(process);
}

/** @returns the processes that have ended */
async function tell(
  replies: readonly PermitReply[],
  isRefused = false,
): Promise<readonly ListeningProcess[]> {
  const queue = workflowInfo().workflowId;
  const all = replies.map(({ process, src, invoke, id }) => {
    const permit: Permit = { src, invoke, id, queue, ...(isRefused && { isRefused }) };
    return { process, permit };
  });
  const gone: ListeningProcess[] = [];
  for (let from = 0; from < all.length; from += MAX_CONCURRENT)
    gone.push(...(await givePermits({ permits: all.slice(from, from + MAX_CONCURRENT) })));
  return gone;
}

async function look(queue: PermitQueue): Promise<void> {
  if (!queue.isLookDue(Date.now())) return;
  const holders = queue.holders;
  for (let from = 0; from < holders.length; from += MAX_CONCURRENT)
    for (const process of await handOut({ event: null, to: holders.slice(from, from + MAX_CONCURRENT) }))
      queue.gone(process);
  queue.looked(Date.now());
  await give(queue, []);
}

/** Without the key: it may be personal. */
function wordsOf({ src, holders, waiting, waitingCount, given }: PermitQueueView): string {
  const heading =
    src === 'lock' ? `${holders.length} hold it` : `${given ?? 0} given within the present period`;
  return [
    `**${heading}, ${waitingCount} wait**`,
    '',
    ...holders.slice(0, 10).map(({ process, since }) => `- \`${process}\` holds it since ${since}`),
    ...waiting.slice(0, 10).map(({ process, since }) => `- \`${process}\` waits since ${since}`),
  ].join('\n');
}
