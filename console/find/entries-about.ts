// For whom the entries of Work are, and which items: by their processes, else by their shipments.
import { callTemporal } from '../../processes/at-temporal.ts';
import type { WorkEntry, WorkView } from '../../processes/inbox/inbox-entry.ts';
import { commandErrorOf } from '../../processes/outcome.ts';
import { type FoundFlow, foundPage } from '../../processes/views/found-flows.ts';
import { isSearchable, literal } from '../../shared/routing/owners.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { RowSubjects } from './row-subjects.ts';

const KEYS_PER_QUERY = 100;

type Parts = Pick<ConsoleParts, 'client'>;

export async function withAbout(parts: Parts, subjects: RowSubjects, view: WorkView): Promise<WorkView> {
  const keys = view.entries.flatMap(({ key }) => key ?? []);
  // Work is shown without it, too.
  const flows = await flowsOf(parts, keys).catch((error) => {
    if (commandErrorOf(error)) return new Map<string, FoundFlow>();
    throw error;
  });
  const rows = view.entries.map(({ id, key, shipmentUid }) => {
    const flow = key === null ? undefined : flows.get(key);
    const own = shipmentUid === null ? [] : [shipmentUid];
    return { runId: id, subjects: flow?.subjects ?? [], shipmentUids: flow?.shipmentUids ?? own };
  });
  const abouts = await subjects.of(rows.filter((row) => row.subjects.length + row.shipmentUids.length > 0));
  const aboutOf = ({ id }: WorkEntry) => abouts.get(id) ?? null;
  return { ...view, entries: view.entries.map((entry) => ({ ...entry, about: aboutOf(entry) })) };
}

async function flowsOf({ client }: Parts, keys: readonly string[]): Promise<Map<string, FoundFlow>> {
  const flows = new Map<string, FoundFlow>();
  const all = [...new Set(keys)].filter(isSearchable);
  for (let from = 0; from < all.length; from += KEYS_PER_QUERY) {
    const query = `WorkflowId IN (${all
      .slice(from, from + KEYS_PER_QUERY)
      .map(literal)
      .join(', ')})`;
    const page = await callTemporal({ client }, () => foundPage(client, query, { size: 2 * KEYS_PER_QUERY }));
    // The open run comes first.
    for (const flow of page.flows) if (!flows.has(flow.workflowId)) flows.set(flow.workflowId, flow);
  }
  return flows;
}
