// How many cases are open, late, wait for us, have failed or ended: the numbers above the lists. A case is a process with what it has
// started, as far as both are found: the rows of a list are folded the same way.
import { z } from 'zod';
import { isSearchable, literal, UIDS_PER_QUERY } from '../../shared/routing/owners.ts';
import { callTemporal, type TemporalContext } from '../temporal-context.ts';
import { MAX_FAILED, notStartedAgain } from './failed-page.ts';
import { type FlowQueryOptions, flowQuery, isNarrowed } from './flow-query.ts';
import { type FoundFlow, foundPage } from './found-flows.ts';
import { needsPerson, reportsProblems } from './needs-person.ts';

/** Of more no search says in time which belong to the same case. */
const MAX_READ = 500;

const CASES = `cases: a process counts once with what it has started, if both are found. Of more than ${MAX_READ} that others have started`;

const count = (description: string) => z.int().meta({ description });

export const processCounts = z
  .object({
    open: count(`Open ${CASES}, none counts`),
    needsPerson: count(`Of the open ones those that do not know how to continue: ${CASES}, each counts`),
    needsUs: count(`A person who works here must decide or answer: ${CASES}, each counts`),
    waitsForAnswer: count(`They have asked something, and nobody has answered: ${CASES}, each counts`),
    overdue: count(`A deadline has passed: ${CASES}, each counts`),
    failed: count(
      `Ended without a result, and not started again since: ${CASES}, each counts. Of more than ${MAX_FAILED} that have failed each run counts, also those that were started again`,
    ),
    ended: count(
      'Ended cases: what another process has started does not count. Of a narrowed search each process that it finds counts, unless the one that has started it does',
    ),
  })
  .meta({ title: 'ProcessCounts' });
export type ProcessCounts = Readonly<z.infer<typeof processCounts>>;

/** In Temporal's query language. */
export const ASKS_SOMETHING = "LockerInbox IS NOT NULL AND ExecutionStatus = 'Running'";
/** @param problems whether this Temporal reports processes at which a worker fails */
export const needsUs = (problems: boolean): string =>
  `(${needsPerson(problems)} OR LockerInbox IS NOT NULL) AND ExecutionStatus = 'Running'`;
export const FAILED = "ExecutionStatus IN ('Failed', 'Terminated', 'TimedOut')";
/** No other process has started it. */
export const NO_PART = 'ParentWorkflowId IS NULL';
const IS_PART = 'ParentWorkflowId IS NOT NULL';

type IsAmong = (flow: FoundFlow) => boolean;
const isInNeed: IsAmong = ({ phase }) => phase === 'NeedsPerson';
const asksSomething: IsAmong = ({ inboxes }) => inboxes.length > 0;

/** @param narrowed what the search asks for beside the state */
export async function readCounts(parts: TemporalContext, narrowed: FlowQueryOptions): Promise<ProcessCounts> {
  const { client, taskQueue } = parts;
  const problems = await callTemporal(parts, () => reportsProblems(client));
  const queryOf = (more: FlowQueryOptions) => flowQuery({ ...narrowed, problems, ...more }, taskQueue);
  const countOf = async (more: FlowQueryOptions) =>
    (await callTemporal(parts, () => client.workflow.count(queryOf(more)))).count;
  const [all, open, failed, ended] = await Promise.all([
    Promise.all([
      countOf({ open: true }),
      countOf({ phase: 'NeedsPerson' }),
      countOf({ also: [needsUs(problems)] }),
      countOf({ also: [ASKS_SOMETHING] }),
      countOf({ phase: 'Overdue' }),
    ]),
    foldedIn(parts, (also) => queryOf({ open: true, also })),
    failedCases(parts, queryOf({ also: [FAILED] })),
    isNarrowed(narrowed)
      ? endedOf(parts, (also) => queryOf({ closed: true, also }))
      : countOf({ closed: true, also: [NO_PART] }),
  ]);
  const without = (index: 0 | 1 | 2 | 3 | 4, isAmong: IsAmong) =>
    all[index] - (open ?? []).filter(([part, parent]) => isAmong(part) && isAmong(parent)).length;
  return {
    open: open ? without(0, () => true) : await countOf({ open: true, also: [NO_PART] }),
    needsPerson: without(1, isInNeed),
    needsUs: without(2, (flow) => isInNeed(flow) || asksSomething(flow)),
    waitsForAnswer: without(3, asksSomething),
    overdue: without(4, ({ phase }) => phase === 'Overdue'),
    failed,
    ended,
  };
}

type Folded = readonly (readonly [part: FoundFlow, parent: FoundFlow])[];

/** Those found whose parents are found, too, each with its parent. Undefined: too many have one. */
async function foldedIn(
  parts: TemporalContext,
  queryOf: (also: readonly string[]) => string,
): Promise<Folded | undefined> {
  const { client } = parts;
  const page = await callTemporal(parts, () => foundPage(client, queryOf([IS_PART]), { size: MAX_READ }));
  if (page.flows.length === MAX_READ && page.next !== null) return undefined;
  const keys = [...new Set(page.flows.flatMap(({ parent }) => parent ?? []))].filter(isSearchable);
  const parents = new Map<string, FoundFlow>();
  for (let from = 0; from < keys.length; from += UIDS_PER_QUERY) {
    const among = `WorkflowId IN (${keys
      .slice(from, from + UIDS_PER_QUERY)
      .map(literal)
      .join(', ')})`;
    const found = await callTemporal(parts, () => foundPage(client, queryOf([among]), { size: MAX_READ }));
    for (const flow of found.flows) parents.set(flow.workflowId, flow);
  }
  return page.flows.flatMap((part) => {
    const parent = parents.get(part.parent ?? '');
    return parent ? [[part, parent] as const] : [];
  });
}

async function endedOf(
  parts: TemporalContext,
  queryOf: (also: readonly string[]) => string,
): Promise<number> {
  const [found, folded] = await Promise.all([
    callTemporal(parts, () => parts.client.workflow.count(queryOf([]))),
    foldedIn(parts, queryOf),
  ]);
  return found.count - (folded?.length ?? 0);
}

async function failedCases(parts: TemporalContext, query: string): Promise<number> {
  const left = await callTemporal(parts, () => notStartedAgain(parts, query));
  if (typeof left === 'number') return left;
  const keys = new Set(left.map(({ workflowId }) => workflowId));
  return left.filter(({ parent }) => parent === null || !keys.has(parent)).length;
}
