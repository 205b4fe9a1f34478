// What actions do, as the rows of the vocabulary say: for the checks and `lint`.
import { getOwn } from '../../../engine/chart/messages.ts';
import type { ActionData, FlowFile } from '../flow-file.ts';
import { operationOfWhole } from '../whole-process.ts';
import { type ActionRow, actionParams, type Hearer } from './action-vocabulary.ts';
import { actionsOf, invokesOf, type Node, nodesOf } from './walk.ts';

/** Null if its type is unknown. */
export const rowOf = ({ type }: ActionData): ActionRow | null =>
  getOwn<ActionRow>(actionParams, type) ?? null;

const actionsIn = (nodes: readonly Node[]): ActionData[] =>
  nodes.flatMap(actionsOf).map(({ action }) => action);

/** The fields of the context that actions set, each as often as it is set. */
export const assignedIn = (nodes: readonly Node[]): string[] =>
  actionsIn(nodes).flatMap((action) => rowOf(action)?.sets?.(action.params ?? {}) ?? []);

/** The types of the events that actions send there. */
export const toldTo = (hearer: Hearer, nodes: readonly Node[]): string[] =>
  actionsIn(nodes).flatMap((action) =>
    rowOf(action)?.tells === hearer ? [String(action.params?.type)] : [],
  );

/** The ids of the invokes that actions cancel. */
export const cancelledIn = (nodes: readonly Node[]): string[] =>
  actionsIn(nodes).flatMap((action) => rowOf(action)?.cancels?.(action.params ?? {}) ?? []);

/**
 * Whether its booking is all that others see of it, as in a built-in flow: what is begun anew repeats nothing else, and no event
 * finds two processes.
 */
export function booksOnly(file: FlowFile): boolean {
  const nodes = nodesOf(file);
  const tellsOthers = actionsIn(nodes).some((action) => (rowOf(action)?.tells ?? 'itself') !== 'itself');
  const isBooking = operationOfWhole(file) !== undefined && nodes.flatMap(invokesOf).length === 1;
  return isBooking && file.correlate === undefined && !tellsOthers;
}
