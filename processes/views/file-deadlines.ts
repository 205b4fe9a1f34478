// What has a time in a flow file: its timers, by name where they have one, and the deadlines of its bookings.
import { flowRulesOfOperation } from '../../contract/flows/flow-rules.ts';
import {
  type FlowFile,
  invokesIn,
  isMap,
  type Json,
  mapOf,
  type StateData,
  statesIn,
  type TransitionsData,
} from '../../flows/language/flow-file.ts';

export const deadlinesOfFile = (file: FlowFile): string[] => [
  ...statesIn(file).flatMap(({ state, keys }) => timersOf(state, keys)),
  ...bookingsIn(file),
];

const timersOf = ({ after = {} }: StateData, keys: readonly string[]): string[] =>
  Object.entries(after).map(([delay, transitions]) => {
    const name = nameOf(transitions);
    const timer = name === undefined ? `after ${delay}` : `${name}${inBrackets(delay)}`;
    return `${keys.join('.') || 'the flow'}: ${timer}`;
  });

const nameOf = (transitions: TransitionsData): string | undefined =>
  [transitions].flat().flatMap((each) => (typeof each === 'string' ? [] : (each.name ?? [])))[0];

const isExpression = (text: string): boolean => text.includes('${');
const inBrackets = (length: string): string => (isExpression(length) ? '' : ` (${length})`);

/** With the id of the booking where the file has several. */
function bookingsIn(file: FlowFile): string[] {
  const all = invokesIn(file).flatMap(({ id, invoke: { src, input = null } }) =>
    src === 'book' && isMap(input) ? [{ id, input }] : [],
  );
  return all.flatMap(({ id, input: { deadlines, isWhole, operation } }) => {
    const own = isWhole === true ? deadlinesOfStart(operation) : deadlinesIn(deadlines);
    return own.map((deadline) => (all.length > 1 ? `${id}.${deadline}` : deadline));
  });
}

/** A booking that is the whole process takes its deadlines from the start, like the built-in flow. */
const deadlinesOfStart = (operation: Json | undefined): string[] =>
  (flowRulesOfOperation(String(operation))?.deadlines ?? []).map(({ role, stage }) => `${role}.${stage}`);

const deadlinesIn = (deadlines: Json | undefined): string[] =>
  Object.entries(mapOf(deadlines)).flatMap(([role, stages]) =>
    Object.entries(mapOf(stages)).map(([stage, given]) => `${role}.${stage}${lengthOf(given)}`),
  );

/** `P3D`, or of a calendar `{ open: P3D, in: desk }`. */
function lengthOf(given: Json): string {
  if (typeof given === 'string') return inBrackets(given);
  if (!isMap(given)) return '';
  const { in: calendar, closed: _, at, ...counted } = given;
  const lengths = Object.entries(counted).map(([count, length]) => `${length} ${count}`);
  return ` (${lengths.join(', ')} in ${calendar}${at === undefined ? '' : `, at ${at}`})`;
}
