// Entries of the log about processes that have ended, and so are not found by what happened in them since.
import { callTemporal, type TemporalContext } from '../temporal-context.ts';
import { formatFlowName } from '../views/format-names.ts';
import { deliveriesOf } from '../views/happened.ts';
import { newestRunsOf } from '../views/newest-runs.ts';
import type { RowReaders } from '../views/process-list.ts';
import type { TimelineEntry } from '../views/timeline.ts';
import { type LogEntry, logEntriesOf } from './log-entries.ts';

export interface EndedReader extends Pick<RowReaders, 'subjects'> {
  mayRead(flow: string): boolean;
  /** And to whom messages were sent. */
  mayReadAnswers(flow: string): boolean;
}

export interface LogOfEnded {
  readonly entries: readonly LogEntry[];
  /** There may be more, which are older. */
  readonly isCut: boolean;
}

interface Told {
  /** The business key of the process. */
  readonly key: string;
  readonly entry: TimelineEntry;
}

/** Throws CommandError (unreachable). */
export async function entriesOfEnded(
  parts: TemporalContext,
  told: readonly Told[],
  reader: EndedReader,
): Promise<LogEntry[]> {
  const { client } = parts;
  const keys = [...new Set(told.map(({ key }) => key))];
  const processes = await callTemporal(parts, () => newestRunsOf(client, keys));
  const abouts = await reader.subjects?.of([...processes.values()]);
  const deliveries = await deliveriesOf(
    client,
    told.map(({ entry }) => entry),
  );
  const entries = told.map(async ({ key, entry }) => {
    const process = processes.get(key);
    // One that Temporal has forgotten is shown to who may read every flow.
    const flow = process?.flow ?? '';
    if (!reader.mayRead(flow)) return [];
    const about = (process && abouts?.get(process.runId)) ?? null;
    const named = { key, flow, flowName: process ? formatFlowName(flow) : '', about };
    return await logEntriesOf(named, [entry], reader.mayReadAnswers(flow), deliveries);
  });
  return (await Promise.all(entries)).flat();
}
