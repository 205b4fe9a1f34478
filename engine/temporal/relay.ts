// A relay: a workflow that delivers events in place of the process that emitted them. It outlives that process. A relay that
// comes after another one waits for its end, so that the events stay in order.
import {
  CancelledFailure,
  ChildWorkflowCancellationType,
  condition,
  defineSignal,
  getExternalWorkflowHandle,
  ParentClosePolicy,
  setHandler,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';

/** What a relay gets: its one argument. */
export interface Relayed<Call = unknown> {
  /** The arguments of the delivering activity, in order. */
  readonly calls: readonly Call[];
  /** The relay before this one. */
  readonly after: string | null;
}

/** To a relay: this workflow begins when the relay has ended. */
const follow = defineSignal<[follower: string]>('follow');
/** To the follower. */
const beforeHasEnded = defineSignal('beforeHasEnded');

/** Begins a relay. Its id holds the run's, so that a reset process begins another one. */
export async function relayed(
  workflow: string,
  firstNumber: number,
  given: Relayed,
): Promise<{ readonly id: string; readonly ended: Promise<unknown> }> {
  const { workflowId, runId } = workflowInfo();
  const id = `${workflowId}/events/${runId}/${firstNumber}`;
  const child = await startChild(workflow, {
    args: [given],
    workflowId: id,
    parentClosePolicy: ParentClosePolicy.ABANDON,
    cancellationType: ChildWorkflowCancellationType.ABANDON,
  });
  return { id, ended: child.result().catch(() => undefined) };
}

// One that was terminated tells nobody.
const ASK_AGAIN = '1 hour';

/** The life of a relay: `deliver` resolves when the event is taken. */
export async function relay<Call>(
  { calls, after }: Relayed<Call>,
  deliver: (call: Call, left: number) => Promise<unknown>,
): Promise<void> {
  const followers = new Set<string>();
  let isBeforeOpen = after !== null;
  setHandler(follow, (follower) => void followers.add(follower));
  setHandler(beforeHasEnded, () => {
    isBeforeOpen = false;
  });
  while (after !== null && isBeforeOpen) {
    // Not assigned at once: its answer may come while it is asked.
    if (!(await isDelivered(after))) isBeforeOpen = false;
    await condition(() => !isBeforeOpen, ASK_AGAIN);
  }
  for (const [index, call] of calls.entries()) await deliver(call, calls.length - index);
  for (const follower of followers)
    await getExternalWorkflowHandle(follower).signal(beforeHasEnded).catch(unlessCancelled);
}

/** False: it has ended. */
async function isDelivered(relay: string): Promise<boolean> {
  try {
    await getExternalWorkflowHandle(relay).signal(follow, workflowInfo().workflowId);
    return true;
  } catch (error) {
    unlessCancelled(error);
    return false;
  }
}

function unlessCancelled(error: unknown): void {
  if (error instanceof CancelledFailure) throw error;
}
