// The events that a flow sends to the file that invokes it. The declaration of a built-in flow says which.
import type { StateCode } from '../../../contract/wire/states.ts';
import { declarations } from '../../built-in/flows.ts';
import type { FlowFile } from '../flow-file.ts';
import { actionsOf, nodesOf } from './walk.ts';

const stateCodes = {
  Registered: true,
  ReadyForDropoff: true,
  WaitForReceiver: true,
  ReadyForPickup: true,
  Completed: true,
  Cancelled: true,
} as const satisfies Record<StateCode, true>;

/** The events that a flow sends, without the id of its invoke. Null: those of a flow file that is not among these. */
export function eventsOfFlow(flow: string, files: readonly FlowFile[] = []): string[] | null {
  const declared = declarations.find(({ name }) => name === flow);
  if (flow === 'OnboardAccount') return ['needsPerson'];
  if (!declared) {
    const file = files.find(({ name }) => name === flow);
    return file ? [...sentToParent(file), 'needsPerson'] : null;
  }
  const ofLegs = Object.entries(declared.legs).flatMap(([role, { deadlines }]) => [
    ...Object.keys(stateCodes).map((code) => `${role}.${code}`),
    ...(deadlines.length > 0 ? [`${role}.overdue`] : []),
  ]);
  return [...ofLegs, 'needsPerson'];
}

const sentToParent = (file: FlowFile): string[] =>
  nodesOf(file)
    .flatMap(actionsOf)
    .flatMap(({ action: { type, params } }) => (type === 'sendParent' ? [String(params?.type)] : []));

/** Whether one of the events is sent, or several that a wildcard means. */
export const isAmong = (sent: readonly string[], event: string): boolean =>
  sent.some((each) => each === event || (event.endsWith('*') && each.startsWith(event.slice(0, -1))));
