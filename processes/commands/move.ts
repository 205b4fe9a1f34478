// The command `move`: another locker for what has not been put in yet. The interface moves no shipment, so a second process books
// first, and only then the first one is cancelled: nobody is without a locker in between. Its key follows from that of the first:
// whoever asks again, after a lost answer or at the same moment, goes on with the same second process, and nothing is booked twice.
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Deadlines, Role, Stage } from '../../contract/flows/flow-input.ts';
import { checkBusinessKey } from '../../contract/flows/internal-ids.ts';
import { AWAITED_ELSEWHERE } from '../../contract/flows/item-out.ts';
import { settleItemOut } from '../../shared/routing/item-out.ts';
import { t } from '../../shared/texts/text.ts';
import { CommandError, commandErrorOf, orThrow, refused } from '../outcome.ts';
import { requireService } from '../outreach/case-about.ts';
import { takeSteps } from '../run-batch.ts';
import {
  attributionOf,
  type CommandContext,
  decisionOf,
  requireOpen,
  withDeadline,
} from '../temporal-context.ts';
import { formatStage } from '../views/format-names.ts';
import { movedToIn } from '../views/moved-to.ts';
import { progressOf, shipmentsIn, wholeBooking } from '../views/progress.ts';
import { formatDuration } from '../views/readable.ts';
import { ProcessReader } from '../views/shown-process.ts';
import { type Command, command, type Described, type ProcessCommand, requireStart } from './command.ts';
import { cancel, cancellationsSince, requestCancellation } from './end.ts';
import { changesOf, mergePatch } from './merge-patch.ts';
import { ITEM_INSIDE, requireBooksOnly, requireNotPutIn } from './movable.ts';
import { takeLockerOutOfOrder } from './out-of-order.ts';
import { besidePlace, type LockerHad, placesOf } from './places-asked-for.ts';
import { formatChange, inputOf, requireOwn, requireValid, type StartAgainPreview } from './start-again.ts';

const input = z.strictObject({
  change: z.record(z.string(), z.unknown()).meta({
    description: 'What differs from its input, as a JSON merge patch (RFC 7396); the rest stays as it is',
    examples: [{ request: { pupUid: 'pup-north' } }],
  }),
  outOfOrder: z.boolean().optional().meta({
    description: 'true: and takes the locker that it has out of order, before another booking gets it',
  }),
});
type Input = z.infer<typeof input>;

export interface Moved {
  /** The process that has the new locker. */
  readonly key: string;
}

/** Of the second process: it begins anew, however much of it the first one has used up. */
export interface DeadlineAnew {
  readonly role: Role;
  readonly stage: Stage;
  /** ISO 8601, like P12D. */
  readonly lasts: string;
  /** For people: "Return to be dropped off: 12 days". */
  readonly words: string;
}

export interface MovePreview extends StartAgainPreview {
  readonly deadlines: readonly DeadlineAnew[];
}

const described: Described = {
  meaning:
    'Books another locker for what has not been put in yet, and then cancels the first; the new process has the key with -moved',
  example: { change: { request: { pupUid: 'pup-north' } }, why: 'the door is stuck' },
  isOfOne: true,
  asksService: true,
  // The page has a form of its own for it.
  forms: {},
};

export const move: Command<Input, MovePreview, Moved> &
  Described &
  Pick<ProcessCommand<Input, Moved>, 'doneSince'> = {
  ...described,
  async doneSince(commandContext, key, since) {
    const other = movedKeyOf(key);
    const reasons = await cancellationsSince(commandContext, key, since);
    return reasons.some((reason) => movedToIn(reason) === other) ? { key: other } : undefined;
  },
  ...command<Input, MovePreview, Moved, string>({
    name: 'move',
    right: 'decide',
    why: 'needed',
    input,
    async flowOf(commandContext, key) {
      const flow = await requireOpen(commandContext.client, key);
      requireStart(commandContext, flow);
      return flow;
    },
    async preview(commandContext, key, given) {
      const { had, ...read } = await readMove(commandContext, key, given);
      return { ...read, place: await placesOf(commandContext, had, read.input.request) };
    },
    async act(commandContext, key, given) {
      const { flow, key: other, input: merged, had } = await readMove(commandContext, key, given);
      // Whoever has asked may be gone before the second process has its locker.
      if (!commandContext.isInBatch)
        return await takeSteps(commandContext, { command: 'move', fields: given, key, flow });
      // The same again while it runs is the same process.
      const movedFrom = { key, lockerName: had.lockerName };
      await commandContext.flows.startMoved(flow, other, merged, movedFrom, attributionOf(commandContext));
      await untilBooked(commandContext, key, other);
      await requireStillMovable(commandContext, key, other);
      const because = { ...commandContext, why: t`moved to ${other}: ${commandContext.why}` };
      if (given.outOfOrder)
        await takeLockerOutOfOrder(requireService(commandContext), had.shipmentUid, because.why);
      // Before the first one is undone: then nobody is told that no process waits for its item.
      await settleItems(because, key);
      await requestCancellation(because, key, { movedTo: other });
      return { key: other };
    },
    formatPreview: ({ key, changes, deadlines, place }) => {
      const changed = [...(place ? [place.to] : []), ...besidePlace(changes, place).map(formatChange)].join(
        ', ',
      );
      const anew = deadlines.map(({ words }) => words).join(', ');
      return t`${key} books another locker${changed && `, ${changed}`}; once it has one, this case is cancelled${
        anew && t`. Deadlines begin anew: ${anew}`
      }`;
    },
    formatResult: ({ key }) => t`moved: ${key} has another locker, and this case is cancelled`,
  }),
};

const movedKeyOf = (key: string): string => `${key}-moved`;

/** The second process waits for what the first was to bring back; also where somebody else has undone the first meanwhile. */
async function settleItems(commandContext: CommandContext, key: string): Promise<void> {
  const { client, taskQueue } = commandContext;
  const settled = { ...decisionOf(commandContext), became: AWAITED_ELSEWHERE } as const;
  const { progress } = await new ProcessReader(commandContext).read(key);
  for (const { role, shipment } of shipmentsIn(progress ?? { bookings: [] }))
    if (role === 'intake' && shipment.stateCode !== 'Completed') {
      const { shipmentUid } = shipment;
      await withDeadline(commandContext, () =>
        settleItemOut(client, taskQueue, { shipmentUid, key, settled }),
      );
    }
}

interface Read extends Omit<MovePreview, 'place'> {
  /** The locker that it has. */
  readonly had: LockerHad;
}

/** Throws what says why it cannot be moved. */
async function readMove(commandContext: CommandContext, key: string, { change }: Input): Promise<Read> {
  const snapshot = await new ProcessReader(commandContext).snapshot(key, { asksOpen: false });
  const { flow, runId } = snapshot.process;
  requireOwn(snapshot);
  const progress = await progressOf(commandContext, key);
  await requireBooksOnly(commandContext, key, flow, progress.version);
  const had = requireNotPutIn(key, progress);
  const before = await inputOf(commandContext, key, runId);
  const { priorShipmentUid } = (before.request ?? {}) as { readonly priorShipmentUid?: unknown };
  if (typeof priorShipmentUid === 'string')
    throw refused('HasPrior', t`${key} continues another shipment: its item lies in the locker of that`);
  const merged = mergePatch(before, change);
  await requireValid(commandContext, flow, merged);
  const other = movedKeyOf(key);
  checkBusinessKey(other);
  return {
    flow,
    key: other,
    input: merged,
    changes: changesOf(before, change),
    deadlines: deadlinesIn(merged.deadlines as Deadlines | null | undefined),
    had,
  };
}

/** In the order in which the flow gives them. */
const deadlinesIn = (deadlines: Deadlines | null | undefined): DeadlineAnew[] =>
  (Object.entries(deadlines ?? {}) as [Role, Deadlines[Role]][]).flatMap(([role, ofRole]) =>
    (Object.entries(ofRole ?? {}) as [Stage, string | null][]).flatMap(([stage, lasts]) =>
      lasts === null
        ? []
        : [{ role, stage, lasts, words: `${formatStage(role, stage)}: ${formatDuration(lasts) ?? lasts}` }],
    ),
  );

/** Less than a page of a batch may take. It waits for a locker, if it was started so. */
const BOOKED_WITHIN_MS = 25 * 60_000;
const ASKED_EVERY_MS = 200;
const ASKED_AT_LAST_EVERY_MS = 5_000;

/** Until then nothing of the first process has changed. */
async function untilBooked(commandContext: CommandContext, key: string, other: string): Promise<void> {
  const reader = new ProcessReader(commandContext);
  let every = ASKED_EVERY_MS;
  for (const until = Date.now() + BOOKED_WITHIN_MS; Date.now() < until; await delay(every)) {
    every = Math.min(every * 1.1, ASKED_AT_LAST_EVERY_MS);
    const { status, progress, failure } = await reader.read(other);
    if (status !== 'Running')
      throw refused(
        'NotMoved',
        t`${key} keeps its own: ${other} has no locker (${failure?.code ?? status}: ${failure?.message ?? t`it has ended`})`,
      );
    if (!progress) continue;
    if (wholeBooking(progress)?.activity === 'Following' && shipmentsIn(progress).length > 0) return;
  }
  throw new CommandError(
    'unreachable',
    'NotBookedYet',
    t`${other} is still being booked, and ${key} keeps its locker`,
  );
}

/**
 * Somebody may have put the item in meanwhile: then it stays, and the new locker is given back. Where the first process ends, it is
 * not: whoever asks for the same move at the same moment has ended it, and the person has the new locker alone.
 */
async function requireStillMovable(
  commandContext: CommandContext,
  key: string,
  other: string,
): Promise<void> {
  try {
    await requireOpen(commandContext.client, key);
    requireNotPutIn(key, await progressOf(commandContext, key));
  } catch (error) {
    const { code, kind } = commandErrorOf(error) ?? {};
    if (code === ITEM_INSIDE)
      orThrow(await cancel.do({ ...commandContext, why: t`${key} was not moved` }, other, {}));
    else if (kind === 'refused') {
      await settleItems({ ...commandContext, why: t`${other} has the new locker` }, key);
      throw refused(
        'EndsMeanwhile',
        t`${key} was ended by somebody else; ${other} has the new locker: cancel it if nobody needs it`,
      );
    }
    throw error;
  }
}
