// Which processes own a shipment, by the search attribute LockerShipmentUids.
import type { Client, WorkflowExecutionInfo } from '@temporalio/client';

// A uid that the visibility store cannot be asked for: SQLite answers "unterminated string" to a quotation mark, which
// would be an error for ever, and finds nothing with a backslash; a keyword is at most 255 bytes long.
const SEARCHABLE = /^[^"\\\0]{1,200}$/;

// A query of so many is some 3 kB long, far below what a server takes.
const UIDS_PER_QUERY = 50;

export const isSearchable = (shipmentUid: string): boolean => SEARCHABLE.test(shipmentUid);

/** Workflow ids, each once. One shipment may have two running owners: an intake's flow, and one that swaps stock after it. */
export async function ownersOf(
  client: Client,
  shipmentUid: string,
  which: 'running' | 'any',
): Promise<readonly string[]> {
  const owners = await ownersOfAll(client, [shipmentUid], which);
  return owners.get(shipmentUid) ?? [];
}

/** By uid, of those that have any. */
export async function ownersOfAll(
  client: Client,
  shipmentUids: readonly string[],
  which: 'running' | 'any',
): Promise<ReadonlyMap<string, readonly string[]>> {
  const running = which === 'running' ? " AND ExecutionStatus = 'Running'" : '';
  const owners = new Map<string, string[]>();
  for (const { workflowId, uids } of await holdersOf(client, shipmentUids, running))
    for (const uid of uids) {
      const known = owners.get(uid) ?? [];
      if (!known.includes(workflowId)) owners.set(uid, [...known, workflowId]);
    }
  return owners;
}

/** Those that have ended after that moment: what began before it, each of them has heard of or had no need of. */
export async function ownersUntil(client: Client, shipmentUid: string, moment: number): Promise<string[]> {
  const holders = await holdersOf(client, [shipmentUid], " AND ExecutionStatus != 'Running'");
  const until = holders.filter(
    ({ uids, closeTime }) => uids.length > 0 && closeTime && closeTime.getTime() >= moment,
  );
  return [...new Set(until.map(({ workflowId }) => workflowId))];
}

interface Holder {
  readonly workflowId: string;
  readonly closeTime: Date | undefined;
  /** Those that were asked for. */
  readonly uids: readonly string[];
}

async function holdersOf(client: Client, shipmentUids: readonly string[], which: string): Promise<Holder[]> {
  const searchable = shipmentUids.filter(isSearchable);
  const holders: Holder[] = [];
  for (let from = 0; from < searchable.length; from += UIDS_PER_QUERY) {
    const asked = searchable.slice(from, from + UIDS_PER_QUERY);
    const literals = asked.map((uid) => `'${uid.replaceAll("'", "''")}'`);
    const query = `LockerShipmentUids IN (${literals.join(', ')})${which}`;
    for await (const execution of client.workflow.list({ query, pageSize: 200 })) {
      const { workflowId, closeTime } = execution;
      const uids = uidsOf(execution);
      // The store compares without regard to case; two uids that differ in it are two shipments.
      holders.push({ workflowId, closeTime, uids: asked.filter((uid) => uids.includes(uid)) });
    }
  }
  return holders;
}

const uidsOf = ({ searchAttributes }: WorkflowExecutionInfo): readonly string[] =>
  (searchAttributes.LockerShipmentUids as readonly string[] | undefined) ?? [];
