// One process, as `show` shows it: what it says of itself, what Temporal knows of it, and what happened in it. A missing worker
// hides only the first.
import type { Progress } from '../../contract/flows/flow-messages.ts';
import { type AtTemporal, answered } from '../at-temporal.ts';
import { refusalOf } from '../outcome.ts';
import { cutShort, type Execution, executionOf } from './execution.ts';
import { decoderOf, runsOf } from './history.ts';
import type { Shown } from './progress.ts';
import { type Timeline, timelineOf } from './timeline.ts';

export interface ShownProcess extends Execution, Timeline, AskedProgress {
  readonly workflowId: string;
}

/** Throws FlowNotFound. */
export async function shownProcess(temporal: AtTemporal, workflowId: string): Promise<ShownProcess> {
  const { client } = temporal;
  // First, because it fails if no process has that key.
  const runs = await runsOf(client, workflowId);
  const execution = await executionOf(client, workflowId);
  const asked = await askProgress(temporal, workflowId, cutShort(execution));
  const timeline = await timelineOf(runs, decoderOf(client), roleIn(asked.progress));
  return { workflowId, ...execution, ...asked, ...timeline };
}

const roleIn = (progress: Shown | null) => (shipmentUid: string) =>
  Object.entries(progress && 'shipments' in progress ? progress.shipments : {}).find(
    ([, leg]) => leg.shipmentUid === shipmentUid,
  )?.[0];

interface AskedProgress {
  readonly progress: Shown | null;
  /** Why no worker has answered. */
  readonly unanswered: string | null;
}

/** A missing worker, or one that fails on the process, must not hide the history. */
async function askProgress(
  temporal: AtTemporal,
  workflowId: string,
  cut: string | null,
): Promise<AskedProgress> {
  try {
    const progress: Shown = await answered(temporal, () => temporal.flows.handle(workflowId).progress());
    // OnboardAccount has no shipments and a different answer.
    if ('shipments' in progress)
      return { progress: cut === null ? progress : withoutFuture(progress), unanswered: null };
    if ('state' in progress) return { progress, unanswered: null };
    return { progress: null, unanswered: 'it has no shipments' };
  } catch (error) {
    const words = refusalOf(error)?.message;
    return { progress: null, unanswered: words ?? (error instanceof Error ? error.message : String(error)) };
  }
}

/** It awaits nothing and does nothing any more: what it answers is how it stood. */
function withoutFuture(progress: Progress): Progress {
  return { ...progress, phase: null, outcome: null, activity: 'Ended', awaits: [], deadlines: [] };
}
