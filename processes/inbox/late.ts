// Cases that are late: a deadline has passed, and their process waits on.
import type { ProcessProgress } from '../../contract/flows/flow-answers.ts';
import { goalIn } from '../../contract/machines/access.ts';
import { t } from '../../shared/texts/text.ts';
import { actionFormsOf } from '../action-forms/action-forms.ts';
import { openLockerForm } from '../action-forms/desk-forms.ts';
import type { ActionForm } from '../action-forms/question-forms.ts';
import { actionsAndProgressOf } from '../actions.ts';
import { AnswerCache } from '../answer-cache.ts';
import type { ProcessClocks } from '../flow-clock.ts';
import { deskTasksOf, formatLateRemedy, shipmentsAtDesk } from '../views/desk-tasks.ts';
import { onTaskQueue } from '../views/flow-query.ts';
import { type FoundFlow, foundPage } from '../views/found-flows.ts';
import { shipmentsIn } from '../views/progress.ts';
import { lateStepOf, rowStateOf } from '../views/row-state.ts';
import { entriesOfFlows } from './entries-of-flows.ts';
import type { InboxEntry, InboxParts, InboxSource, SourceRead } from './inbox-entry.ts';

/** Those of a whole wall, or of a whole day: they are shown as a few groups. */
const MAX_SHOWN = 500;

type Answer = Awaited<ReturnType<typeof actionsAndProgressOf>> & Pick<InboxEntry, 'clockAheadMs'>;

export function late(clocks: ProcessClocks): InboxSource {
  const kept = new AnswerCache<Answer>();
  return { kind: 'late', what: () => t`late cases`, read: (parts) => read(parts, clocks, kept) };
}

async function read(
  parts: InboxParts,
  clocks: ProcessClocks,
  kept: AnswerCache<Answer>,
): Promise<SourceRead> {
  const query = `LockerPhase = 'Overdue' AND ExecutionStatus = 'Running' AND ${onTaskQueue(parts.taskQueue)}`;
  const { flows, next } = await foundPage(parts.client, query, { size: MAX_SHOWN });
  return await entriesOfFlows(parts, flows, {
    kept,
    ask: async ({ workflowId, runId }, withinMs) => {
      const [answer, clockAheadMs] = await Promise.all([
        actionsAndProgressOf(parts, workflowId, withinMs),
        clocks.aheadMs(parts, { key: workflowId, runId }),
      ]);
      return { ...answer, clockAheadMs };
    },
    entriesOf: entryOf,
    notAll: next !== null && t`only the newest ${MAX_SHOWN} are shown`,
  });
}

/** Who is late at a wall that is cut off cannot help it: that is a cause of its own. */
export function lateAtOfflineWalls(entries: readonly InboxEntry[]): InboxEntry[] {
  const offline = new Set(entries.flatMap(({ offlineWall }) => offlineWall ?? []));
  return entries.map((entry) => {
    const { kind, pupUid, cause } = entry;
    if (kind !== 'late' || pupUid === null || !cause || !offline.has(pupUid)) return entry;
    const toDo = t`They can do nothing while ${pupUid} is offline: extend the deadline, and tell them.`;
    return {
      ...entry,
      toDo,
      cause: {
        ...cause,
        toDo,
        id: `${cause.id} at ${pupUid}`,
        title: (count: number) => t`${cause.title(count)}, and ${pupUid} is offline`,
      },
    };
  });
}

/** None: it has come, or was extended, since the search attribute was written. */
export function entryOf({ workflowId: key, flow, pickUpPoint }: FoundFlow, answer: Answer): InboxEntry[] {
  const { progress: said, clockAheadMs, ...actions } = answer;
  const progress = said as ProcessProgress | undefined;
  if (progress?.phase !== 'Overdue') return [];
  const { next, where } = rowStateOf(progress);
  const step = lateStepOf(progress) ?? next?.words ?? t`Something`;
  const forms = actionFormsOf({ key, isOpen: true, flow, progress, actions });
  const [task] = deskTasksOf(progress);
  return [
    {
      id: `late:${key}`,
      kind: 'late',
      since: next?.until ?? null,
      clockAheadMs,
      ...(next?.until && { due: next.until }),
      title: t`${step}: late`,
      why: t`A deadline has passed${next?.until ? t` at ${next.until}` : ''}${where ? `. ${where.words}` : ''}.`,
      ifNothing:
        progress.bookings.length > 0
          ? t`The case waits on, and its locker stays taken.`
          : t`The case waits on.`,
      toDo: formatLateRemedy(task),
      key,
      pupUid: where?.pupUid ?? pickUpPoint,
      lockerName: null,
      shipmentUid: null,
      cause: {
        id: `late:${step}`,
        title: (count) => t`${count} are late: ${step.toLowerCase()}`,
        why: t`Their deadlines have passed.`,
        ...(task !== undefined && {
          toDo: t`Do for each what it says; or extend the deadlines, or cancel.`,
        }),
      },
      remedy: 'extend',
      actions: [
        ...openingsAtDesk(progress),
        ...forms.filter(({ command }) => command === 'extend' || command === 'cancel'),
      ],
    },
  ];
}

function openingsAtDesk(progress: ProcessProgress): ActionForm[] {
  const atDesk = shipmentsAtDesk(progress);
  return shipmentsIn(progress).flatMap(({ shipment: { shipmentUid, stateCode, lockerName } }) => {
    const goal = goalIn(stateCode);
    return goal && atDesk.has(shipmentUid) ? [openLockerForm({ shipmentUid, lockerName, goal })] : [];
  });
}
