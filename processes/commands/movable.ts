// What can be moved: a process that is one booking, and of which nothing has been put in yet.
import { FlowNotPublished } from '../../client/flow-files/flow-not-published.ts';
import { publishedVersion } from '../../client/flow-files/published-flows.ts';
import type { ProcessProgress } from '../../contract/flows/flow-answers.ts';
import type { ChartView } from '../../engine/chart/chart-view.ts';
import { booksOnly } from '../../flows/language/reading/action-effects.ts';
import { t } from '../../shared/texts/text.ts';
import { refused } from '../outcome.ts';
import type { CommandContext } from '../temporal-context.ts';
import { flowNamed, type RegisteredFlow } from '../views/flow-registry.ts';
import { formatState } from '../views/format-names.ts';
import { shipmentsIn, wholeBooking } from '../views/progress.ts';
import type { LockerHad } from './places-asked-for.ts';

const NOT_PUT_IN: ReadonlySet<string | null> = new Set(['ReadyForDropoff', 'Registered']);

export const ITEM_INSIDE = 'ItemInside';

/** Whether it may be moved, as far as its progress says it, and its chart where that is known. */
export function isMovable(progress: ProcessProgress, chart: Pick<ChartView, 'states'> | null): boolean {
  const isMoreThanBooking = (chart?.states ?? []).flatMap(({ invokes }) => invokes).length > 1;
  const shipments = shipmentsIn(progress);
  const isWaiting = shipments.every(
    ({ role, shipment }) => role !== null && NOT_PUT_IN.has(shipment.stateCode),
  );
  const isFollowing = wholeBooking(progress)?.activity === 'Following';
  return isFollowing && !isMoreThanBooking && shipments.length > 0 && isWaiting;
}

/** Gives the locker that it has. */
export function requireNotPutIn(key: string, progress: ProcessProgress): LockerHad {
  if (wholeBooking(progress)?.activity !== 'Following')
    throw refused(
      'NotBooked',
      t`${key} is being booked or undone, or needs a person: nothing of it can be moved now`,
    );
  const inside = shipmentsIn(progress).find(
    ({ role, shipment }) => role === null || !NOT_PUT_IN.has(shipment.stateCode),
  );
  if (inside)
    throw refused(
      ITEM_INSIDE,
      t`${inside.name} of ${key} is “${formatState(inside.shipment.stateCode ?? 'Unknown')}”: only what has not been put in yet is moved`,
    );
  const { shipmentUid = '', lockerName = null, pupUid = null } = shipmentsIn(progress)[0]?.shipment ?? {};
  return { shipmentUid, lockerName, pupUid };
}

/** What the process does is said by the version on which it runs, and what begins anew by the current one. */
export async function requireBooksOnly(
  commandContext: CommandContext,
  key: string,
  flow: string,
  version: number,
): Promise<void> {
  const { file, kind } = await requireFlow(commandContext, flow);
  const published =
    kind === 'published' ? await publishedVersion(commandContext.client, flow, version) : undefined;
  for (const each of [file, ...(published ? [published.file] : [])])
    if (!booksOnly(each))
      throw refused(
        'NotOneBooking',
        t`${key} is more than one booking: what ${flow} does else cannot be moved`,
      );
}

/** One that is no longer published cannot begin anew: that is said of this process, and stops no other. */
async function requireFlow(commandContext: CommandContext, flow: string): Promise<RegisteredFlow> {
  try {
    return await flowNamed(commandContext, flow);
  } catch (cause) {
    throw cause instanceof FlowNotPublished ? refused(cause.name, cause.message, { cause }) : cause;
  }
}
