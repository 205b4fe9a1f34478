// What somebody told a process by an update, in words. They hold no personal data: no receiver, no answer to a question.
import { span } from './progress.ts';

type Fields = Readonly<Record<string, unknown>>;

/** By the update's name. */
const words: Readonly<Record<string, (fields: Fields) => string>> = {
  setReceiver: ({ role }) => `a receiver is set for ${text(role)}`,
  removeReceiver: ({ role }) => `the receiver of ${text(role)} is removed`,
  extendDeadline: ({ role, stage, until, fromNow }) =>
    `the deadline ${text(role)}.${text(stage)} is extended ${until ? `until ${text(until)}` : `to ${text(fromNow)} from then`}`,
  resolve: ({ by, why, action, role, stateCode }) =>
    `${text(by)} decides: ${[action, role, stateCode].filter(isText).join(' ')}, because ${text(why)}`,
  answer: ({ by, question }) =>
    `${text(by)} answers ${isText(question) ? `the question ${question}` : 'its question'}`,
  dropEvent: ({ by, why }) => `${text(by)} drops the event that cannot be taken, because ${text(why)}`,
  giveUp: ({ by, why }) => `${text(by)} gives it up, because ${text(why)}`,
  moveClock: ({ aheadMs }) =>
    `the sandbox's clock is moved: ${typeof aheadMs === 'number' ? span(aheadMs) : 'some time'} ahead of the real time`,
};

export const isKnownUpdate = (name: string): boolean => Object.hasOwn(words, name);

/** One that we do not know is told by its name. */
export function updateWords(name: string, payload: unknown): string {
  const fields = typeof payload === 'object' && payload !== null ? (payload as Fields) : {};
  return (isKnownUpdate(name) && words[name]?.(fields)) || name;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const text = (value: unknown): string => (isText(value) ? value : 'unknown');
