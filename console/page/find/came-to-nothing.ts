// The cases of an item that have ended, and whose people never had it.
import type { ItemView } from '../../find/person-view.ts';
import type { ProcessRow } from '../../processes/processes-view.ts';

/** The clocks of the service and of Temporal may differ by so much. */
const TOLERANCE_MS = 60_000;

/** What nobody was to receive is no reservation: the movements show it. */
export const cameToNothing = (
  rows: readonly ProcessRow[],
  holders: readonly Pick<ItemView['holders'][number], 'userUid' | 'from'>[],
  movements: readonly Pick<ItemView['movements'][number], 'shipmentUid' | 'isTakenOut'>[],
): ProcessRow[] =>
  rows.filter(({ about, startedAt, closedAt, shipmentUids }) => {
    const people = about?.people ?? [];
    if (closedAt === null || people.length === 0) return false;
    // The desk has taken out what they brought.
    if (movements.some((each) => each.isTakenOut && shipmentUids.includes(each.shipmentUid))) return false;
    const begun = Date.parse(startedAt ?? '') - TOLERANCE_MS;
    const ended = Date.parse(closedAt) + TOLERANCE_MS;
    return !holders.some(({ userUid, from }) => {
      const at = Date.parse(from);
      return people.some((each) => each.userUid === userUid) && at >= begun && at <= ended;
    });
  });
