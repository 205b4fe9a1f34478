// Checks how much a file holds: states, transitions, invokes, and the context at the start.
import { bounds, type Json, type JsonObject } from '../flow-file.ts';
import { jsonBytes } from '../machine/context.ts';
import { isMap, type Report } from './report.ts';

export function checkBounds(data: Json, report: Report): void {
  if (!isMap(data)) return;
  const counted = { states: 0, transitions: 0, invokes: 0 };
  count(data, counted);
  if (counted.states > bounds.states)
    report.find(
      'TooManyStates',
      ['states'],
      `a count of ${counted.states} states`,
      `at most ${bounds.states}`,
    );
  if (counted.transitions > bounds.transitions)
    report.find(
      'TooManyTransitions',
      ['states'],
      `a count of ${counted.transitions} transitions`,
      `at most ${bounds.transitions}`,
    );
  if (counted.invokes > bounds.invokes)
    report.find(
      'TooManyInvokes',
      ['states'],
      `a count of ${counted.invokes} invokes`,
      `at most ${bounds.invokes}`,
    );
  const bytes = jsonBytes(data.context ?? {});
  if (bytes > bounds.contextBytes)
    report.find(
      'ContextTooLarge',
      ['context'],
      `a context of ${bytes} bytes`,
      `at most ${bounds.contextBytes}`,
    );
}

function count(state: Json, counted: { states: number; transitions: number; invokes: number }): void {
  if (!isMap(state)) return;
  const { on, after, always, onDone, invoke, states } = state;
  const invoked = [invoke ?? []].flat().filter((each: Json) => isMap(each)) as JsonObject[];
  counted.invokes += invoked.length;
  const given = [
    ...[on, after].flatMap((each) => (each !== undefined && isMap(each) ? Object.values(each) : [])),
    ...[always, onDone, ...invoked.flatMap((each) => [each.onDone, each.onError])],
  ];
  for (const each of given)
    if (each !== undefined) counted.transitions += Array.isArray(each) ? each.length : 1;
  for (const inner of states !== undefined && isMap(states) ? Object.values(states) : []) {
    counted.states++;
    count(inner, counted);
  }
}
