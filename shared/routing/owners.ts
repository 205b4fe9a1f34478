// The processes that own a shipment, by the search attribute LockerShipmentUids: queries of Temporal's visibility
// store.

import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import type { Pace } from './pace.ts';

// A uid that the visibility store cannot search. SQLite answers "unterminated string" to a quotation mark, which would
// be an error for ever, and finds nothing with a backslash. A keyword has at most 255 bytes.
const SEARCHABLE = /^[^"\\\0]{1,200}$/;

/** A query of so many is some 8 kB long, and answered in 10 ms (measured). */
export const UIDS_PER_QUERY = 200;
// The most that a server gives.
const PAGE = 1_000;

export interface Owner {
  readonly workflowId: string;
  readonly runId: string;
  /** The type of the workflow. */
  readonly type: string;
  readonly isRunning: boolean;
  /** Epoch milliseconds; null while it runs. */
  readonly closedAt: number | null;
}

/** A text as a literal of a list filter. Only what is searchable can be found by it. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

export const isSearchable = (shipmentUid: string): boolean => SEARCHABLE.test(shipmentUid);

/** Each once. One shipment may have two running owners: an intake's flow, and one that swaps stock after it. */
export function workflowIdsOf(owners: readonly Owner[]): string[] {
  return [...new Set(owners.map(({ workflowId }) => workflowId))];
}

export function runningAmong(owners: readonly Owner[]): string[] {
  return workflowIdsOf(owners.filter(({ isRunning }) => isRunning));
}

/**
 * By uid, for uids with an owner; an owner with several runs is there for each run. Takes at most UIDS_PER_QUERY
 * uids.
 */
export async function ownersOf(
  client: Client,
  shipmentUids: readonly string[],
): Promise<ReadonlyMap<string, readonly Owner[]>> {
  const asked = new Set(shipmentUids.filter(isSearchable));
  const owners = new Map<string, Owner[]>();
  if (asked.size === 0) return owners;
  const literals = [...asked].map(literal);
  // The store ignores case; two uids that differ in case are two shipments.
  for await (const execution of listed(client, `LockerShipmentUids IN (${literals.join(', ')})`))
    for (const uid of uidsOf(execution).filter((each) => asked.has(each)))
      owners.set(uid, [...(owners.get(uid) ?? []), ownerOf(execution)]);
  return owners;
}

/** The processes that hold one of the shipments, by as many queries as it takes; one that holds several may come several times. */
export async function* listedOwners(
  client: Client,
  shipmentUids: readonly string[],
  { pace, which, signal }: { readonly pace: Pace; readonly which?: string; readonly signal?: AbortSignal },
): AsyncGenerator<WorkflowExecutionInfo> {
  const uids = shipmentUids.filter(isSearchable);
  for (let from = 0; from < uids.length; from += UIDS_PER_QUERY) {
    signal?.throwIfAborted();
    const literals = uids.slice(from, from + UIDS_PER_QUERY).map(literal);
    const holds = `LockerShipmentUids IN (${literals.join(', ')})`;
    await pace.turn();
    yield* listed(client, which === undefined ? holds : `${which} AND ${holds}`, pace);
  }
}

/**
 * Each page is a query of the visibility store: the first uses the caller's turn, each further one waits for a
 * turn.
 */
export async function* listed(
  client: Client,
  query: string,
  pace?: Pace,
): AsyncGenerator<WorkflowExecutionInfo> {
  let count = 0;
  for await (const execution of client.workflow.list({ query, pageSize: PAGE })) {
    yield execution;
    count += 1;
    if (count % PAGE === 0) await pace?.turn();
  }
}

export function uidsOf({
  searchAttributes,
}: Pick<WorkflowExecutionInfo, 'searchAttributes'>): readonly string[] {
  return (searchAttributes.LockerShipmentUids as readonly string[] | undefined) ?? [];
}

function ownerOf({ workflowId, runId, type, status, closeTime }: WorkflowExecutionInfo): Owner {
  return {
    workflowId,
    runId,
    type,
    isRunning: status.name === 'RUNNING',
    closedAt: closeTime?.getTime() ?? null,
  };
}
