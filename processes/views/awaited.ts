// What a process waits for, in words: what happens next, and who acts.
import type { ProcessProgress, WaitingFor } from '../../contract/flows/flow-answers.ts';
import type { Stage as LegStage, Role } from '../../contract/flows/flow-input.ts';
import type { WaitCode, WaitParams } from '../../contract/flows/wait-codes.ts';
import { textWithoutEnd } from '../../flows/language/waiting-for.ts';
import { t } from '../../shared/texts/text.ts';
import { formatAwaitedBatch } from './batch-words.ts';
import { forItem } from './format-invoke.ts';
import { capitalized, formatFlowName, formatName } from './format-names.ts';
import { formatEvent, readable } from './readable.ts';

/** What happens next, but for time alone. What begins once something else is over is said only where nothing else is. */
export function awaitedOf({ waitingFor, halted }: ProcessProgress): readonly WaitingFor[] {
  // Its bookings go on while its chart has halted.
  const waits = waitingFor.filter(({ kind }) => kind !== 'time' && (!halted || ofBookings.has(kind)));
  const direct = waits.filter(({ kind, stage }) => kind !== 'leg' || stage !== undefined);
  return direct.length > 0 ? direct : waits;
}

type Halted = ProcessProgress['halted'];

/** What comes next of a process that has halted. */
export const formatNextOfHalted = (halted: Halted): string =>
  capitalized(t`${maintainerOf(halted)} corrects its file, and the case goes on`);

/** What a person does about one that has halted. */
export const formatRemedyOfHalted = (halted: Halted): string =>
  t`Tell ${maintainerOf(halted)}: once its file is corrected, the case goes on by itself.`;

const maintainerOf = (halted: Halted): string => halted?.maintainer ?? t`whoever maintains the flow`;

const ofBookings: ReadonlySet<WaitingFor['kind']> = new Set(['leg', 'booking', 'undoing']);

/** Who acts at a locker, and is not the desk. */
export const actors = ['user', 'sender', 'receiver'] as const;
export type Actor = (typeof actors)[number];

export const actorWords = (): Readonly<Record<Actor, string>> => ({
  user: t`The user`,
  sender: t`The sender`,
  receiver: t`The receiver`,
});

/** By role where a role differs, else for all roles. */
const actorsOf: Readonly<
  Record<LegStage, Readonly<Partial<Record<Role, Actor | null>>> & { readonly else: Actor | null }>
> = {
  dropOff: { intake: 'user', shipment: 'sender', else: null },
  receiver: { else: null },
  pickUp: { intake: null, else: 'receiver' },
};

/** Null: the desk, or nobody at a locker. */
export const actorOf = ({ stage, role }: WaitingFor): Actor | null => {
  if (!stage || !role) return null;
  const known = actorsOf[stage][role];
  return known === undefined ? actorsOf[stage].else : known;
};

function formatStep(stage: LegStage, actor: Actor | null): string {
  if (stage === 'receiver') return t`Somebody says who receives the item`;
  const who = actor === null ? t`The desk` : actorWords()[actor];
  if (stage === 'pickUp') return t`${who} takes the item out of the locker`;
  return actor === 'user' ? t`${who} brings the item to the locker` : t`${who} puts the item into the locker`;
}

export function formatWaitingFor(awaited: WaitingFor, progress: ProcessProgress): string {
  const { kind, code, stage, role, words, why, id, who, type, events = [] } = awaited;
  switch (kind) {
    case 'decision':
      return t`A person decides: ${readable(why ?? words)}`;
    case 'answer': {
      const question = progress.questions.find((each) => each.id === id);
      return t`${formatName(who ?? '')} answers: “${question?.question ?? words}”`;
    }
    case 'batch':
      return formatAwaitedBatch(awaited, progress) ?? readable(textWithoutEnd(awaited));
    case 'flow':
      return t`${forItem(`“${formatFlowName(type ?? words)}”`, itemTitleOf(awaited))} comes to its end`;
    case 'call':
      return t`${forItem(formatName(type ?? words), itemTitleOf(awaited))} answers`;
    case 'event':
      return t`It hears of ${eitherOf(events.map((each) => `“${formatEvent(each)}”`))}`;
    case 'definition':
      return t`It begins`;
    default:
      if (stage && role) return formatStep(stage, actorOf(awaited));
      return texts()[code] ?? readable(textWithoutEnd(awaited));
  }
}

function itemTitleOf({ params }: WaitingFor): string | undefined {
  const { itemTitle } = (params ?? {}) as Partial<WaitParams['Flow']>;
  return itemTitle;
}

const texts = (): Readonly<Partial<Record<WaitCode, string>>> => ({
  Booking: t`It is being booked`,
  FreeLocker: t`A locker becomes free, and is booked`,
  Undoing: t`What was booked is undone`,
});

/** After "goes on": " to “Sent back” or “Lost”"; empty: it is not known. */
export function toNextStates(states: ProcessProgress['questions'][number]['unanswered'] = []): string {
  const next = eitherOf(
    states.map(({ state, title }) => `“${title ?? formatName(state.split('.').at(-1) ?? '')}”`),
  );
  return next === '' ? '' : t` to ${next}`;
}

const eitherOf = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : t`${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
