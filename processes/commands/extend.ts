// The commands that move the end of a deadline, or of an `after` of a flow file: to a later one, to an earlier one, and back.
import { z } from 'zod';
import { stages } from '../../contract/flows/flow-input.ts';
import type { UndoExtension } from '../../contract/flows/flow-messages.ts';
import { duration } from '../../contract/wire/duration.ts';
import { t } from '../../shared/texts/text.ts';
import { attributionOf, type CommandContext, withDeadline } from '../temporal-context.ts';
import { processCommand } from './command.ts';
import { formerEnd } from './former-end.ts';
import { formatMoved, type Moved, movedOf } from './moved-end.ts';
import { movedOwnerOf, type NamedEnd, named, ownerOf } from './named-end.ts';
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

const undoOf = ({ from, until: end, ...deadline }: z.infer<typeof former>) => ({
  ...deadline,
  undo: { from, until: end },
});

async function movedAt(
  commandContext: CommandContext,
  owner: string,
  update: (NamedEnd & Pick<UndoExtension, 'undo'>) | (NamedEnd & { readonly only: 'later' | 'earlier' }),
): Promise<Moved> {
  const handle = commandContext.flows.handle(owner);
  const moving = { ...update, ...attributionOf(commandContext) } as UndoExtension;
  const answer = await withDeadline(commandContext, () => handle.extendDeadline(moving));
  return movedOf(update, answer, owner);
}
