// One page of the list.
import { type FoundFlow, foundPage } from '../../client/command-line/found-flows.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { ProcessPage, ProcessRow } from './processes-view.ts';
import { queryOf, type Search } from './search.ts';

export async function processPage({ client }: ConsoleParts, search: Search): Promise<ProcessPage> {
  const query = queryOf(search);
  const [{ flows, next }, { count }] = await Promise.all([
    foundPage(client, query, { size: search.size, from: search.page }),
    client.workflow.count(query),
  ]);
  return { rows: flows.map(rowOf), next, count };
}

function rowOf(flow: FoundFlow): ProcessRow {
  const isOpen = flow.status === 'Running';
  return {
    key: flow.workflowId,
    runId: flow.runId,
    flow: flow.flow,
    standing: isOpen ? (flow.phase ?? 'Open') : flow.status.replace('Canceled', 'Cancelled'),
    isOpen,
    caseNo: flow.case,
    pickUpPoint: flow.pickUpPoint,
    shipmentUids: flow.shipmentUids,
    startedAt: flow.startedAt,
    closedAt: flow.closedAt,
  };
}
