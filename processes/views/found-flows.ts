// The results of a visibility query, page by page. A page's token outlives this program, so a later command can go on.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import type { SearchAttributeName } from '../../contract/flows/search-attributes.ts';
import { wrongInput } from '../outcome.ts';
import { learnTitles } from './flow-titles.ts';
import { REPORTED_PROBLEMS } from './needs-person.ts';
import type { Status } from './process-fields.ts';
import type { Standing } from './standing.ts';

export interface FoundFlow {
  readonly workflowId: string;
  readonly runId: string;
  readonly flow: string;
  /** As the views spell it, or ContinuedAsNew. */
  readonly status: string;
  readonly phase: string | null;
  /** A worker fails at it again and again, as Temporal reports: it can say nothing itself. */
  readonly workerFails: boolean;
  readonly case: string | null;
  readonly pickUpPoint: string | null;
  readonly shipmentUids: readonly string[];
  /** It came to know its shipments. */
  readonly hasBooked: boolean;
  /** Whom and what it is about, as the search attribute has it. */
  readonly subjects: readonly string[];
  /** Where it has asked something that nobody has answered. */
  readonly inboxes: readonly string[];
  /** The process that has started it. */
  readonly parent: string | null;
  readonly startedAt: string | null;
  readonly closedAt: string | null;
}

interface FoundPage {
  readonly flows: readonly FoundFlow[];
  /** Where the next page begins; null after the last. */
  readonly next: string | null;
}

export interface PageWanted {
  readonly size: number;
  /** The `next` of an earlier page. */
  readonly from?: string | undefined;
  /** Whoever has it can make a page's token. Without it they are for whoever may ask Temporal anyway, like the command line. */
  readonly key?: string | undefined;
}

export async function foundPage(
  client: Client,
  query: string,
  { size, from, key = '' }: PageWanted,
): Promise<FoundPage> {
  const { executions, nextPageToken } = await client.workflowService.listWorkflowExecutions({
    namespace: client.options.namespace,
    query,
    pageSize: size,
    nextPageToken: from === undefined ? null : tokenOf(from, key),
  });
  const next = nextPageToken && nextPageToken.length > 0 ? cursorOf(nextPageToken, key) : null;
  const flows = (executions ?? []).map(foundFlow);
  await learnTitles(
    client,
    flows.map(({ flow }) => flow),
  );
  return { flows, next };
}

export interface CountedPage extends FoundPage {
  /** How many processes the whole query finds. */
  readonly count: number;
  /** Not given: the newest first. */
  readonly sorted?: 'due' | 'waiting';
  /** How many processes have not answered, and may be missing: only in a search for what processes say of themselves. */
  readonly unknown?: number;
  /** What was searched for there. */
  readonly standing?: Standing;
  /** Those of its runs whose key has a newer one, where they are known. */
  readonly older?: ReadonlySet<string>;
}

/** A page of a list, as every list of processes shows it. */
export async function countedPage(
  client: Client,
  query: string,
  { size, from, key }: PageWanted,
): Promise<CountedPage> {
  const [{ flows, next }, { count }] = await Promise.all([
    foundPage(client, query, { size, from, key }),
    client.workflow.count(query),
  ]);
  // Temporal gives a token after a full page, also where nothing follows. Behind the first page, the count says it.
  const mayBeLast = next !== null && count % size === 0 && (from !== undefined || count <= size);
  const following = mayBeLast ? await foundPage(client, query, { size: 1, from: next, key }) : null;
  return { flows, next: following?.flows.length === 0 ? null : next, count };
}

/** Between two runs a process runs. */
export const statusOf = ({ status }: Pick<FoundFlow, 'status'>): Status =>
  status === 'ContinuedAsNew' ? 'Running' : (status as Status);

// A server gives at most 1,000 at a time.
const PAGE_SIZE = 500;

export async function* everyFound(client: Client, query: string): AsyncGenerator<FoundFlow, void, void> {
  let from: string | undefined;
  do {
    const page = await foundPage(client, query, { size: PAGE_SIZE, from });
    yield* page.flows;
    from = page.next ?? undefined;
  } while (from !== undefined);
}

// Temporal answers a token that it has not made as if it were down, and its client tries again for seconds. So whoever changes or
// invents one must be refused before: a checksum stands in front of the token, by a key where strangers send it.
const CHECKSUM_BYTES = 16;

const checksumOf = (token: Uint8Array, key: string): Buffer =>
  createHmac('sha256', key).update(token).digest().subarray(0, CHECKSUM_BYTES);

const cursorOf = (token: Uint8Array, key: string): string =>
  Buffer.concat([checksumOf(token, key), token]).toString('base64url');

function tokenOf(from: string, key: string): Uint8Array {
  const bytes = Buffer.from(from, 'base64url');
  const token = bytes.subarray(CHECKSUM_BYTES);
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  bytes.copy(checksum);
  if (token.length === 0 || !timingSafeEqual(checksumOf(token, key), checksum))
    throw wrongInput(`${from} is not a page; expected the value of next from the previous page`);
  return token;
}

type Execution = NonNullable<
  Awaited<ReturnType<Client['workflowService']['listWorkflowExecutions']>>['executions']
>[number];

function foundFlow({
  execution,
  type,
  status,
  startTime,
  closeTime,
  searchAttributes,
  parentExecution,
}: Execution): FoundFlow {
  const attribute = (name: SearchAttributeName | typeof REPORTED_PROBLEMS): unknown => {
    const payload = searchAttributes?.indexedFields?.[name];
    return payload ? defaultPayloadConverter.fromPayload(payload) : null;
  };
  const word = (name: SearchAttributeName) => {
    const value = attribute(name);
    return typeof value === 'string' ? value : null;
  };
  // A list of one may come as the value itself.
  const words = (name: SearchAttributeName) =>
    [attribute(name)].flat().filter((each) => typeof each === 'string');
  const workerFails = status === RUNNING && attribute(REPORTED_PROBLEMS) !== null;
  return {
    workflowId: execution?.workflowId ?? '',
    runId: execution?.runId ?? '',
    flow: type?.name ?? '',
    status: statuses[status ?? 0] ?? 'Unknown',
    phase: workerFails ? 'NeedsPerson' : word('LockerPhase'),
    workerFails,
    case: word('LockerCase'),
    pickUpPoint: word('LockerPickUpPoint'),
    shipmentUids: words('LockerShipmentUids'),
    hasBooked: attribute('LockerBookedAt') !== null,
    subjects: words('LockerSubjects'),
    inboxes: words('LockerInbox'),
    parent: parentExecution?.workflowId || null,
    startedAt: isoTime(startTime),
    closedAt: isoTime(closeTime),
  };
}

// By Temporal's numbers (temporal.api.enums.v1.WorkflowExecutionStatus).
const RUNNING = 1;
const statuses: readonly string[] = [
  'Unknown',
  'Running',
  'Completed',
  'Failed',
  'Cancelled',
  'Terminated',
  'ContinuedAsNew',
  'TimedOut',
];

/** Temporal's own form of an instant: seconds as a number that may be larger than JavaScript's, and nanoseconds. */
export function isoTime(
  time: { readonly seconds?: unknown; readonly nanos?: number | null } | null | undefined,
): string | null {
  if (!time) return null;
  return new Date(Number(time.seconds ?? 0) * 1_000 + (time.nanos ?? 0) / 1_000_000).toISOString();
}

/** It has failed before anything was booked. */
export const hasBookedNothing = ({
  status,
  shipmentUids,
}: {
  readonly status?: string | undefined;
  readonly shipmentUids: readonly string[];
}): boolean => status === 'Failed' && shipmentUids.length === 0;
