// Checks the size limits of a flow file: the number of states, transitions and invokes, and the size of the initial context.
import { bounds, type Json, type JsonObject } from '../flow-file.ts';
import { jsonBytes } from '../machine/context.ts';
import { isMap, type Report } from './report.ts';

export function checkBounds(data: Json, report: Report): void {
  if (!isMap(data)) return;
  const counts = { states: 0, transitions: 0, invokes: 0 };
  count(data, counts);
  for (const { what, code } of [
    { what: 'states', code: 'TooManyStates' },
    { what: 'transitions', code: 'TooManyTransitions' },
    { what: 'invokes', code: 'TooManyInvokes' },
  ] as const)
    if (counts[what] > bounds[what])
      report.find(code, ['states'], `a count of ${counts[what]} ${what}`, `at most ${bounds[what]}`);
  const bytes = jsonBytes(data.context ?? {});
  if (bytes > bounds.contextBytes)
    report.find(
      'ContextTooLarge',
      ['context'],
      `a context of ${bytes} bytes`,
      `at most ${bounds.contextBytes}`,
    );
}

function count(state: Json, counts: { states: number; transitions: number; invokes: number }): void {
  if (!isMap(state)) return;
  const { on, after, always, onDone, invoke, states } = state;
  const invoked = [invoke ?? []].flat().filter((each: Json) => isMap(each)) as JsonObject[];
  counts.invokes += invoked.length;
  const transitions = [
    ...[on, after].flatMap((each) => (each !== undefined && isMap(each) ? Object.values(each) : [])),
    ...[always, onDone, ...invoked.flatMap((each) => [each.onDone, each.onError])],
  ];
  for (const each of transitions)
    if (each !== undefined) counts.transitions += Array.isArray(each) ? each.length : 1;
  for (const inner of states !== undefined && isMap(states) ? Object.values(states) : []) {
    counts.states++;
    count(inner, counts);
  }
}
