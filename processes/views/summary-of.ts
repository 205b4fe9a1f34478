// What a process says of itself, as far as a row of the list shows it.
import { z } from 'zod';
import type { FlowFileProgress } from '../../client/flow-files/flow-file-handle.ts';
import type { Progress } from '../../contract/flows/flow-answers.ts';
import { formatLeg } from './format-names.ts';
import { stateWords } from './progress.ts';

const legSummary = z.object({
  role: z.string().nullable(),
  state: z.string(),
  lockerName: z.string().nullable(),
  isDone: z.boolean(),
  words: z.string().meta({ description: 'All of it, for people' }),
});
type LegSummary = z.infer<typeof legSummary>;

export const processSummary = z.object({
  /** Its shipments with their states, or the state of a flow file's chart. */
  states: z.array(legSummary),
  /** What it waits for, the most urgent; null: nothing. */
  awaits: z.string().nullable(),
  /** The end of its next deadline. */
  until: z.string().nullable(),
  clockAheadMs: z
    .number()
    .meta({ description: 'How far the clock of `until` is ahead of the real time: a sandbox’s' }),
});
/** What an open process itself says of where it stands. */
export type ProcessSummary = Readonly<z.infer<typeof processSummary>>;

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
