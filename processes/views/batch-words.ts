// How far a case is that does the same for many, as an `each` of its flow file, in the words of what is done with each.
import type { ProcessProgress, WaitingFor } from '../../contract/flows/flow-answers.ts';
import { legsBookedBy, legsOfFlow } from '../../flows/built-in/flows.ts';
import { t } from '../../shared/texts/text.ts';

type Batch = NonNullable<ProcessProgress['batches']>[number];

interface Texts {
  readonly done: string;
  readonly toBring: string;
}

const usual = (): Texts => ({ done: t`done`, toBring: t`to be put in` });
/** By the role of the first leg of what is booked for each. */
const byRole = (): Readonly<Record<string, Texts>> => ({
  intake: { done: t`back`, toBring: t`to be brought` },
});

type Bookings = ProcessProgress['bookings'];

/** The process books for each itself, or starts a flow; of a flow that is published nothing is known here. */
function textsOf({ id, type }: Pick<Batch, 'id' | 'type'>, bookings: Bookings): Texts {
  const own = bookings.find((each) => each.id.startsWith(`${id}.`));
  const [role = ''] = Object.keys(own ? legsBookedBy(own.operation) : legsOfFlow(type));
  return byRole()[role] ?? usual();
}

/** Where those under way are, as far as it is known. */
interface UnderWay {
  readonly inside: number;
  readonly toBring: number;
}

/** "0 of 6 back: 1 in a locker, 2 to be brought, 3 not begun". */
export function formatBatch(
  batch: Omit<Batch, 'of'>,
  bookings: Bookings,
  { inside, toBring }: UnderWay = { inside: 0, toBring: 0 },
): string {
  const { items, next, open, failed, left } = batch;
  const texts = textsOf(batch, bookings);
  const counts: readonly (readonly [number, string])[] = [
    [inside, t`in a locker`],
    [toBring, texts.toBring],
    [open.length - inside - toBring, t`under way`],
    [failed.length, t`failed`],
    [left.length, t`cancelled`],
    [items - next, t`not begun`],
  ];
  const done = next - open.length - failed.length - left.length;
  const all = counts.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
  return t`${done} of ${items} ${texts.done}${all.length > 0 ? `: ${all.join(', ')}` : ''}`;
}

/** Undefined: its worker does not say how far it is. */
export function formatAwaitedBatch(
  { id }: Pick<WaitingFor, 'id'>,
  { batches, bookings }: Pick<ProcessProgress, 'batches' | 'bookings'>,
): string | undefined {
  const batch = batches?.find((each) => each.id === id);
  return batch && formatBatch(batch, bookings);
}
