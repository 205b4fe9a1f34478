// What a process says of itself, as far as a row of the list shows it.
import { z } from 'zod';
import type { FlowFileProgress } from '../../client/flow-files/flow-file-handle.ts';
import type { Progress } from '../../contract/flows/flow-messages.ts';
import { stateWords } from './progress.ts';

/** What an open process itself says of where it stands. */
export interface ProcessSummary {
  /** Its shipments with their states, or the state of a flow file's chart. */
  readonly states: readonly LegSummary[];
  /** What it waits for, the most urgent; null: nothing. */
  readonly awaits: string | null;
  /** The end of its next deadline. */
  readonly until: string | null;
  /** How far its clock is ahead of the real time: its deadlines go by that clock. */
  readonly clockAheadMs: number;
}

export interface LegSummary {
  readonly role: string | null;
  readonly state: string;
  readonly lockerName: string | null;
  readonly isDone: boolean;
}

export const processSummary = z.object({
  states: z.array(
    z.object({
      role: z.string().nullable(),
      state: z.string(),
      lockerName: z.string().nullable(),
      isDone: z.boolean(),
    }),
  ),
  awaits: z.string().nullable(),
  until: z.string().nullable(),
  clockAheadMs: z
    .number()
    .meta({ description: 'How far the clock of `until` is ahead of the real time: a sandbox’s' }),
}) satisfies z.ZodType<ProcessSummary>;

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
