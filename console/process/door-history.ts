// What happened at the doors of a process and of the flows that it has started: as the service tells it of each shipment, in the
// words of door-rows.ts.
import { z } from 'zod';
import type { ProcessProgress } from '../../contract/flows/flow-answers.ts';
import { commandErrorOf } from '../../processes/outcome.ts';
import { bookingFlows, bookingFlowsOf, shipmentsIn } from '../../processes/views/progress.ts';
import type { ShownProcess } from '../../processes/views/shown-process.ts';
import { LockerApiError } from '../../shared/locker-api/index.ts';
import { t } from '../../shared/texts/text.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { ifKnown, nameOrDesk } from '../people.ts';
import { type DoorRow, doorRows } from './door-rows.ts';

const doorRow = z.object({
  at: z.string().nullable(),
  words: z.string(),
  why: z.string().nullable(),
  isBad: z.boolean(),
  isByProgram: z
    .boolean()
    .meta({ description: 'A program read codes, and says of no person that it did so for them' }),
  id: z.string(),
});

export const doorHistory = z
  .object({
    items: z.array(doorRow).meta({ description: 'The oldest first' }),
    unread: z.string().nullable().meta({ description: 'What could not be read, in words for people' }),
  })
  .meta({ title: 'DoorHistory' });
export type DoorHistory = Readonly<z.infer<typeof doorHistory>>;

interface Reader {
  /** Also of a flow that it has started. */
  mayRead(flow: string): boolean;
  /** Whether it names whose codes they were. */
  readonly mayKnowPeople: boolean;
}

export async function doorHistoryOf(
  parts: ConsoleParts,
  { key, progress }: Pick<ShownProcess, 'key' | 'progress'>,
  { mayRead, mayKnowPeople }: Reader,
): Promise<DoorHistory> {
  if (progress === null) return { items: [], unread: SILENT() };
  try {
    const [begun, ended] = await Promise.all([
      bookingFlowsOf(parts, key, progress),
      endedPartsOf(parts, key, progress),
    ]);
    const flows = [...begun, ...ended];
    const shipments = flows
      .filter((each) => mayRead(each.progress.flow))
      .flatMap((each) => shipmentsIn(each.progress).map(({ shipment }) => shipment));
    const each = await Promise.all(shipments.map((shipment) => rowsOf(parts, shipment, mayKnowPeople)));
    return { items: onceEach(each.flat()).sort(byTime), unread: null };
  } catch (error) {
    if (!(error instanceof LockerApiError)) {
      // A flow that it is about to start is not there yet.
      if (commandErrorOf(error)) return { items: [], unread: SILENT() };
      throw error;
    }
    const unread =
      error.code === 'UnknownOperation'
        ? t`This locker service does not tell who opened its doors.`
        : t`The locker service could not be asked what happened at the doors.`;
    return { items: [], unread };
  }
}

/** What is done to a locker is told of each shipment that has it. */
function onceEach(rows: readonly DoorRow[]): DoorRow[] {
  const known = new Map(rows.map((row) => [JSON.stringify([row.at, row.words, row.why]), row]));
  return [...known.values()];
}

/** Each is asked what it booked: as many as one looks at. */
const MAX_ENDED_PARTS = 20;

/** Where a case does the same for many: the flows of those that are done. One that Temporal has forgotten tells nothing. */
async function endedPartsOf(parts: ConsoleParts, key: string, { batches = [] }: ProcessProgress) {
  const keys = batches.flatMap(({ id, type, next, open }) =>
    type === 'book'
      ? []
      : Array.from({ length: next }, (_, index) => index)
          .filter((index) => !open.includes(index))
          .map((index) => `${key}/${id}.${index}`),
  );
  const read = keys.slice(-MAX_ENDED_PARTS).map(async (part) => {
    try {
      return await bookingFlows(parts, part);
    } catch (error) {
      if (!commandErrorOf(error)) throw error;
      return [];
    }
  });
  return (await Promise.all(read)).flat();
}

const SILENT = () => t`The case does not answer: its lockers are not known now.`;

const byTime = (one: DoorRow, other: DoorRow): number =>
  Date.parse(one.at ?? '') - Date.parse(other.at ?? '');

async function rowsOf(
  parts: ConsoleParts,
  { shipmentUid, lockerName }: { readonly shipmentUid: string; readonly lockerName: string | null },
  mayKnowPeople: boolean,
): Promise<DoorRow[]> {
  const [{ items }, people] = await Promise.all([
    parts.service.call('GetShipmentEvents', { shipmentUid }),
    mayKnowPeople ? peopleOf(parts, shipmentUid) : { to: null, from: null },
  ]);
  return doorRows(items, { shipmentUid, lockerName, ...people });
}

async function peopleOf(parts: ConsoleParts, shipmentUid: string) {
  const shipment = await ifKnown(() => parts.service.call('GetShipment', { shipmentUid }));
  const { toUserUid = null, fromUserUid = null } = shipment ?? {};
  const [to, from] = await Promise.all([nameOrDesk(parts, toUserUid), nameOrDesk(parts, fromUserUid)]);
  return { to, from };
}
