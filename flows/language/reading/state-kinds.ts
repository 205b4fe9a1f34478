// Checks that the fields of a state fit its type: a final state has no transitions, a parallel one has no initial state.
import type { FlowFile, StateData } from '../flow-file.ts';
import type { Report } from './report.ts';
import { type Node, nodesOf } from './walk.ts';

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

export function checkStateKinds(file: FlowFile, report: Report): void {
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
