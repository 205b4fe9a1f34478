// What somebody told a process by an update, in words. They name no receiver: who it is stands in the history alone.
import { nameOf } from '../../contract/flows/attribution.ts';
import { span } from './progress.ts';

type Fields = Readonly<Record<string, unknown>>;

/** By the update's name. */
const words: Readonly<Record<string, (fields: Fields) => string>> = {
  setReceiver: ({ role }) => `a receiver is set for ${text(role)}`,
  removeReceiver: ({ role }) => `the receiver of ${text(role)} is removed`,
  extendDeadline: ({ role, stage, timer, until, fromNow }) =>
    `${isText(timer) ? `the wait ${timer}` : `the deadline ${text(role)}.${text(stage)}`} is extended ${until ? `until ${text(until)}` : `to ${text(fromNow)} from then`}`,
  resolve: ({ why, action, role, stateCode, ...who }) =>
    `${whoIn(who)} decides: ${[action, role, stateCode].filter(isText).join(' ')}, because ${text(why)}`,
  answer: ({ question, values, ...who }) =>
    `${whoIn(who)} answers ${questionIn(question)}${valueWords(values)}`,
  claim: ({ why, question, workflowId, ...who }) =>
    isText(workflowId)
      ? `${whoIn(who)} gives the reports to ${workflowId}, because ${text(why)}`
      : `${whoIn(who)} claims ${questionIn(question)}`,
  release: ({ question, ...who }) => `${whoIn(who)} releases ${questionIn(question)}`,
  assign: ({ why, question, to, of, ...who }) =>
    `${whoIn(who)} assigns ${questionIn(question)} to ${[to, of].filter(isText).join(' of ')}${isText(why) ? `, because ${why}` : ''}`,
  dropEvent: ({ why, ...who }) => `${whoIn(who)} drops the event that cannot be taken, because ${text(why)}`,
  giveUp: ({ why, ...who }) => `${whoIn(who)} gives it up, because ${text(why)}`,
  migrate: ({ why, to, back, ...who }) =>
    `${whoIn(who)} ${back === true ? 'takes it back' : `migrates it${versionIn(to)}`}, because ${text(why)}`,
  moveClock: ({ aheadMs }) =>
    `the sandbox's clock is moved: ${typeof aheadMs === 'number' ? span(aheadMs) : 'some time'} ahead of the real time`,
};

/** One that we do not know is told by its name. */
export function formatUpdate(name: string, payload: unknown): string {
  const fields = typeof payload === 'object' && payload !== null ? (payload as Fields) : {};
  return (Object.hasOwn(words, name) && words[name]?.(fields)) || name;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const text = (value: unknown): string => (isText(value) ? value : 'unknown');

const whoIn = ({ by, onBehalfOf }: Fields): string =>
  nameOf({ by: text(by), onBehalfOf: isText(onBehalfOf) ? onBehalfOf : undefined });

const questionIn = (id: unknown): string => (isText(id) ? `the question ${id}` : 'its question');

/** The definition that it goes over to. */
function versionIn(to: unknown): string {
  const { version } = (to ?? {}) as Fields;
  return typeof version === 'number' ? ` to version ${version}` : '';
}

/** Who decides later must see what was said before. */
function valueWords(values: unknown): string {
  if (typeof values !== 'object' || values === null) return '';
  const all = Object.entries(values).map(([name, value]) => `${name} ${shown(value)}`);
  return all.length === 0 ? '' : `: ${all.join(', ')}`;
}

const shown = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value.slice(0, LONGEST_VALUE) : String(value);
};

// The whole text is in the history.
const LONGEST_VALUE = 200;
