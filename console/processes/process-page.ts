// Pages of the list: from Temporal's search, with where each open process stands.
import {
  type CountedPage,
  countedPage,
  type FoundFlow,
  statusWordsOf,
} from '../../processes/views/found-flows.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { askedTemporal } from '../temporal-asked.ts';
import type { ProcessPage, ProcessRow } from './processes-view.ts';
import { queryOf, type Search } from './search.ts';
import type { ProcessSummaries } from './summaries.ts';

export function foundProcesses(parts: ConsoleParts, search: Search): Promise<CountedPage> {
  const { client } = parts;
  const { size, page } = search;
  return askedTemporal(parts, () => countedPage(client, queryOf(search), { size, from: page }));
}

export function processPage({ flows, next, count }: CountedPage, summaries: ProcessSummaries): ProcessPage {
  return { rows: flows.map((flow) => rowOf(flow, summaries)), next, count };
}

function rowOf(flow: FoundFlow, summaries: ProcessSummaries): ProcessRow {
  const isRunning = flow.status === 'Running';
  const now = isRunning ? summaries.of({ key: flow.workflowId, runId: flow.runId }) : undefined;
  return {
    key: flow.workflowId,
    runId: flow.runId,
    flow: flow.flow,
    phase: phaseOf(flow, now?.hasEnded ?? false),
    isOpen: isRunning && !now?.hasEnded,
    caseNo: flow.case,
    pickUpPoint: flow.pickUpPoint,
    shipmentUids: flow.shipmentUids,
    startedAt: flow.startedAt,
    closedAt: flow.closedAt,
    summary: now?.summary ?? null,
  };
}

/** The search lags behind the process: an end is known before it shows there. */
const phaseOf = (flow: FoundFlow, hasEnded: boolean): string =>
  flow.status === 'Running' && hasEnded ? 'Ended' : statusWordsOf(flow);
