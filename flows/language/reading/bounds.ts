// Checks how much a file holds: states, transitions, invokes, and the context at the start.
import { bounds, type Json, type JsonObject } from '../flow-file.ts';
import { jsonBytes } from '../machine/context.ts';
import { isMap, type Report } from './report.ts';

export function checkBounds(data: Json, report: Report): void {
  if (!isMap(data)) return;
  const counted = { states: 0, transitions: 0, invokes: 0 };
  count(data, counted);
  for (const { what, code } of [
    { what: 'states', code: 'TooManyStates' },
    { what: 'transitions', code: 'TooManyTransitions' },
    { what: 'invokes', code: 'TooManyInvokes' },
  ] as const)
    if (counted[what] > bounds[what])
      report.find(code, ['states'], `a count of ${counted[what]} ${what}`, `at most ${bounds[what]}`);
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
