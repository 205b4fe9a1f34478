// A question as a task: who may claim, answer, release and assign it. Pure rules; questions.ts keeps what becomes of a task.
import type { Attribution } from '../../../contract/flows/attribution.ts';
import type { Rejection } from '../../../engine/commands.ts';
import { instantText } from '../duration.ts';
import type { Json, JsonObject } from '../flow-file.ts';

/** The events of a task, as `<id>.claimed`. */
export const taskEvents = ['claimed', 'released', 'assigned', 'reminder', 'overdue'] as const;
export type TaskEvent = (typeof taskEvents)[number];

/** What a person does to a task; each is an update of its own. */
export const taskActions = ['claim', 'release', 'assign'] as const;
export type TaskAction = (typeof taskActions)[number];

/** The event that each of them leads to. */
export const eventOfAction = {
  claim: 'claimed',
  release: 'released',
  assign: 'assigned',
} as const satisfies Record<TaskAction, TaskEvent>;

/**
 * Updates `claim`, `release` and `assign`. `question` may be left out where only one is open. Claims, candidates and four eyes are
 * judged by `by`.
 */
export interface TaskChange extends Attribution {
  readonly question?: string;
  /** Where the sender may act, and has seen it. It may have gone to another inbox since: then the change is refused. */
  readonly inbox?: string;
  /** `assign`: who is to hold it. */
  readonly to?: string;
  /** `assign`: the inbox that it goes to. */
  readonly of?: string;
}

/** What an `ask` says of people, evaluated. */
export interface TaskRules {
  readonly assignee: string | null;
  /** Null: everybody. */
  readonly candidates: readonly string[] | null;
  readonly not: readonly string[];
  readonly priority: number;
}

export interface Holder {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

export const DEFAULT_PRIORITY = 50;
export const HIGHEST_PRIORITY = 100;

// A search attribute holds the name of the inbox. With a longer name the question would be in no inbox.
export const LONGEST_INBOX = 80;
export const LONGEST_NAME = 200;

/** Codes with which a task refuses a person. */
export const HELD_BY_ANOTHER = 'HeldByAnother';
const NOT_CANDIDATE = 'NotCandidate';
const FOUR_EYES = 'FourEyes';
export const NOT_HELD = 'NotHeld';
const INVALID_CHANGE = 'InvalidChange';
export const ANOTHER_INBOX = 'AnotherInbox';

export function taskRulesOf({ assignee, candidates, not, priority }: JsonObject): TaskRules {
  return {
    assignee: (assignee ?? null) as string | null,
    candidates: (candidates ?? null) as readonly string[] | null,
    not: namesIn(not),
    priority: (priority ?? DEFAULT_PRIORITY) as number,
  };
}

/** One name, or a list; null stands for nobody. */
function namesIn(value: Json = null): readonly string[] {
  return (Array.isArray(value) ? (value as Json[]) : [value]).filter((each) => typeof each === 'string');
}

const isName = (value: Json | undefined): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST_NAME;

/** What is wrong with what the expressions of an `ask` give, by its field. */
export function taskProblem(input: JsonObject): readonly [field: string, problem: string] | undefined {
  const { assignee = null, candidates = null, not = null, priority = null } = input;
  const shown = (value: Json) => `it gives ${JSON.stringify(value).slice(0, 100)}, expected`;
  if (assignee !== null && !isName(assignee)) return ['assignee', `${shown(assignee)} a name, or null`];
  if (candidates !== null && !(Array.isArray(candidates) && candidates.every(isName)))
    return ['candidates', `${shown(candidates)} a list of names, or null`];
  const excluded = Array.isArray(not) ? (not as Json[]) : [not];
  if (!excluded.every((each) => each === null || isName(each)))
    return ['not', `${shown(not)} a name, a list of names, or null`];
  if (priority !== null && !isPriority(priority))
    return ['priority', `${shown(priority)} a whole number from 0 to ${HIGHEST_PRIORITY}`];
  const rules = taskRulesOf(input);
  if (rules.candidates?.every((name) => isAmong(rules.not, name)))
    return [
      'candidates',
      `${shown(rules.candidates)} somebody who may decide it: all are in not, or there are none`,
    ];
  const refusal = rules.assignee === null ? undefined : exclusion(rules, rules.assignee);
  return refusal && ['assignee', `${shown(assignee)} somebody who may decide it, but ${refusal.message}`];
}

export const isPriority = (value: Json): boolean =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= HIGHEST_PRIORITY;

/**
 * The person behind a name: a program of the HTTP API acts as `Anna by shop (API)`, and is not another person for that. Upper
 * case and blanks do not make another person either.
 */
export function personOf(name: string): string {
  const [, person = name] = /^(.+) by .+ \(API\)$/.exec(name) ?? [];
  return person.trim().toLowerCase();
}

const isSame = (one: string, other: string): boolean => personOf(one) === personOf(other);
const isAmong = (names: readonly string[], name: string): boolean => names.some((each) => isSame(each, name));

/** A task as it stands. */
export interface TaskState {
  readonly id: string;
  readonly rules: TaskRules;
  readonly holder: Holder | undefined;
  /** Somebody has given it to another inbox, whose people are not the candidates of the file. */
  readonly isPassedOn: boolean;
}

function exclusion({ not, candidates }: TaskRules, name: string, isOfAll = false): Rejection | undefined {
  if (isAmong(not, name))
    return { code: FOUR_EYES, message: `${name} may not decide it: another person must (four eyes)` };
  if (candidates === null || isOfAll || isAmong(candidates, name)) return undefined;
  return { code: NOT_CANDIDATE, message: `${name} is not one of those who may: ${candidates.join(', ')}` };
}

function heldByAnother({ id, holder }: TaskState, by: string): Rejection | undefined {
  if (!holder || isSame(holder.name, by)) return undefined;
  const { name, since } = holder;
  const message = `${id} is held by ${name} since ${instantText(since)}; ${name} can release it, or somebody can assign it to ${by}`;
  return { code: HELD_BY_ANOTHER, message };
}

/** Why somebody may not answer it now; also why they may not claim it. */
export function decidingRefusal(state: TaskState, by: string): Rejection | undefined {
  const { rules, holder, isPassedOn } = state;
  const isOfAll = isPassedOn || (holder !== undefined && isSame(holder.name, by));
  return exclusion(rules, by, isOfAll) ?? heldByAnother(state, by);
}

export function changeRefusal(
  action: TaskAction,
  state: TaskState,
  { by, to, of }: TaskChange,
): Rejection | undefined {
  if (action === 'claim') return decidingRefusal(state, by);
  if (action === 'release')
    return state.holder
      ? heldByAnother(state, by)
      : { code: NOT_HELD, message: `nobody holds ${state.id}, expected that ${by} does` };
  if (to === undefined && of === undefined)
    return {
      code: INVALID_CHANGE,
      message: 'expected to, the name of a person, or of, the name of an inbox',
    };
  if (to !== undefined && !isName(to))
    return { code: INVALID_CHANGE, message: `expected to, a name of 1 to ${LONGEST_NAME} characters` };
  if (of !== undefined && !isInbox(of))
    return { code: INVALID_CHANGE, message: `expected of, an inbox of 1 to ${LONGEST_INBOX} characters` };
  // Whoever assigns it may choose somebody beside the candidates, but nobody may waive the four eyes.
  return to === undefined ? undefined : exclusion(state.rules, to, true);
}

const isInbox = (of: unknown): boolean =>
  typeof of === 'string' && of.trim() !== '' && of.length <= LONGEST_INBOX;
