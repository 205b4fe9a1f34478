// Processes that have failed before anything was booked, as where no locker was free: whoever wanted them still waits.
import { isBuiltIn } from '../../contract/flows/flow-types.ts';
import { t } from '../../shared/texts/text.ts';
import { type Failure, ProcessFailures } from '../views/failures.ts';
import { onTaskQueue } from '../views/flow-query.ts';
import { formatFlowName } from '../views/format-names.ts';
import { type FoundFlow, foundPage } from '../views/found-flows.ts';
import { olderRunsOf } from '../views/newest-runs.ts';
import { WantedAtStart } from '../views/wanted-at-start.ts';
import type { InboxEntry, InboxParts, InboxSource, SourceRead } from './inbox-entry.ts';

/** Older ones nobody waits for any more. */
const WITHIN_MS = 3 * 86_400_000;
const MAX_SHOWN = 500;

export function failedStarts(): InboxSource {
  let readers: Readers | undefined;
  return {
    kind: 'failedStart',
    what: () => t`starts that failed`,
    read: (parts) => {
      readers ??= { failures: new ProcessFailures(parts), wanted: new WantedAtStart(parts) };
      return read(parts, readers);
    },
  };
}

interface Readers {
  readonly failures: ProcessFailures;
  readonly wanted: WantedAtStart;
}

async function read(parts: InboxParts, { failures, wanted }: Readers): Promise<SourceRead> {
  const since = new Date(Date.now() - WITHIN_MS).toISOString();
  const query = `ExecutionStatus = 'Failed' AND LockerPhase IS NOT NULL AND LockerBookedAt IS NULL AND CloseTime > '${since}' AND ${onTaskQueue(parts.taskQueue)}`;
  const { flows, next } = await foundPage(parts.client, query, { size: MAX_SHOWN });
  // One that was started again has its own say.
  const older = await olderRunsOf(parts.client, flows);
  const open = flows.filter(({ runId }) => !older.has(runId));
  const [why, places] = await Promise.all([failures.of(open), wanted.of(open)]);
  const entries = open.flatMap((flow): InboxEntry[] => {
    const failure = why.get(flow.runId);
    return failure ? [entryOf(flow, failure, places.get(flow.runId)?.pupUid ?? null)] : [];
  });
  return { entries, ...(next && { incomplete: t`only the newest ${MAX_SHOWN} are shown` }) };
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
