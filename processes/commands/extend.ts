// The commands that move the end of a deadline, or of an `after` of a flow file: to a later one, to an earlier one, and back.
import { z } from 'zod';
import type { BookingProgress } from '../../contract/flows/booking-progress.ts';
import type { ProcessProgress } from '../../contract/flows/flow-answers.ts';
import { type Role, type Stage, stages } from '../../contract/flows/flow-input.ts';
import type { MovedDeadline, UndoExtension } from '../../contract/flows/flow-messages.ts';
import { duration } from '../../contract/wire/duration.ts';
import { t } from '../../shared/texts/text.ts';
import { refused } from '../outcome.ts';
import { attributionOf, type CommandContext, withDeadline } from '../temporal-context.ts';
import { bookingFlows, bookingFlowsOf, progressOf } from '../views/progress.ts';
import { processCommand } from './command.ts';
import { formerEnd } from './former-end.ts';
import { bookingId, exactlyOne, oneOf, roleOfShipment, text } from './read-values.ts';

const which = {
  role: roleOfShipment.optional(),
  stage: oneOf(stages).optional().meta({ description: 'Which deadline of that shipment' }),
  booking: bookingId,
  timer: text.optional().meta({
    description: 'Of a flow file: an `after` that runs, by its name, its delay or its id in `waitingFor`',
  }),
};
const next = z.literal(true, { error: 'must be true; leave it out to name the deadline' }).optional().meta({
  description: 'The one that ends first, of those that run: many processes need not wait for the same',
});
const instant = z.iso
  .datetime({
    offset: true,
    error: ({ input }) =>
      input === undefined ? 'is missing' : 'is not a time; expected one like 2031-05-01T12:00:00Z',
  })
  .transform((given) => new Date(given).toISOString());
const until = instant.optional().meta({ description: 'The new end, like 2031-05-01T12:00:00Z' });

const deadlineAlternatives = { deadline: ['role', 'stage'], timer: ['timer'] } as const;

const extension = exactlyOne(
  z.strictObject({
    ...which,
    next,
    extendBy: duration
      .optional()
      .meta({ description: 'By how much longer, like P1D; from now, where the end has passed' }),
    until,
    fromNow: duration.optional().meta({ description: 'The new end, counted from now' }),
  }),
  { extendBy: ['extendBy'], until: ['until'], fromNow: ['fromNow'] },
  { ...deadlineAlternatives, next: ['next'] },
);
export type ExtendInput = z.infer<typeof extension>;

const shortening = exactlyOne(
  z.strictObject({
    ...which,
    next,
    shortenBy: duration.optional().meta({ description: 'By how much shorter, like P1D' }),
    until,
  }),
  { shortenBy: ['shortenBy'], until: ['until'] },
  { ...deadlineAlternatives, next: ['next'] },
);

const former = exactlyOne(
  z.strictObject({
    ...which,
    from: instant
      .nullable()
      .default(null)
      .meta({ description: 'The end before, as the extension answered; left out: that of the flow itself' }),
    until: instant.meta({ description: 'The end that was set, and that still holds' }),
  }),
  deadlineAlternatives,
);

export type ShortenInput = z.infer<typeof shortening>;

/** Which deadline it was, so that it can be taken back, and how it moved. */
export interface Moved extends MovedDeadline {
  /** The process whose deadline it is: it may be one that the named one has started. */
  readonly key: string;
  /** Null for a timer. */
  readonly role: string | null;
  readonly stage: string | null;
  /** The timer of a flow file; null for a role and a stage. */
  readonly timer: string | null;
  /** Null where the process has only one, or for a timer. */
  readonly booking: string | null;
}

interface Which {
  readonly role?: Role | undefined;
  readonly stage?: Stage | undefined;
  readonly booking?: string | undefined;
  readonly timer?: string | undefined;
}

export const extend = processCommand({
  name: 'extend',
  why: 'needed',
  input: extension,
  resolveInput: (commandContext, key, given) => named(commandContext, key, given),
  keyOf: (commandContext, key, given) => ownerOf(commandContext, key, given),
  meaning:
    'Extends a deadline, or gives one to a stage that has none; of a flow file, a timer that runs, by its name or delay. With `next` the one that ends first. An end that would be earlier is refused: `shorten` is for that',
  example: { role: 'issue', stage: 'pickUp', extendBy: 'P2D', why: 'the receiver is ill' },
  forms: {
    extendDeadline: {
      get label() {
        return t`Extend a deadline`;
      },
      get meaning() {
        return t`Late is only what comes after the new end: what was late by the old one is not late any more. A step that has not begun keeps the new end for later.`;
      },
    },
  },
  fields: (_acting, given) => ({ ...given, only: 'later' }),
  act: async (commandContext, key, given) =>
    await movedAt(commandContext, await ownerOf(commandContext, key, given), { ...given, only: 'later' }),
  resultOf: movedOf,
  formatResult: (moved) => {
    const words = formatMoved(t`extended`, moved);
    return moved.isAhead ? t`${words}; it holds once that begins` : words;
  },
});

export const shorten = processCommand({
  name: 'shorten',
  why: 'needed',
  input: shortening,
  resolveInput: (commandContext, key, given) => named(commandContext, key, given),
  keyOf: (commandContext, key, given) => ownerOf(commandContext, key, given),
  meaning: 'Gives less time than was promised: a deadline, or a timer of a flow file, ends earlier',
  example: { role: 'issue', stage: 'pickUp', shortenBy: 'P1D', why: 'another person needs it on Friday' },
  forms: {
    extendDeadline: {
      get label() {
        return t`Shorten a deadline`;
      },
      get meaning() {
        return t`There is less time than was promised: who has been told the old end must hear of it.`;
      },
      isDestructive: true,
    },
  },
  warning: 'people get less time than they were promised',
  fields: (_acting, given) => ({ ...given, only: 'earlier' }),
  act: async (commandContext, key, given) =>
    await movedAt(commandContext, await ownerOf(commandContext, key, given), { ...given, only: 'earlier' }),
  resultOf: movedOf,
  formatResult: (moved) => formatMoved(t`shortened`, moved),
});

export const undoExtension = processCommand({
  name: 'undoExtension',
  isOfOne: true,
  why: 'optional',
  input: former,
  async resolveInput(commandContext, key, given) {
    const owner = given.from === null && (await movedOwnerOf(commandContext, key, given));
    return owner ? { ...given, from: await formerEnd(commandContext, owner, undoOf(given)) } : given;
  },
  keyOf: (commandContext, key, given) => movedOwnerOf(commandContext, key, given),
  meaning:
    'Takes back an extension or a shortening: the end is again what it was before, also if that has passed. Refused if it has been moved again meanwhile',
  example: { role: 'issue', stage: 'pickUp', from: '2031-05-01T12:00:00Z', until: '2031-05-03T12:00:00Z' },
  asked: () => ['extendDeadline'],
  forms: {},
  fields: (_acting, given) => undoOf(given),
  act: async (commandContext, key, given) =>
    await movedAt(commandContext, await movedOwnerOf(commandContext, key, given), undoOf(given)),
  resultOf: movedOf,
  formatResult: ({ until: end }) =>
    end === null ? t`there is no deadline again` : t`the end is what it was`,
});

/** With what takes it back again. */
const formatMoved = (done: string, { from, until: end }: Pick<Moved, 'from' | 'until'>): string =>
  `${done}: ${from ?? t`no deadline`} → ${end ?? t`no deadline`}`;

const undoOf = ({ from, until: end, ...deadline }: z.infer<typeof former>) => ({
  ...deadline,
  undo: { from, until: end },
});

async function movedAt(
  commandContext: CommandContext,
  owner: string,
  update: (Which & Pick<UndoExtension, 'undo'>) | (Which & { readonly only: 'later' | 'earlier' }),
): Promise<Moved> {
  const handle = commandContext.flows.handle(owner);
  const moving = { ...update, ...attributionOf(commandContext) } as UndoExtension;
  const answer = await withDeadline(commandContext, () => handle.extendDeadline(moving));
  return movedOf(update, answer, owner);
}

function movedOf(update: Which, answer: MovedDeadline, key: string): Moved {
  const { role = null, stage = null, timer = null, booking = null } = update;
  return { key, role, stage, timer, booking, ...answer };
}

/** The flow in which the deadline was found that `next` stands for: who is asked for the owner need not ask all of them again. */
const ownersOfNext = new WeakMap<Which, string>();

/** With its name in the place of `next`. */
async function named<Given extends Which & { readonly next?: true | undefined }>(
  commandContext: CommandContext,
  key: string,
  given: Given,
): Promise<Given> {
  const { next: isNext, booking, ...end } = given;
  if (!isNext) return given;
  const progress = await progressOf(commandContext, key);
  const flows = await bookingFlowsOf(commandContext, key, progress);
  const [first] = [{ key, progress }, ...flows]
    .flatMap((flow) => {
      const found = nextEndOf(flow.progress, booking);
      return found ? [{ ...found, owner: flow.key }] : [];
    })
    .sort(byEnd);
  if (first) {
    const { until: _, owner, ...deadline } = first;
    const which = { ...end, ...deadline } as Given;
    ownersOfNext.set(which, owner);
    return which;
  }
  throw refused('NoDeadlineRuns', t`no deadline of ${key} runs`);
}

/**
 * What ends first, of what the process itself waits for; undefined: nothing.
 *
 * @param booking only of this one
 */
export function nextEndOf(
  { bookings, waitingFor }: ProcessProgress,
  booking?: string,
): (Which & { readonly until: string }) | undefined {
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
async function ownerOf(commandContext: CommandContext, key: string, which: Which): Promise<string> {
  const known = ownersOfNext.get(which);
  if (known !== undefined) return known;
  const owners = await ownersOf(commandContext, key, which);
  const [owner, ...others] = owners;
  if (!owner) return key;
  if (others.length === 0) return owner.key;
  // Its id is one of the process that is named.
  if (which.booking !== undefined && hasItself(owners, key)) return key;
  const names = owners.map((each) =>
    each.key === key ? t`${key} with the booking ${each.bookings.join(', ')}` : each.key,
  );
  const words = t`several flows of ${key} have the leg ${which.role ?? ''}; name one of them: ${names.join('; ')}`;
  throw refused('UpdateRefused', words);
}

/** What has moved a deadline names the flow whose it is: that one, though those that it has started have such a leg, too. */
async function movedOwnerOf(commandContext: CommandContext, key: string, which: Which): Promise<string> {
  const owners = await ownersOf(commandContext, key, which);
  return hasItself(owners, key) ? key : await ownerOf(commandContext, key, which);
}

interface Owner {
  readonly key: string;
  /** The ids of those that have the leg. */
  readonly bookings: readonly string[];
}

const hasItself = (owners: readonly Owner[], itself: string): boolean =>
  owners.some(({ key }) => key === itself);

/** None for a timer, which is the process's own. */
async function ownersOf(
  commandContext: CommandContext,
  key: string,
  { role, booking }: Which,
): Promise<readonly Owner[]> {
  if (role === undefined) return [];
  const isOf = ({ id, shipments }: BookingProgress) =>
    shipments[role] !== undefined && (booking === undefined || id === booking);
  const flows = await bookingFlows(commandContext, key);
  return flows
    .map((flow) => ({ key: flow.key, bookings: flow.progress.bookings.filter(isOf).map(({ id }) => id) }))
    .filter(({ bookings }) => bookings.length > 0);
}
