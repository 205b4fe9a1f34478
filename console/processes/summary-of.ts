// What a process says of itself, as far as a row of the list shows it.

import type { FlowFileProgress } from '../../client/flow-files/flow-file-handle.ts';
import type { Progress } from '../../contract/flows/flow-messages.ts';
import { stateWords } from '../../processes/views/progress.ts';
import type { LegSummary, ProcessSummary } from './processes-view.ts';

/** Onboarding has no shipments and no chart of its own. */
export type ShownProgress = Progress | FlowFileProgress | { readonly activity: string };

export function summaryOf(progress: ShownProgress, clockAheadMs: number): ProcessSummary {
  const awaits = ('awaits' in progress && progress.awaits[0]?.words) || null;
  return { states: statesOf(progress), awaits, until: untilOf(progress), clockAheadMs };
}

function statesOf(progress: ShownProgress): LegSummary[] {
  if ('shipments' in progress) {
    const legs = Object.entries(progress.shipments).map(
      ([role, leg]): LegSummary => ({
        role,
        state: leg.stateCode ?? 'Unknown',
        lockerName: leg.lockerName,
        isDone: leg.done,
      }),
    );
    const others = progress.unassigned.map(
      (leg): LegSummary => ({
        role: null,
        state: leg.stateCode ?? 'Unknown',
        lockerName: leg.lockerName,
        isDone: false,
      }),
    );
    if (legs.length + others.length > 0) return [...legs, ...others];
  }
  const state = 'state' in progress ? stateWords(progress.state) : progress.activity;
  return [{ role: null, state, lockerName: null, isDone: false }];
}

function untilOf(progress: ShownProgress): string | null {
  if (!('deadlines' in progress) || !Array.isArray(progress.deadlines)) return null;
  const ends = progress.deadlines.map(({ until }: { until: string }) => until).sort();
  return ends[0] ?? null;
}
