// Whether what a file names is there: flows, operations, connectors, states, invokes.
import type { FlowFile, InvokeData, StateData } from '../flow-file.ts';
import { invokeIdOf, listOf } from '../flow-file.ts';
import { kindOfActor, operationsOfFiles } from '../machine/actor-kinds.ts';
import type { At } from './finding.ts';
import type { KnownNames } from './names.ts';
import type { Report } from './report.ts';

/** A state with its place. */
interface Node {
  readonly at: At;
  readonly keys: readonly string[];
  readonly state: StateData;
  readonly parent: Node | undefined;
}

export function checkReferences(file: FlowFile, report: Report): void {
  const { names } = report;
  if ([...names.builtIn, ...operationsOfFiles, 'ask', 'call'].includes(file.name))
    report.find('NameTaken', ['name'], file.name);
  for (const node of nodesOf(file)) {
    for (const { invoke, at } of invokesOf(node)) checkSrc(file, invoke, at, report);
  }
}

export function nodesOf(file: FlowFile): Node[] {
  return inner({ at: [], keys: [], state: file, parent: undefined });
}

function inner(node: Node): Node[] {
  const within = Object.entries(node.state.states ?? {}).flatMap(([key, state]) =>
    inner({ at: [...node.at, 'states', key], keys: [...node.keys, key], state, parent: node }),
  );
  return [node, ...within];
}

interface InvokeAt {
  readonly invoke: InvokeData;
  readonly id: string;
  readonly at: At;
}

export function invokesOf({ state, at, keys }: Node): InvokeAt[] {
  const isList = Array.isArray(state.invoke);
  return listOf(state.invoke).map((invoke, index) => ({
    invoke,
    id: invokeIdOf(invoke, keys, index),
    at: isList ? [...at, 'invoke', index] : [...at, 'invoke'],
  }));
}

function checkSrc(file: FlowFile, { src }: InvokeData, at: At, report: Report): void {
  const place = [...at, 'src'];
  if (src === file.name) report.find('SelfInvoked', place, src);
  else if (!mayBeInvoked(src, report.names))
    report.findUnknown('SrcUnknown', place, src, invocable(report.names));
}

const invocable = ({ builtIn, published }: KnownNames): string[] => [
  ...builtIn,
  ...(published ?? []),
  ...operationsOfFiles,
  'ask',
  'call',
];

/** Where not all published flows are known, any name of a flow's form may be one. */
function mayBeInvoked(src: string, names: KnownNames): boolean {
  if (invocable(names).includes(src)) return true;
  return names.published === null && kindOfActor(src) === 'flow' && /^[A-Z][A-Za-z0-9_-]{0,63}$/.test(src);
}
