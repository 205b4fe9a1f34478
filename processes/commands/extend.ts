// The commands about a leg: extends a deadline (of a flow file, an `after` that runs), sets the receiver or removes it (interface:
// SetShipmentReceiver).
import { z } from 'zod';
import type { BookingProgress, ProcessProgress } from '../../contract/flows/flow-answers.ts';
import { stages } from '../../contract/flows/flow-input.ts';
import type { ExtendedDeadline, ExtendTimer, OfBooking } from '../../contract/flows/flow-messages.ts';
import { duration } from '../../contract/wire/duration.ts';
import { type Acting, answered, attributionOf } from '../at-temporal.ts';
import { CommandError } from '../outcome.ts';
import { bookingFlows, bookingFlowsOf, progressOf } from '../views/progress.ts';
import { processCommand } from './command.ts';
import { anyText, bookingId, exactlyOne, oneOf, roleOfShipment, text } from './read-values.ts';

const input = exactlyOne(
  z.strictObject({
    role: roleOfShipment.optional(),
    stage: oneOf(stages).optional().meta({ description: 'Which deadline of that shipment' }),
    booking: bookingId,
    timer: text
      .optional()
      .meta({ description: 'Of a flow file: an `after` that runs, by its id in `waitingFor`' }),
    next: z.literal(true, { error: 'must be true; leave it out to name the deadline' }).optional().meta({
      description: 'The one that ends first, of those that run: many processes need not wait for the same',
    }),
    fromNow: duration.optional().meta({ description: 'The new end, counted from now' }),
    until: z.iso
      .datetime({ offset: true, error: 'is not a time; expected one like 2031-05-01T12:00:00Z' })
      .transform((given) => new Date(given).toISOString())
      .optional()
      .meta({ description: 'The new end, like 2031-05-01T12:00:00Z' }),
  }),
  { fromNow: ['fromNow'], until: ['until'] },
  { deadline: ['role', 'stage'], timer: ['timer'], next: ['next'] },
);
export type ExtendInput = z.infer<typeof input>;

export interface Extended extends ExtendedDeadline {
  /** Null for a timer. */
  readonly role: string | null;
  readonly stage: string | null;
  /** The timer of a flow file; null for a role and a stage. */
  readonly timer: string | null;
}

export const extend = processCommand({
  name: 'extend',
  why: 'optional',
  input,
  resolveInput,
  keyOf: ownerOf,
  meaning:
    'Extends a deadline, or gives one to a stage that has none; of a flow file, a timer that runs, by its id in `waitingFor`. With `next` the one that ends first',
  example: { role: 'issue', stage: 'pickUp', fromNow: 'P2D', why: 'the receiver is ill' },
  forms: {
    extendDeadline: {
      label: 'Extend a deadline',
      meaning:
        'The stage may last until the new end. A deadline that has passed is open again, and the flow is no longer overdue. A stage that has not begun keeps the new end for later.',
    },
  },
  async act(acting, key, given): Promise<Extended> {
    const { role = null, stage = null, timer = null, booking, until, fromNow = '' } = given;
    const end = { ...(until === undefined ? { fromNow } : { until }), ...attributionOf(acting) };
    const handle = acting.flows.handle(await ownerOf(acting, key, given));
    // One of the two is given: `input` requires it.
    const which = timer === null ? { role, stage, ...ofBooking(booking) } : { timer };
    const extended = await answered(acting, () => handle.extendDeadline({ ...end, ...which } as ExtendTimer));
    return { role, stage, timer, ...extended };
  },
  formatResult: ({ stage, isAhead }) => (isAhead ? `extended; it holds once ${stage} begins` : 'extended'),
});

/** With its name in the place of `next`. */
async function resolveInput(acting: Acting, key: string, given: ExtendInput): Promise<ExtendInput> {
  const { next, booking, ...end } = given;
  if (!next) return given;
  const progress = await progressOf(acting, key);
  const flows = await bookingFlowsOf(acting, key, progress);
  const [first] = [progress, ...flows.map((flow) => flow.progress)]
    .flatMap((each) => nextEndOf(each, booking) ?? [])
    .sort(byEnd);
  if (first) {
    const { until: _, ...named } = first;
    return { ...end, ...named };
  }
  throw new CommandError('refused', 'NoDeadlineRuns', `no deadline of ${key} runs`);
}

type DeadlineName = Pick<ExtendInput, 'role' | 'stage' | 'timer' | 'booking'>;

/**
 * What ends first, of what the process itself waits for; undefined: nothing.
 *
 * @param booking only of this one
 */
export function nextEndOf(
  { bookings, waitingFor }: ProcessProgress,
  booking?: string,
): (DeadlineName & { readonly until: string }) | undefined {
  const deadlines = bookings
    .filter(({ id }) => booking === undefined || id === booking)
    .flatMap(({ id, isWhole, deadlines: ends }) =>
      ends.flatMap(({ role, stage, until, ahead }) =>
        ahead ? [] : [{ role, stage, until, ...(!isWhole && { booking: id }) }],
      ),
    );
  const timers = waitingFor.flatMap(({ kind, id, until }) =>
    kind === 'time' && id !== undefined && until !== null ? [{ timer: id, until }] : [],
  );
  const all = booking === undefined ? [...deadlines, ...timers] : deadlines;
  return all.toSorted(byEnd)[0];
}

const byEnd = (one: { readonly until: string }, other: { readonly until: string }): number =>
  Date.parse(one.until) - Date.parse(other.until);

/** The key of the flow that has the role: a process of a flow file has begun it. */
async function ownerOf(acting: Acting, key: string, { role, booking }: ExtendInput): Promise<string> {
  if (role === undefined) return key;
  const isOf = ({ id, shipments }: BookingProgress) =>
    shipments[role] !== undefined && (booking === undefined || id === booking);
  const flows = await bookingFlows(acting, key);
  const owners = flows.filter(({ progress }) => progress.bookings.some(isOf)).map((flow) => flow.key);
  const [owner = key, ...others] = owners;
  if (others.length === 0) return owner;
  const words = `several flows of ${key} have a ${role}; name one of them: ${owners.join(', ')}`;
  throw new CommandError('refused', 'UpdateRefused', words);
}

const ofBooking = (booking: string | undefined): OfBooking => (booking === undefined ? {} : { booking });

const receiver = z.strictObject({
  role: roleOfShipment,
  booking: bookingId,
  toUserUid: text.meta({ description: 'The account of the receiver' }),
  caseReferenceNew: anyText
    .optional()
    .meta({ description: 'A new case number; without it the case number stays' }),
});

export const setReceiver = processCommand({
  name: 'setReceiver',
  why: 'optional',
  input: receiver,
  meaning: 'Sets the receiver of a shipment',
  example: { role: 'issue', toUserUid: 'user-anna' },
  forms: {
    setReceiver: {
      label: 'Set the receiver',
      meaning:
        'The service sets this account as the receiver, and tells the person when the item can be fetched. It refuses if the shipment has a receiver already.',
    },
  },
  fields: (_acting, given) => changeOf(given),
  async act(acting, key, given): Promise<{ readonly role: string }> {
    const update = { ...changeOf(given), ...attributionOf(acting) };
    await answered(acting, () => acting.flows.handle(key).setReceiver(update));
    return { role: given.role };
  },
  formatResult: ({ role }) => `the receiver of ${role} is set`,
});

const changeOf = ({ role, booking, toUserUid, caseReferenceNew }: z.infer<typeof receiver>) => ({
  role,
  ...ofBooking(booking),
  toUserUid,
  ...(caseReferenceNew && { caseReferenceNew }),
});

export const removeReceiver = processCommand({
  name: 'removeReceiver',
  why: 'optional',
  input: z.strictObject({ role: roleOfShipment, booking: bookingId }),
  meaning: 'Removes the receiver of a shipment',
  example: { role: 'issue' },
  forms: {
    removeReceiver: {
      label: 'Remove the receiver',
      meaning: 'The shipment waits for another receiver then; this person can no longer fetch the item.',
    },
  },
  async act(acting, key, { role, booking }): Promise<{ readonly role: string }> {
    const update = { role, ...ofBooking(booking), ...attributionOf(acting) };
    await answered(acting, () => acting.flows.handle(key).removeReceiver(update));
    return { role };
  },
  formatResult: ({ role }) => `the receiver of ${role} is removed`,
});
