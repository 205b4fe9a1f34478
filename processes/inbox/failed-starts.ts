// Processes that have failed before anything was booked, as where no locker was free: whoever wanted them still waits.
import { LRUCache } from 'lru-cache';
import { startedWith } from '../../client/started-with.ts';
import { isBuiltIn } from '../../contract/flows/flow-types.ts';
import { t } from '../../shared/texts/text.ts';
import { eachAtOnce } from '../at-once.ts';
import { type Failure, ProcessFailures } from '../views/failures.ts';
import { onTaskQueue } from '../views/flow-query.ts';
import { formatFlowName } from '../views/format-names.ts';
import { type FoundFlow, foundPage } from '../views/found-flows.ts';
import { olderRunsOf } from '../views/newest-runs.ts';
import type { InboxEntry, InboxParts, InboxSource, SourceRead } from './inbox-entry.ts';

/** Older ones nobody waits for any more. */
const WITHIN_MS = 3 * 86_400_000;
const MAX_SHOWN = 500;

export function failedStarts(): InboxSource {
  let failures: ProcessFailures | undefined;
  const places = new LRUCache<string, { readonly pupUid: string | null }>({ max: 5_000 });
  return {
    kind: 'failedStart',
    what: () => t`starts that failed`,
    read: (parts) => {
      failures ??= new ProcessFailures(parts);
      return read(parts, failures, places);
    },
  };
}

type Places = LRUCache<string, { readonly pupUid: string | null }>;

async function read(parts: InboxParts, failures: ProcessFailures, places: Places): Promise<SourceRead> {
  const since = new Date(Date.now() - WITHIN_MS).toISOString();
  const query = `ExecutionStatus = 'Failed' AND LockerPhase IS NOT NULL AND LockerBookedAt IS NULL AND CloseTime > '${since}' AND ${onTaskQueue(parts.taskQueue)}`;
  const { flows, next } = await foundPage(parts.client, query, { size: MAX_SHOWN });
  // One that was started again has its own say.
  const older = await olderRunsOf(parts.client, flows);
  const open = flows.filter(({ runId }) => !older.has(runId));
  const why = await failures.of(open);
  const entries: InboxEntry[] = [];
  for await (const { item, outcome } of eachAtOnce(open, (flow) => placeOf(parts, flow, places))) {
    if (!outcome.done) throw outcome.error;
    const failure = why.get(item.runId);
    if (failure) entries.push(entryOf(item, failure, outcome.value.pupUid));
  }
  return { entries, ...(next && { incomplete: t`only the newest ${MAX_SHOWN} are shown` }) };
}

/** By run: where it was to be booked. */
async function placeOf({ client }: InboxParts, { workflowId, runId }: FoundFlow, places: Places) {
  const known = places.get(runId);
  if (known) return known;
  const { input } = await startedWith(client, workflowId, runId);
  const { request } = (input ?? {}) as { readonly request?: { readonly pupUid?: unknown } };
  const place = { pupUid: typeof request?.pupUid === 'string' ? request.pupUid : null };
  places.set(runId, place);
  return place;
}

function entryOf(
  { workflowId: key, flow, closedAt }: FoundFlow,
  failure: Failure,
  pupUid: string | null,
): InboxEntry {
  const { code, words } = failure;
  const at = pupUid === null ? '' : t` at ${pupUid}`;
  return {
    id: `failedStart:${key}`,
    kind: 'failedStart',
    since: closedAt,
    clockAheadMs: 0,
    title: `${formatFlowName(flow)} ${isBuiltIn(flow) ? t`could not begin` : t`has failed`}${at}`,
    why: words,
    ifNothing: t`Whoever wanted it still waits.`,
    toDo: t`Start it again: elsewhere, with another size, or later.`,
    key,
    pupUid,
    lockerName: null,
    shipmentUid: null,
    cause: {
      id: `failedStart:${code}:${pupUid}`,
      title: (count) => t`${count} starts failed${at}`,
    },
    remedy: 'startAgain',
    actions: [],
  };
}
