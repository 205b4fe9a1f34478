// One difference between two versions of a flow, as data.
import type { Json } from '../flow-file.ts';

/** What of a file differs. */
export const parts = {
  state: 'a state; one that has another place has `moved`, one that only has another name `renamed`',
  kind: 'whether a state is atomic, compound, parallel, final or a history state',
  initial: 'which state is entered first',
  history: 'how deep a history state remembers, and what it enters the first time',
  event: 'an event that a state takes',
  delay: 'a delay of a state',
  always: 'transitions that are taken at once',
  done: 'what happens when the states within are done',
  answer: 'what happens when an invoke is done, or has failed',
  transition: 'one of several transitions that the same thing causes',
  order: 'which of several transitions is tried first',
  guard: 'the condition of a transition',
  target: 'where a transition leads',
  reenter: 'whether a transition leaves its state and enters it again',
  actions: 'the actions of a transition',
  entry: 'the actions on entering a state',
  exit: 'the actions on leaving a state',
  invoke: 'a flow, operation, question or call that runs in a state',
  invokeInput: 'the input of an invoke',
  question: 'whom a question asks, what it asks for, and for how long',
  output: 'what a final state gives to the state around it',
  context: 'a field of the context',
  calendar: 'a calendar that expressions use',
  schedule: 'when processes start by themselves',
  input: 'a field of the request that starts a process',
  result: 'the result of the process',
  resultSchema: 'a field of the result, as the file describes it',
  text: 'a text for people: title, meaning, description, tags',
} as const;

export type Part = keyof typeof parts;

export interface Change {
  readonly part: Part;
  readonly how: 'added' | 'removed' | 'renamed' | 'moved' | 'changed';
  /** The path of the state in the new version, or of a removed state in the old one. Empty: the flow itself. */
  readonly state: string;
  /** The event, the delay, the id of the invoke, the field; what causes the transition, such as `after P7D`. */
  readonly name: string | null;
  /** Within the input of an invoke, or a question. */
  readonly field: string | null;
  readonly before: Json;
  readonly after: Json;
}

export function change(
  part: Part,
  how: Change['how'],
  state: string,
  more: Partial<Omit<Change, 'part' | 'how' | 'state'>> = {},
): Change {
  return { part, how, state, name: null, field: null, before: null, after: null, ...more };
}

/** One that is not there is added or removed. */
export function howOf(before: unknown, after: unknown): 'added' | 'removed' | 'changed' {
  if (before === undefined) return 'added';
  return after === undefined ? 'removed' : 'changed';
}
