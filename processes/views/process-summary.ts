// What an open process itself says of where it stands, as a row shows it.
import { z } from 'zod';
import { note, type ProcessProgress, type WaitingFor } from '../../contract/flows/flow-answers.ts';
import { endOf } from './awaited.ts';
import { formatLeg } from './format-names.ts';
import { formatStatePaths, shipmentsIn, wholeBooking } from './progress.ts';
import { rowState, rowStateOf } from './row-state.ts';

const legSummary = z.object({
  role: z.string().nullable(),
  booking: z
    .string()
    .nullable()
    .meta({ description: 'The id of its booking; null: the process has but one, or it is a state' }),
  state: z.string(),
  shipmentUid: z.string().nullable(),
  pupUid: z.string().nullable(),
  lockerName: z.string().nullable(),
  isDone: z.boolean(),
  words: z.string().meta({ description: 'All of it, for people' }),
});
type LegSummary = z.infer<typeof legSummary>;

export const processSummary = z.object({
  /** The state of its chart and its shipments with theirs; of a built-in flow its shipments alone. */
  states: z.array(legSummary),
  /** What it waits for, the most urgent; null: nothing. */
  waitingFor: z.string().nullable(),
  /** The newest that a person has left on it; null: nobody has. */
  note: note.nullable(),
  ...rowState,
  /** The end of its next deadline. */
  until: z.string().nullable(),
  clockAheadMs: z
    .number()
    .meta({ description: 'How far the clock of `until` is ahead of the real time: a sandbox’s' }),
});
export type ProcessSummary = Readonly<z.infer<typeof processSummary>>;

export function summaryOf(progress: ProcessProgress, clockAheadMs: number): ProcessSummary {
  const waitingFor = progress.waitingFor[0]?.words ?? null;
  const { note: left = null } = progress;
  return {
    states: statesOf(progress),
    waitingFor,
    note: left,
    ...rowStateOf(progress),
    until: untilOf(progress),
    clockAheadMs,
  };
}

function statesOf(progress: ProcessProgress): LegSummary[] {
  const several = progress.bookings.length > 1;
  const legs = shipmentsIn(progress).map(({ booking, role, shipment, isDone, name }) => {
    const { shipmentUid, stateCode, pupUid, lockerName } = shipment;
    const leg = { role, state: stateCode ?? 'Unknown', shipmentUid, pupUid, lockerName, isDone };
    return {
      ...leg,
      booking: several ? booking.id : null,
      words: formatLeg(several ? { ...leg, name } : leg),
    };
  });
  const isWhole = wholeBooking(progress) !== undefined;
  // Its chart says no more than its shipments.
  if (isWhole && legs.length > 0) return legs;
  const { state: at, activity } = progress;
  const state = isWhole || at === null ? activity : formatStatePaths(at);
  const own = { role: null, state, shipmentUid: null, pupUid: null, lockerName: null, isDone: false };
  return [{ ...own, booking: null, words: formatLeg(own) }, ...legs];
}

/**
 * A timer of the file alone may be a reminder: it counts where nothing else has an end. Nobody is late by what is set for a stage
 * that has not begun.
 */
function untilOf({ bookings, waitingFor }: ProcessProgress): string | null {
  const deadlines = bookings.flatMap((each) => each.deadlines.filter(({ ahead }) => !ahead));
  const isPlain = ({ code }: WaitingFor) => code === 'Time';
  const ends = (all: readonly WaitingFor[]) => all.flatMap((each) => endOf(each) ?? []);
  const firstOf = (all: readonly string[]) => all.toSorted()[0] ?? null;
  return (
    firstOf([...deadlines.map(({ until }) => until), ...ends(waitingFor.filter((each) => !isPlain(each)))]) ??
    firstOf(ends(waitingFor.filter(isPlain)))
  );
}
