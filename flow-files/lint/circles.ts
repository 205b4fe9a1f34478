// Checks several files together: flows that invoke each other in a circle would start processes without end.
import type { FlowFile } from '../flow-file.ts';
import { invokesOf, nodesOf, workOf } from '../reading/walk.ts';
import { lintFinding, type PlacedFinding } from './lint-finding.ts';

/** `others` are the files that are checked together with this one. */
export function circleFindings(file: FlowFile, others: readonly FlowFile[]): PlacedFinding[] {
  return invokedBy(file).flatMap(({ src, at }) => {
    const way = wayTo(file.name, src, others, []);
    return way ? [lintFinding('FlowsInCircle', [...at, 'src'], src, [file.name, ...way].join(' → '))] : [];
  });
}

const invokedBy = (file: FlowFile) =>
  nodesOf(file)
    .flatMap(invokesOf)
    .map(workOf)
    .map(({ invoke, at }) => ({ src: invoke.src, at }));

/** The names of the flows on the way from one flow to another, both included; undefined if there is no way. */
function wayTo(
  name: string,
  from: string,
  others: readonly FlowFile[],
  passed: readonly string[],
): readonly string[] | undefined {
  const way = [...passed, from];
  if (from === name) return way;
  const file = others.find((each) => each.name === from);
  if (!file || passed.includes(from)) return undefined;
  for (const { src } of invokedBy(file)) {
    const found = wayTo(name, src, others, way);
    if (found) return found;
  }
  return undefined;
}
