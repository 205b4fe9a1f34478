// Pages of processes, each row with where its process stands: the list of the command line, the API and the page. Temporal's
// search knows phase and shipments; the rest the processes say themselves (summaries.ts).
import { z } from 'zod';
import { note } from '../../contract/flows/flow-answers.ts';
import { businessKeyIssues } from '../../contract/flows/internal-ids.ts';
import { callTemporal, type TemporalContext } from '../temporal-context.ts';
import { notesAfterEnd } from './after-end.ts';
import { failure, type ProcessFailures } from './failures.ts';
import { formatFlowName } from './format-names.ts';
import { type CountedPage, type FoundFlow, hasBookedNothing, statusOf } from './found-flows.ts';
import type { LeftItems } from './left-items.ts';
import { olderRunsOf } from './newest-runs.ts';
import { processFields } from './process-fields.ts';
import { processSummary } from './process-summary.ts';
import { type Standing, standsSo } from './standing.ts';
import type { ProcessSummaries, RowSummary } from './summaries.ts';
import type { WantedAtStart } from './wanted-at-start.ts';

export const about = z.object({
  people: z
    .array(
      z.object({
        userUid: z.string(),
        name: z.string().nullable().meta({ description: 'Null: the locker service does not answer now' }),
      }),
    )
    .meta({ description: 'Whom it is for first' }),
  item: z.string().nullable().meta({ description: 'What is sent, for people; null: nobody has said' }),
  reference: z.string().nullable().meta({ description: 'By which the item is found' }),
});

export const processRow = z
  .object({
    ...processFields,
    flow: z.string(),
    flowName: z.string().meta({ description: 'The flow, for people: `Issue from stock`' }),
    parent: z.string().nullable().meta({ description: 'The key of the process that has started it' }),
    phase: z
      .string()
      .nullable()
      .meta({ description: 'Open, Overdue or NeedsPerson; null once it has ended' }),
    caseNo: z.string().nullable(),
    pickUpPoint: z.string().nullable(),
    shipmentUids: z.array(z.string()),
    startedAgain: z.boolean().meta({
      description: 'It has ended without a result, and its key has a newer process',
    }),
    summary: processSummary.nullable().meta({
      description: 'Where it stands; null once it has ended, and where no worker has answered in time',
    }),
    itemLeft: z
      .object({ lockerName: z.string().nullable(), pupUid: z.string().nullable() })
      .readonly()
      .nullable()
      .meta({ description: 'The locker in which its item lies though it has ended; null: none is known' }),
    failure: failure.nullable().meta({ description: 'Why it has failed; null: it has not' }),
    about: about.nullable().meta({
      description: 'Whom and what it is about; null for who may not act on processes',
    }),
    note: note.nullable().meta({
      description: 'The newest that a person has left on it; once it has ended, since then; null: nobody has',
    }),
    workerFails: z.boolean().meta({
      description: 'A worker fails at it again and again, as Temporal reports after some tries',
    }),
    unanswered: z.boolean().meta({
      description: 'It was asked where it stands, and has not answered: `summary` is as it was before',
    }),
  })
  .meta({ title: 'ProcessRow' });
export type ProcessRow = Readonly<z.infer<typeof processRow>>;
export type RowAbout = NonNullable<ProcessRow['about']>;

export const processPage = z.object({
  items: z.array(processRow),
  next: z.string().nullable().meta({ description: 'The `cursor` of the next page; null after the last' }),
  count: z.int().meta({ description: 'How many the whole search finds' }),
  sorted: z
    .enum(['due', 'waiting', 'newest'])
    .meta({ description: 'due, waiting: as `sort` says it; newest: the newest first' }),
  unknown: z.int().optional().meta({
    description: 'Only of `withThem` and `step`: how many have not said where they stand, and may be missing',
  }),
});
export type ProcessPage = Readonly<z.infer<typeof processPage>>;

export interface RowReaders {
  /** Null: no process is asked. */
  readonly summaries: Pick<ProcessSummaries, 'current' | 'isUnanswered' | 'leftOf'> | null;
  readonly failures: Pick<ProcessFailures, 'of'>;
  /** Null: nobody says where what has booked nothing was wanted. */
  readonly wanted?: Pick<WantedAtStart, 'of'> | null;
  /** By shipment; null: the service is not asked. */
  readonly left?: (() => Promise<LeftItems>) | null;
  /** Not given: nobody is to know whom processes are about. */
  readonly subjects?: {
    of(flows: readonly FoundFlow[], withinMs?: number): Promise<ReadonlyMap<string, RowAbout>>;
  };
}

interface ListedPage extends CountedPage {
  readonly older: ReadonlySet<string>;
  /** By run, of those that have ended. */
  readonly notes: Awaited<ReturnType<typeof notesAfterEnd>>;
}

/** A page of the search, with what was started again since, and the notes on what has ended. Throws as `callTemporal` does. */
export const listedPage = (parts: TemporalContext, search: () => Promise<CountedPage>): Promise<ListedPage> =>
  callTemporal(parts, async () => {
    const page = await search();
    const [older, notes] = await Promise.all([
      page.older ?? olderRunsOf(parts.client, page.flows),
      notesAfterEnd(parts.client, page.flows),
    ]);
    return { ...page, older, notes };
  });

/**
 * Each open process is asked anew where it stands; what is not answered in time is as it was known before.
 * @param search what finds them; its time counts within that of the page
 */
export async function readProcessPage(
  search: Promise<ListedPage>,
  { summaries, failures, subjects, wanted, left }: RowReaders,
): Promise<ProcessPage> {
  const begun = performance.now();
  const { flows, next, count, sorted = 'newest', older, notes, unknown, standing } = await search;
  const spentMs = performance.now() - begun;
  const open = flows.filter(({ status }) => status === 'Running');
  const mayHaveLeft = flows.some(
    ({ status, shipmentUids }) => status !== 'Running' && shipmentUids.length > 0,
  );
  const [answers, ends, abouts, starts, lockers] = await Promise.all([
    summaries?.current(
      open.map(({ workflowId: key, runId }) => ({ key, runId })),
      spentMs,
    ),
    failures.of(flows),
    subjects?.of(flows, summaries?.leftOf(spentMs)),
    wanted?.of(flows.filter(hasBookedNothing)),
    // Whoever reads the list is not to miss it for that.
    mayHaveLeft ? left?.().catch(() => undefined) : undefined,
  ]);
  const items = flows.map((flow) => ({
    ...rowOf(flow, answers?.get(flow.runId), summaries?.isUnanswered(flow.runId)),
    note: notes.get(flow.runId) ?? answers?.get(flow.runId)?.summary.note ?? null,
    startedAgain: older.has(flow.runId),
    failure: ends.get(flow.runId) ?? null,
    about: abouts?.get(flow.runId) ?? null,
    itemLeft: flow.status === 'Running' ? null : leftBy(flow, lockers),
    pickUpPoint: flow.pickUpPoint ?? starts?.get(flow.runId)?.pupUid ?? null,
  }));
  const page: ProcessPage = { items, next, count, sorted };
  return unknown === undefined ? page : stillSo({ ...page, unknown }, standing);
}

/** Drops the rows whose processes have said since that they stand otherwise. */
export function stillSo(page: ProcessPage, standing: Standing = {}): ProcessPage {
  const items = page.items.filter(({ summary }) => summary === null || standsSo(summary, standing));
  return { ...page, items, count: page.count - (page.items.length - items.length) };
}

function leftBy({ shipmentUids }: FoundFlow, lockers: LeftItems | undefined): ProcessRow['itemLeft'] {
  const [left] = shipmentUids.flatMap((uid) => lockers?.get(uid) ?? []);
  return left ? { lockerName: left.lockerName, pupUid: left.pupUid } : null;
}

/** What the worker itself starts processes by is nothing that people see. */
const parentOf = ({ parent }: FoundFlow): string | null =>
  parent !== null && businessKeyIssues(parent).length === 0 ? parent : null;

/** @param said of one that runs. The search lags behind the process: an end is known before it shows there. */
const rowOf = (
  flow: FoundFlow,
  said: RowSummary | undefined,
  isUnanswered = false,
): Omit<ProcessRow, 'startedAgain' | 'about' | 'failure' | 'note' | 'itemLeft'> => ({
  key: flow.workflowId,
  runId: flow.runId,
  flow: flow.flow,
  status: statusOf(flow),
  flowName: formatFlowName(flow.flow),
  parent: parentOf(flow),
  phase: flow.status !== 'Running' || said?.hasEnded ? null : (flow.phase ?? 'Open'),
  caseNo: flow.case,
  pickUpPoint: flow.pickUpPoint,
  shipmentUids: [...flow.shipmentUids],
  startedAt: flow.startedAt,
  closedAt: flow.closedAt,
  summary: said?.summary ?? null,
  workerFails: flow.workerFails,
  unanswered: flow.status === 'Running' && isUnanswered,
});
