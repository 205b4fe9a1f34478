// What the locker service has of the bookings of a process that are in doubt: asked whenever somebody looks, but not each time that
// a page asks again.
import type { ProcessProgress } from '../../contract/flows/flow-answers.ts';
import { askAboutDoubt, bookingsInDoubt, type DoubtAnswer } from '../../processes/booking-doubt.ts';
import type { ConsoleParts } from '../console-parts.ts';

const SHARED_MS = 5_000;

export async function doubtsOf(
  { service, shared }: Pick<ConsoleParts, 'service' | 'shared'>,
  key: string,
  progress: ProcessProgress | null,
): Promise<readonly DoubtAnswer[]> {
  const inDoubt = progress === null ? [] : bookingsInDoubt(progress);
  return await Promise.all(
    inDoubt.map((booking) =>
      shared.of(`doubt of ${key} ${booking.id}`, SHARED_MS, () => askAboutDoubt(service, key, booking)),
    ),
  );
}
