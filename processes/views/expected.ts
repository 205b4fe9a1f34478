// What people are expected to do at lockers: how many are to bring something, or to collect it, and how many of them are due soon.
import { z } from 'zod';
import { dueOf } from './due.ts';
import type { FoundFlow } from './found-flows.ts';
import { type Step, steps } from './row-state.ts';
import type { ProcessSummaries } from './summaries.ts';

const counts = z.object({
  step: z.enum(steps),
  open: z.int().meta({ description: 'Of how many open processes it is what is next' }),
  dueSoon: z.int().meta({ description: 'Of how many before `dueBefore`, late ones among them' }),
});

export const expectedSteps = z
  .object({
    steps: z.array(counts).meta({ description: 'Those that nothing waits for are left out' }),
    isComplete: z.boolean().meta({
      description: 'False: some processes have not said where they stand yet, or there are too many',
    }),
  })
  .meta({ title: 'ExpectedSteps' });
export type ExpectedSteps = Readonly<z.infer<typeof expectedSteps>>;

/**
 * @param flows undefined: not all are known yet
 * @param dueBefore ISO 8601
 */
export function expectedOf(
  flows: readonly FoundFlow[] | undefined,
  summaries: Pick<ProcessSummaries, 'known'>,
  dueBefore: string,
): ExpectedSteps {
  const counted = new Map<Step, { open: number; dueSoon: number }>();
  const before = Date.parse(dueBefore);
  let unknown = 0;
  for (const flow of flows ?? []) {
    const summary = summaries.known(flow.runId)?.summary;
    if (!summary) unknown += 1;
    const step = summary?.next?.step;
    if (!summary || !step) continue;
    const { kind, atMs } = dueOf({ ...flow, summary }, Date.now());
    const count = counted.get(step) ?? { open: 0, dueSoon: 0 };
    count.open += 1;
    if (kind === 'late' || (kind === 'due' && atMs < before + summary.clockAheadMs)) count.dueSoon += 1;
    counted.set(step, count);
  }
  return {
    steps: steps.flatMap((step) => {
      const count = counted.get(step);
      return count ? [{ step, ...count }] : [];
    }),
    isComplete: flows !== undefined && unknown === 0,
  };
}
