// Processes that have failed before anything was booked, as where no locker was free: whoever wanted them still waits.
import { isBuiltIn } from '../../contract/flows/flow-types.ts';
import { t } from '../../shared/texts/text.ts';
import { type Failure, ProcessFailures } from '../views/failures.ts';
import { onTaskQueue } from '../views/flow-query.ts';
import { formatFlowName } from '../views/format-names.ts';
import { type FoundFlow, foundPage } from '../views/found-flows.ts';
import { runsByKey } from '../views/newest-runs.ts';
import { WantedAtStart } from '../views/wanted-at-start.ts';
import { WholeOperations } from '../views/whole-operations.ts';
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
      readers ??= {
        failures: new ProcessFailures(parts),
        operations: new WholeOperations(parts),
        wanted: new WantedAtStart(parts),
      };
      return read(parts, readers);
    },
  };
}

interface Readers {
  readonly failures: ProcessFailures;
  readonly operations: WholeOperations;
  readonly wanted: WantedAtStart;
}

async function read(parts: InboxParts, { failures, operations, wanted }: Readers): Promise<SourceRead> {
  const since = new Date(Date.now() - WITHIN_MS).toISOString();
  const query = `ExecutionStatus = 'Failed' AND LockerPhase IS NOT NULL AND LockerBookedAt IS NULL AND CloseTime > '${since}' AND ${onTaskQueue(parts.taskQueue)}`;
  const { flows, next } = await foundPage(parts.client, query, { size: MAX_SHOWN });
  const keys = [...new Set(flows.map(({ workflowId }) => workflowId))];
  const runs = await runsByKey(parts.client, keys);
  // One that was started again has its own say.
  const open = flows.filter(({ workflowId, runId }) => (runs.get(workflowId)?.[0]?.runId ?? runId) === runId);
  const names = [...new Set(open.map(({ flow }) => flow))];
  const [why, places, ...booking] = await Promise.all([
    failures.of(open),
    wanted.of(open),
    ...names.map(async (flow) => ((await beginsByBooking(flow, operations)) ? [flow] : [])),
  ]);
  const notBegun = new Set(booking.flat());
  const entries = open.flatMap((flow): InboxEntry[] => {
    const failure = why.get(flow.runId);
    if (!failure) return [];
    const tries = failedTries(runs.get(flow.workflowId) ?? [flow]);
    const pupUid = places.get(flow.runId)?.pupUid ?? null;
    return [entryOf(flow, { failure, tries, pupUid, hasBegun: !notBegun.has(flow.flow) })];
  });
  return { entries, ...(next && { incomplete: t`only the newest ${MAX_SHOWN} are shown` }) };
}

/** False: the file does more than book, or cannot be read now, and how far it came is not known. */
const beginsByBooking = async (flow: string, operations: WholeOperations): Promise<boolean> =>
  isBuiltIn(flow) || (await operations.of(flow).catch(() => undefined)) !== undefined;

/** The last ones of a key of which none has booked anything: whoever wants it has waited since the first of them. */
export function failedTries<Run extends Pick<FoundFlow, 'status' | 'hasBooked'>>(
  newestFirst: readonly Run[],
): Run[] {
  const ends = newestFirst.filter(({ status }) => status !== 'ContinuedAsNew');
  const before = ends.findIndex(({ status, hasBooked }) => status !== 'Failed' || hasBooked);
  return before < 0 ? ends : ends.slice(0, before);
}

interface FailedStart {
  /** What the last try said. */
  readonly failure: Failure;
  /** The last first. */
  readonly tries: readonly Pick<FoundFlow, 'closedAt'>[];
  readonly pupUid: string | null;
  /** Or it may have begun: that is not known. */
  readonly hasBegun: boolean;
}

function entryOf(
  { workflowId: key, flow, closedAt }: FoundFlow,
  { failure: { code, words }, tries, pupUid, hasBegun }: FailedStart,
): InboxEntry {
  const since = tries.at(-1)?.closedAt ?? closedAt;
  const at = pupUid === null ? '' : t` at ${pupUid}`;
  return {
    id: `failedStart:${key}`,
    kind: 'failedStart',
    since,
    clockAheadMs: 0,
    title: `${formatFlowName(flow)} ${hasBegun ? t`has failed` : t`could not begin`}${at}`,
    why: tries.length > 1 ? `${words} ${t`${tries.length} tries, the first ${since}.`}` : words,
    ifNothing: t`Whoever wanted it still waits.`,
    toDo: toDoAfter(code),
    key,
    pupUid,
    lockerName: null,
    shipmentUid: null,
    cause: {
      // What was wrong with one start says nothing of another one.
      id: `failedStart:${code}:${pupUid}:${words}`,
      title: (count) => t`${count} starts failed${at}`,
      why: words,
    },
    remedy: 'startAgain',
    actions: [],
  };
}

function toDoAfter(code: string): string {
  switch (code) {
    case 'NoLockerAvailable':
    case 'NoFittingLocker':
      return t`Start it again: elsewhere, with another size, or later.`;
    case 'InvalidRequest':
      return t`Start it again with a corrected input.`;
    case 'InvalidShipmentState':
      return t`What it was to take over is over, or goes another way: start another one with an item that is there.`;
    case 'FlowUnknown':
      return t`Publish the flow and start it again, or start the one that was meant.`;
    default:
      return t`See to what it says, and start it again.`;
  }
}
