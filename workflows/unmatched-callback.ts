// Keeps callbacks without a flow: gives them to the process that says that it follows the shipment, searches for one, waits for a
// person's claim or drop, and ends as Unclaimed. It searches with one activity that Temporal repeats, so a try costs no history
// event. It never gives up silently.

import {
  ActivityFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  isCancellation,
  log,
  makeContinueAsNewFunc,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import type { UnmatchedActivities } from '../activities/unmatched-activities.ts';
import type { ShipmentReport } from '../contract/flows/flow-messages.ts';
import type {
  UnmatchedCallback as Callback,
  Claim,
  Drop,
  Unmatched,
  UnmatchedInput,
  UnmatchedMemo,
  UnmatchedResult,
} from '../contract/flows/unmatched-callback.ts';
import { actionsOf } from '../engine/commands.ts';
import { throwRefused } from '../engine/temporal/updates.ts';
import { durationMs } from '../flows/language/duration.ts';
import { isReport, KeptCallbacks } from './kept-callbacks.ts';
import { claimRefusal, dropRefusal, unmatchedCommands } from './unmatched-commands.ts';
import { unmatchedDetails } from './unmatched-details.ts';

/** The second argument: how often it came before; the receiver does not signal every repetition. */
const keep = defineSignal<[Callback, number?]>('keep');
/** A process has come to know the shipment: the keys of all that follow it. */
const follow = defineSignal<[readonly string[]]>('follow');
const claim = defineUpdate<void, [Claim]>('claim');
const drop = defineUpdate<void, [Drop]>('drop');
const unmatched = defineQuery<Unmatched>('unmatched');
const actions = defineQuery<unknown, [unknown]>('actions');

const { deliverTo } = proxyActivities<UnmatchedActivities>({
  startToCloseTimeout: '1 minute',
  retry: { maximumAttempts: 5 },
});

export async function UnmatchedCallback(input: UnmatchedInput, before?: Unmatched): Promise<UnmatchedResult> {
  const since = before?.since ?? new Date(Date.now()).toISOString();
  const keeping = new KeptCallbacks(before?.kept ?? [], before?.givenUp ?? 0, durationMs(input.keepFor) ?? 0);
  let followers = input.kind === 'shipment' ? input.followedBy : undefined;
  /** What the last of them came to. */
  let ended = followers === undefined ? unclaimed : deliveredTo(followers);
  const all = (): Unmatched => ({
    input,
    since,
    kept: keeping.all,
    settled: keeping.settled,
    givenUp: keeping.givenUp,
  });
  const notifyGivenUp = givenUpNotifier(input, since, keeping);

  setHandler(unmatched, all);
  setHandler(actions, (query) =>
    actionsOf(
      { isOpen: keeping.all.length > 0 || ended === unclaimed, start: { flow: 'UnmatchedCallback' } },
      () => unmatchedCommands(input),
      query,
    ),
  );
  setHandler(keep, (callback, timesBefore = 0) => {
    keeping.keep(callback, timesBefore + 1);
    notifyGivenUp();
    setCurrentDetails(unmatchedDetails(all()));
  });
  setHandler(follow, (workflowIds) => {
    followers = workflowIds;
  });
  setHandler(
    drop,
    ({ by, why }) => {
      keeping.settle(callbacksOf(keeping));
      ended = { ended: 'Dropped', to: [], by, why };
    },
    { validator: (given: Drop) => throwRefused(dropRefusal({ ...given })) },
  );
  setHandler(
    claim,
    async ({ workflowId, by, why }) => {
      await deliverAll(keeping, workflowId);
      ended = { ended: 'Claimed', to: [workflowId], by, why };
    },
    { validator: (given: Claim) => throwRefused(claimRefusal(input, { ...given })) },
  );

  setCurrentDetails(unmatchedDetails(all()));
  // A person may have dropped it before it was tried once.
  await condition(() => keeping.all.length > 0 || ended !== unclaimed);
  // Callbacks that came meanwhile are tried before this ends.
  while (keeping.all.length > 0) {
    const to = followers;
    const outcome = await giveOrSearch(to, input, keeping, () => followers !== undefined);
    if (outcome) ended = outcome;
    else if (followers === to) followers = undefined;
    await condition(allHandlersFinished);
    notifyGivenUp();
    if (keeping.all.length > 0 && workflowInfo().continueAsNewSuggested) await continued(all(), followers);
  }
  return ended;
}

const deliveredTo = (to: readonly string[]): UnmatchedResult => ({
  ended: 'Delivered',
  to,
  by: null,
  why: null,
});

const unclaimed: UnmatchedResult = { ended: 'Unclaimed', to: [], by: null, why: null };

const callbacksOf = (keeping: KeptCallbacks): ReadonlySet<Callback> =>
  new Set(keeping.all.map(({ callback }) => callback));

/** A report that comes while others are delivered is delivered too. */
async function deliverAll(keeping: KeptCallbacks, workflowId: string): Promise<void> {
  while (keeping.all.length > 0) {
    const callbacks = callbacksOf(keeping);
    await deliverTo({ workflowId, reports: [...callbacks].filter(isReport) });
    keeping.settle(callbacks);
  }
}

/** Before Temporal's limits of a history, and of its signals, are reached. */
async function continued(state: Unmatched, followedBy?: readonly string[]): Promise<never> {
  const { since, givenUp } = state;
  const next = makeContinueAsNewFunc<typeof UnmatchedCallback>({
    memo: { since, givenUp } satisfies UnmatchedMemo,
  });
  const input = followedBy === undefined ? state.input : { ...state.input, followedBy };
  return await next(input, { ...state, settled: [] });
}

const giveOrSearch = (
  to: readonly string[] | undefined,
  input: UnmatchedInput,
  keeping: KeptCallbacks,
  isFollowed: () => boolean,
): Promise<UnmatchedResult | null> =>
  to === undefined ? tryUntilChanged(input, keeping, isFollowed) : giveTo(to, keeping);

/** Null if those processes have ended, or cannot be reached: then others are searched for. */
async function giveTo(
  workflowIds: readonly string[],
  keeping: KeptCallbacks,
): Promise<UnmatchedResult | null> {
  const callbacks = callbacksOf(keeping);
  const reports = [...callbacks].filter(isReport);
  const to: string[] = [];
  for (const workflowId of workflowIds)
    try {
      await deliverTo({ workflowId, reports });
      to.push(workflowId);
    } catch (error) {
      if (!(error instanceof ActivityFailure)) throw error;
    }
  if (to.length === 0) return null;
  keeping.settle(callbacks);
  return deliveredTo(to);
}

/**
 * Null if it was interrupted: a callback came, a process follows the shipment, a person claimed or dropped it, or the history has
 * grown long.
 */
async function tryUntilChanged(
  input: UnmatchedInput,
  keeping: KeptCallbacks,
  isFollowed: () => boolean,
): Promise<UnmatchedResult | null> {
  const tried = callbacksOf(keeping);
  const isInterrupted = () =>
    isFollowed() ||
    keeping.all.length !== tried.size ||
    keeping.all.some(({ callback }) => !tried.has(callback)) ||
    workflowInfo().continueAsNewSuggested;
  const to =
    input.kind === 'shipment'
      ? await tryToDeliver([...tried].filter(isReport), keeping, isInterrupted)
      : null;
  if (to) {
    keeping.settle(tried);
    return deliveredTo(to);
  }
  // Until the time is up it can still be claimed.
  if (isInterrupted() || (await condition(isInterrupted, leftOf(keeping)))) return null;
  keeping.giveUpExpired();
  return unclaimed;
}

const leftOf = ({ until }: KeptCallbacks): number => Math.max(1, until - Date.now());

/**
 * The flows that took them; null if it was interrupted, or if Temporal gave up because the next try would be too
 * late.
 */
async function tryToDeliver(
  reports: readonly ShipmentReport[],
  keeping: KeptCallbacks,
  isInterrupted: () => boolean,
): Promise<readonly string[] | null> {
  const scope = new CancellationScope();
  let to: readonly string[] | null = null;
  let hasEnded = false;
  const trying = scope
    .run(() => deliverWithin(leftOf(keeping)).deliverUnmatched({ reports }))
    .then(
      (taken) => {
        to = taken;
      },
      (error: unknown) => {
        hasEnded = !isCancellation(error);
      },
    );
  await condition(() => to !== null || hasEnded || isInterrupted());
  scope.cancel();
  await trying;
  return to;
}

/** Repeated by Temporal until a flow waits for it or the time is up; when, the activity says, unless Temporal fails it. */
const deliverWithin = (left: number) =>
  proxyActivities<UnmatchedActivities>({
    scheduleToCloseTimeout: left,
    startToCloseTimeout: '1 minute',
    retry: { initialInterval: '30 seconds', backoffCoefficient: 2, maximumInterval: '1 hour' },
    summary: 'look for a flow that waits for it',
  });

/** Shows in the listing and in the log that more were given up. */
function givenUpNotifier(input: UnmatchedInput, since: string, keeping: KeptCallbacks): () => void {
  let shown = keeping.givenUp;
  return () => {
    const { givenUp } = keeping;
    if (givenUp === shown) return;
    shown = givenUp;
    upsertMemo({ since, givenUp } satisfies UnmatchedMemo);
    const of =
      input.kind === 'shipment' ? { shipmentUid: input.shipmentUid } : { messageType: input.messageType };
    log.warn('unmatched callbacks were given up', {
      ...of,
      givenUp,
    });
  };
}
