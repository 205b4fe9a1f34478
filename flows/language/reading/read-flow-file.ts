// Parses and validates the text of a flow file, and reports all findings. Not for the workflow sandbox.
import { bounds, type FlowFile, isMap, type Json, type StateData } from '../flow-file.ts';
import { jsonBytes } from '../json-bytes.ts';
import { withCalendars } from './calendars.ts';
import { checkReferences } from './references.ts';
import { type At, type Finding, firstFindings, type KnownNames, Report, type TextPlace } from './report.ts';
import { checkShape } from './shape.ts';
import { invokesOf, type Node, nodesOf, transitionsOf } from './walk.ts';
import { parsedText } from './yaml.ts';

export type ReadFlowFile =
  | {
      readonly file: FlowFile;
      readonly findings: readonly [];
      readonly placeOf: (at: At) => TextPlace | undefined;
    }
  | { readonly file: null; readonly findings: readonly Finding[] };

/** The text is YAML or JSON. Returns all findings at once, up to a limit, as far as the text can be parsed. */
export function readFlowFile(text: string, names: KnownNames): ReadFlowFile {
  const { data, findings, placeOf } = parsedText(text);
  if (findings.length > 0) return { file: null, findings: firstFindings(findings) };
  const report = new Report(names, placeOf);
  checkShape(data, report);
  const shaped = without(data, report.misshapen) as unknown as FlowFile;
  if (isMap(data)) {
    checkBounds(shaped, report);
    checkStateKinds(shaped, report);
    checkReferences(shaped, report);
  }
  if (report.findings.length > 0) return { file: null, findings: firstFindings(report.findings) };
  const file = withCalendars(data as unknown as FlowFile, names.calendars ?? {});
  return { file, findings: [], placeOf };
}

/**
 * The data without the values at the paths, of which a text may have thousands. States and list items become an empty map, so that
 * references still resolve.
 */
function without(data: Json, paths: readonly At[]): Json {
  if (paths.some((at) => at.length === 0)) return {};
  const copy = structuredClone(data);
  for (const at of paths) removeAt(copy, at);
  return copy;
}

function removeAt(copy: Json, at: At): void {
  let node: Json | undefined = copy;
  for (const [index, step] of at.entries()) {
    const isLast = index === at.length - 1;
    const parent = node as Record<string | number, Json>;
    if ((!Array.isArray(node) && !isMap(node)) || !Object.hasOwn(parent, step)) return;
    const isItem = Array.isArray(node);
    // A misshapen item in a list of targets would be reported again as an unknown state.
    if (!isItem && (step === 'target' || (isLast && at[index - 1] !== 'states'))) delete parent[step];
    else if (isLast) parent[step] = {};
    node = parent[step];
  }
}

type Kind = 'atomic' | 'compound' | 'parallel' | 'final' | 'history';

const leading = ['on', 'after', 'always', 'onDone', 'invoke', 'states', 'initial'];
const ofHistory = ['history', 'target'];

/** The fields that a state of each kind may not have. */
const forbidden: Readonly<Record<Kind, readonly string[]>> = {
  atomic: ['states', 'initial', 'onDone', 'output', ...ofHistory],
  compound: ['output', ...ofHistory],
  parallel: ['initial', 'output', ...ofHistory],
  final: [...leading, ...ofHistory],
  history: [...leading, 'entry', 'exit', 'output', 'tags'],
};

function checkStateKinds(file: FlowFile, report: Report): void {
  const [root, ...nodes] = nodesOf(file);
  if (root) checkRoot(root, report);
  for (const node of nodes) checkNode(node, kindOf(node.state), report);
}

const hasStates = ({ states }: StateData): boolean => states !== undefined && Object.keys(states).length > 0;

const kindOf = (state: StateData): Kind => state.type ?? (hasStates(state) ? 'compound' : 'atomic');

function checkRoot(root: Node, report: Report): void {
  const { type } = root.state;
  if (type !== undefined && type !== 'parallel' && type !== 'compound')
    report.find('StateWrong', ['type'], `the type ${type} for a whole file`, 'compound or parallel');
  else checkWithin(root, type ?? 'compound', report);
}

function checkNode(node: Node, kind: Kind, report: Report): void {
  for (const field of forbidden[kind])
    if (Object.hasOwn(node.state, field))
      report.find('StateWrong', [...node.at, field], `the field ${field} in a state of the kind ${kind}`);
  if (kind === 'compound' || kind === 'parallel') checkWithin(node, kind, report);
}

function checkWithin({ state, at }: Node, kind: 'compound' | 'parallel', report: Report): void {
  if (!hasStates(state)) report.find('FieldMissing', at, 'states');
  else if (kind === 'compound' && state.initial === undefined) report.find('FieldMissing', at, 'initial');
}

function checkBounds(file: FlowFile, report: Report): void {
  const nodes = nodesOf(file);
  const counts = [
    ['states', nodes.length - 1, 'TooManyStates'],
    ['transitions', nodes.flatMap(transitionsOf).length, 'TooManyTransitions'],
    ['invokes', nodes.flatMap(invokesOf).length, 'TooManyInvokes'],
  ] as const;
  for (const [what, count, code] of counts)
    if (count > bounds[what])
      report.find(code, ['states'], `a count of ${count} ${what}`, `at most ${bounds[what]}`);
  const bytes = jsonBytes(file.context ?? {});
  if (bytes > bounds.contextBytes)
    report.find(
      'ContextTooLarge',
      ['context'],
      `a context of ${bytes} bytes`,
      `at most ${bounds.contextBytes}`,
    );
}
