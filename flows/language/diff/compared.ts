// Two versions of a flow file side by side: which state of the one is which of the other, as a migration sees it.
import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { pathOf } from '../../../engine/chart/chart-view.ts';
import { nodesOf as machineNodesOf } from '../../../engine/chart/messages.ts';
import { type ImageOf, images, nodeAt } from '../../../engine/migration/images.ts';
import type { FlowFile, Json, StateData } from '../flow-file.ts';
import type { FormerNames } from '../machine/former-names.ts';
import { idleMachineOf } from '../machine/machine.ts';
import { type Node, nodesOf } from '../reading/walk.ts';

/** A state of one of the files, also as the machine has it. */
export interface StateAt extends Node {
  readonly path: string;
  readonly inMachine: AnyStateNode;
}

export interface Side {
  readonly file: FlowFile;
  readonly machine: AnyStateMachine;
  /** Each before those within it; the first is the file itself. */
  readonly states: readonly StateAt[];
  readonly byPath: ReadonlyMap<string, StateAt>;
}

export interface Compared {
  readonly old: Side;
  readonly now: Side;
  readonly names: FormerNames;
  readonly imageOf: ImageOf;
  /** By the old path, the new one. */
  readonly images: ReadonlyMap<string, string>;
  /** By the new path, the old one. */
  readonly origins: ReadonlyMap<string, string>;
}

export function compared(before: FlowFile, after: FlowFile, names: FormerNames): Compared {
  const [old, now] = [sideOf(before), sideOf(after)];
  const imageOf = images(old.machine, now.machine, names);
  const found = new Map<string, string>();
  const origins = new Map<string, string>();
  for (const { path, inMachine } of old.states) {
    const image = imageOf(inMachine);
    if (!image || origins.has(pathOf(image))) continue;
    found.set(path, pathOf(image));
    origins.set(pathOf(image), path);
  }
  return { old, now, names, imageOf, images: found, origins };
}

function sideOf(file: FlowFile): Side {
  const machine = idleMachineOf(file);
  const known = new Map(machineNodesOf(machine.root).map((node) => [pathOf(node), node]));
  const states = nodesOf(file).map((node): StateAt => {
    const path = node.keys.join('.');
    return { ...node, path, inMachine: known.get(path) ?? (nodeAt(machine, path) as AnyStateNode) };
  });
  return { file, machine, states, byPath: new Map(states.map((state) => [state.path, state])) };
}

export const kindOf = ({ type, states }: StateData): string =>
  type ?? (states === undefined ? 'atomic' : 'compound');

/** The same text for the same data, however its keys are ordered. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
        : inner,
    ) ?? ''
  );
}

export const isSame = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other);

export const isMap = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
