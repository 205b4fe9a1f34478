// What happened in a process and in the flows that it has started, in one order of time: they are one case, and the timeline of
// those that have ended stays. Of a flow that the reader may not read, nothing is told.
import { z } from 'zod';
import { FlowNotFound } from '../../client/flow-errors.ts';
import { internalWorkflows } from '../../contract/flows/flow-types.ts';
import { t } from '../../shared/texts/text.ts';
import { commandErrorOf } from '../outcome.ts';
import { callTemporal, type TemporalContext } from '../temporal-context.ts';
import { forItem } from './format-invoke.ts';
import { formatFlowName } from './format-names.ts';
import { type HappenedRow, happenedOf, historyOfProcess, processHistory } from './happened.ts';
import { entryOfSettled, itemsOutOf } from './items-out.ts';
import { shipmentsIn } from './progress.ts';
import type { ProcessReader, ProcessSnapshot, ShownProcess } from './shown-process.ts';
import type { TimelineEntry } from './timeline.ts';

export const caseHistory = processHistory.extend({
  unread: z
    .array(z.object({ what: z.string(), why: z.string() }))
    .meta({ description: 'What could not be read: flows that it has started, or what became of its item' }),
});
export type CaseHistory = Readonly<z.infer<typeof caseHistory>>;

// Who has more looks at them one by one.
const MAX_CHILDREN = 20;

interface Reading {
  /** Of all of them together. */
  readonly maxEvents?: number;
  /** Absent: every flow. */
  readonly mayRead?: (flow: string) => boolean;
  /** Whether what was answered to the questions of the flow is told; absent: of every flow. */
  readonly mayReadAnswers?: (flow: string) => boolean;
}

type Reader = Pick<ProcessReader, 'snapshot'>;

/** `entries` and `cost` are of the process itself. Throws as historyOfProcess. */
export async function historyOfCase(
  temporal: Pick<TemporalContext, 'client'>,
  reader: Reader,
  process: Pick<ShownProcess, 'key' | 'runId' | 'flow' | 'progress' | 'status'>,
  { maxEvents = Number.POSITIVE_INFINITY, mayRead = all, mayReadAnswers = all }: Reading = {},
): Promise<CaseHistory> {
  const own = await historyOfProcess(temporal, process, {
    maxEvents,
    mayReadAnswers: mayReadAnswers(process.flow),
  });
  const rows: HappenedRow[] = [...own.happened];
  const unread: CaseHistory['unread'] = [];
  const started = startedBy(process.key, own.entries);
  let left = maxEvents - own.cost.events;
  for (let index = 0; index < started.length; index++) {
    const { flow, key, parent, itemTitle } = started[index] as Started;
    if (internalWorkflows.includes(flow) || !mayRead(flow)) continue;
    const title = forItem(formatFlowName(flow), itemTitle);
    try {
      if (index >= MAX_CHILDREN) throw new FlowNotRead();
      const child = await childOf(reader, key, parent);
      if (!child || !mayRead(child.flow)) continue;
      const options = { maxEvents: left, mayReadAnswers: mayReadAnswers(child.flow) };
      const { happened, entries, cost } = await historyOfProcess(temporal, child, options);
      left -= cost.events;
      rows.push(...happened.map((row) => ({ ...row, of: { key, title } })));
      started.push(...startedBy(key, entries));
    } catch (error) {
      unread.push({ what: `${title} (${key})`, why: reasonOf(error) });
    }
  }
  try {
    rows.push(...(await settledRows(temporal, process)));
  } catch (error) {
    unread.push({ what: t`What became of its item`, why: reasonOf(error) });
  }
  return { ...own, happened: byTime(rows), unread };
}

/** What people have said since it ended of items that it had given out. */
async function settledRows(
  temporal: Pick<TemporalContext, 'client'>,
  { status, progress }: Pick<ShownProcess, 'status' | 'progress'>,
): Promise<HappenedRow[]> {
  const uids = shipmentsIn(progress ?? { bookings: [] }).map(({ shipment }) => shipment.shipmentUid);
  if (status === 'Running' || uids.length === 0) return [];
  const { settled } = await callTemporal(temporal, () => itemsOutOf(temporal.client, uids));
  return await happenedOf(settled.map(entryOfSettled), new Map());
}

const all = () => true;

class FlowNotRead extends Error {
  override readonly message = `only the first ${MAX_CHILDREN} are read here`;
}

interface Started {
  readonly flow: string;
  readonly key: string;
  readonly itemTitle?: string;
  /** The key of who has started it. */
  readonly parent: string;
}

const startedBy = (parent: string, entries: readonly TimelineEntry[]): Started[] => {
  const all = entries.flatMap(({ data }) => (data.type === 'flowStarted' ? [{ ...data, parent }] : []));
  // One that is tried again has the same key.
  return [...new Map(all.map((each) => [each.key, each])).values()];
};

/** Undefined: a process of this key is another's, and was there before. */
async function childOf(reader: Reader, key: string, parent: string): Promise<ShownProcess | undefined> {
  const { process, described } = await reader.snapshot(key);
  return parentKeyOf(described) === parent ? process : undefined;
}

export const parentKeyOf = ({ raw }: ProcessSnapshot['described']): string | undefined =>
  raw.workflowExecutionInfo?.parentExecution?.workflowId ?? undefined;

export function reasonOf(error: unknown): string {
  if (error instanceof FlowNotRead) return error.message;
  if (error instanceof FlowNotFound) return t`Temporal has nothing of it now`;
  const refusal = commandErrorOf(error);
  if (!refusal) throw error;
  return refusal.message;
}

/** What is of one moment stays in the order of its history. */
const byTime = (rows: readonly HappenedRow[]): HappenedRow[] =>
  rows.toSorted((one, other) => (one.at ?? '').localeCompare(other.at ?? ''));
