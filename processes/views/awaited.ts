// What happens next in a process, and who acts. wait-texts.ts has the text of each wait.
import type { ProcessProgress, WaitingFor } from '../../contract/flows/flow-answers.ts';
import type { Stage as LegStage, Role } from '../../contract/flows/flow-input.ts';
import { t } from '../../shared/texts/text.ts';
import { capitalized, formatDeadline, formatFlowName, formatName } from './format-names.ts';

/** What happens next, but for time alone. What begins once something else is over is said only where nothing else is. */
export function awaitedOf({ waitingFor, halted }: ProcessProgress): readonly WaitingFor[] {
  // Its bookings go on while its chart has halted.
  const waits = waitingFor.filter(({ kind }) => kind !== 'time' && (!halted || ofBookings.has(kind)));
  const direct = waits.filter(({ kind, stage }) => kind !== 'leg' || stage !== undefined);
  return direct.length > 0 ? direct : waits;
}

/** The end that people are held to: when a question is due, and not when it is given up. */
export const endOf = ({ code, params, until }: WaitingFor): string | null =>
  code === 'Answer' && typeof params?.due === 'string' ? params.due : until;

type Halted = ProcessProgress['halted'];

/** What comes next of a process that has halted. */
export const formatNextOfHalted = (halted: Halted): string =>
  capitalized(t`${maintainerOf(halted)} corrects its file and migrates the case to it`);

/** What a person does about one that has halted. */
export const formatRemedyOfHalted = (halted: Halted): string =>
  t`Tell ${maintainerOf(halted)}: the case goes on once its file is corrected and the case migrated to it.`;

/** Of one that has halted, whose bookings and started flows go on. Empty: none of them has a time that is yet to come. */
export const formatRunningDeadlines = (progress: Pick<ProcessProgress, 'bookings' | 'children'>): string =>
  ofBooked(progress) + ofStarted(progress);

function ofBooked({ bookings }: Pick<ProcessProgress, 'bookings'>): string {
  const [first, ...others] = bookings
    .filter(({ activity }) => activity === 'Following')
    .flatMap(({ deadlines }) => deadlines.filter(({ passed, ahead }) => !passed && !ahead))
    .sort((one, other) => one.until.localeCompare(other.until));
  if (!first) return '';
  const { role, stage, until } = first;
  return others.length === 0
    ? t` ${capitalized(formatDeadline(role, stage))} runs on, until ${until}; it can be extended.`
    : t` The deadlines of what is booked run on, the first until ${until}; they can be extended.`;
}

function ofStarted({ children }: Pick<ProcessProgress, 'children'>): string {
  const [first, ...others] = children;
  if (!first) return '';
  return others.length === 0
    ? t` ${capitalized(formatFlowName(first.flow))}, which it has started, goes on, with deadlines of its own.`
    : t` The ${children.length} flows that it has started go on, with deadlines of their own.`;
}

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
export const actorOf = (awaited: Pick<WaitingFor, 'stage' | 'role' | 'who'>): Actor | null => {
  const { stage, role } = awaited;
  if (!stage || !role || isCollectedByDesk(awaited)) return null;
  const known = actorsOf[stage][role];
  return known === undefined ? actorsOf[stage].else : known;
};

/** As a process says of what is collected, where its operation names nobody who collects it. */
export const isCollectedByDesk = ({ stage, who }: Pick<WaitingFor, 'stage' | 'who'>): boolean =>
  stage === 'pickUp' && who === 'dispatcher';

/** After "goes on": " to “Sent back” or “Lost”"; empty: it is not known. */
export function toNextStates(states: ProcessProgress['questions'][number]['unanswered'] = []): string {
  const next = eitherOf(
    states.map(({ state, title }) => `“${title ?? formatName(state.split('.').at(-1) ?? '')}”`),
  );
  return next === '' ? '' : t` to ${next}`;
}

export const eitherOf = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : t`${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
