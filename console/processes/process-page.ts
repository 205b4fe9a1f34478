// Pages of the list: from Temporal's search, with where each open process stands.
import { type FoundFlow, foundPage } from '../../processes/views/found-flows.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { askedTemporal } from '../temporal-asked.ts';
import type { ProcessPage, ProcessRow } from './processes-view.ts';
import { queryOf, type Search } from './search.ts';
import type { ProcessSummaries } from './summaries.ts';

export interface FoundPage {
  readonly flows: readonly FoundFlow[];
  readonly next: string | null;
  readonly count: number;
}

export function foundProcesses(parts: ConsoleParts, search: Search): Promise<FoundPage> {
  const query = queryOf(search);
  const { client } = parts;
  return askedTemporal(parts, async () => {
    const [{ flows, next }, { count }] = await Promise.all([
      foundPage(client, query, { size: search.size, from: search.page }),
      client.workflow.count(query),
    ]);
    // Temporal gives a token after a full page, also where nothing follows.
    const mayBeLast = next !== null && count % search.size === 0;
    const following = mayBeLast ? await foundPage(client, query, { size: 1, from: next }) : null;
    return { flows, next: following?.flows.length === 0 ? null : next, count };
  });
}

export function processPage({ flows, next, count }: FoundPage, summaries: ProcessSummaries): ProcessPage {
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
function phaseOf({ status, phase }: FoundFlow, hasEnded: boolean): string {
  if (status === 'Running') return hasEnded ? 'Ended' : (phase ?? 'Open');
  return status === 'Canceled' ? 'Cancelled' : status;
}
