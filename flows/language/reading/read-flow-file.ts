// Parses and validates the text of a flow file, and reports all findings. Not for the workflow sandbox.
import { bounds, type FlowFile, isMap, type Json, type JsonObject, type StateData } from '../flow-file.ts';
import { jsonBytes } from '../machine/kit.ts';
import { checkReferences } from './references.ts';
import { type At, type Finding, firstFindings, type KnownNames, Report, type TextPlace } from './report.ts';
import { checkShape } from './shape.ts';
import { type Node, nodesOf } from './walk.ts';
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
  checkBounds(data, report);
  const shaped = report.misshapen.reduce((left, at) => without(left, at), data) as unknown as FlowFile;
  if (isMap(data)) {
    checkStateKinds(shaped, report);
    checkReferences(shaped, report);
  }
  if (report.findings.length > 0) return { file: null, findings: firstFindings(report.findings) };
  return { file: data as unknown as FlowFile, findings: [], placeOf };
}

/** The data without the value at a path. States and list items become an empty map, so that references still resolve. */
function without(data: Json, [step, ...rest]: At, inStates = false): Json {
  if (step === undefined) return {};
  if (Array.isArray(data)) {
    const items = data as readonly Json[];
    return items.map((item, index) => (index === step ? without(item, rest) : item));
  }
  if (!isMap(data) || !Object.hasOwn(data, step)) return data;
  const { [String(step)]: inner = null, ...others } = data;
  // A misshapen item in a list of targets would be reported again as an unknown state.
  if ((rest.length === 0 && !inStates) || step === 'target') return others;
  return { ...data, [String(step)]: without(inner, rest, step === 'states' && isStates(rest)) };
}

const isStates = (rest: At): boolean => rest.length === 1;

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

function checkBounds(data: Json, report: Report): void {
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
