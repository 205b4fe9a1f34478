// The names that the parts of a file had in the version before (`was`), so that what two versions do can be compared.
import { type FlowFile, invokeIdOf, listOf, type StateData } from '../flow-file.ts';

export interface FormerNames {
  /** By the state's path. */
  readonly states: ReadonlyMap<string, string>;
  /** By the invoke's id. */
  readonly calls: ReadonlyMap<string, string>;
  /** By the event's type. */
  readonly events: ReadonlyMap<string, string>;
}

export function formerNames(file: FlowFile): FormerNames {
  const names = {
    states: new Map<string, string>(),
    calls: new Map<string, string>(),
    events: new Map<string, string>(),
  };
  collect(file, [], [], names);
  return names;
}

type Path = readonly string[];

function collect(state: StateData, path: Path, former: Path, names: MutableNames): void {
  if (path.length > 0) names.states.set(path.join('.'), former.join('.'));
  for (const [index, invoke] of listOf(state.invoke).entries()) {
    // Without an id of its own it is named after its state.
    const before = invoke.was ?? invokeIdOf(invoke, former, index);
    names.calls.set(invokeIdOf(invoke, path, index), before);
  }
  for (const [type, transitions] of Object.entries(state.on ?? {})) {
    const was = listOf(transitions).flatMap((each) => (typeof each === 'object' && each.was) || []);
    if (was[0] !== undefined) names.events.set(type, was[0]);
  }
  for (const [key, inner] of Object.entries(state.states ?? {}))
    collect(inner, [...path, key], inner.was?.split('.') ?? [...former, key], names);
}

interface MutableNames {
  readonly states: Map<string, string>;
  readonly calls: Map<string, string>;
  readonly events: Map<string, string>;
}
