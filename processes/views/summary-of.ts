// What a process says of itself, as far as a row of the list shows it.
import { z } from 'zod';
import type { FlowFileProgress } from '../../client/flow-files/flow-file-handle.ts';
import type { Progress } from '../../contract/flows/flow-messages.ts';
import { formatLeg } from './overview/format.ts';
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

interface LegSummary {
  readonly role: string | null;
  readonly state: string;
  readonly lockerName: string | null;
  readonly isDone: boolean;
  /** All of it, for people. */
  readonly words: string;
}

export const processSummary = z.object({
  states: z.array(
    z.object({
      role: z.string().nullable(),
      state: z.string(),
      lockerName: z.string().nullable(),
      isDone: z.boolean(),
      words: z.string().meta({ description: 'All of it, for people' }),
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

const statesOf = (progress: ShownProgress): LegSummary[] =>
  legsOf(progress).map((leg) => ({ ...leg, words: formatLeg(leg) }));

function legsOf(progress: ShownProgress): Omit<LegSummary, 'words'>[] {
  if ('shipments' in progress) {
    const legs = Object.entries(progress.shipments).map(([role, leg]) => ({
      role,
      state: leg.stateCode ?? 'Unknown',
      lockerName: leg.lockerName,
      isDone: leg.done,
    }));
    const others = progress.unassigned.map((leg) => ({
      role: null,
      state: leg.stateCode ?? 'Unknown',
      lockerName: leg.lockerName,
      isDone: false,
    }));
    if (legs.length + others.length > 0) return [...legs, ...others];
  }
  const state = 'state' in progress ? stateWords(progress.state) : progress.activity;
  return [{ role: null, state, lockerName: null, isDone: false }];
}

function untilOf(progress: ShownProgress): string | null {
  const deadlines = 'deadlines' in progress ? progress.deadlines : [];
  // A flow file has no deadlines of its own: the ends of what it waits for.
  const awaits = 'awaits' in progress ? progress.awaits : [];
  const ends = [...deadlines, ...awaits].flatMap(({ until }) => until ?? []);
  return ends.sort()[0] ?? null;
}
