// Does what a person has decided. What the process refuses comes back in its own words.
import { randomUUID } from 'node:crypto';
import type { AtTemporal } from '../../client/command-line/temporal.ts';
import { type Decision, decide } from '../../client/command-line/waiting/decide.ts';
import { roles } from '../../contract/flows/flow-input.ts';
import { stateCodes } from '../../contract/wire/states.ts';
import { SHIPMENT } from './decision-choices.ts';
import { oneOf, read, text, type Values, why } from './read-values.ts';

const state = why.extend({ role: oneOf(roles), stateCode: oneOf(stateCodes) });

const actions: Readonly<Record<Decision['action'], (values: Values, by: string) => Decision>> = {
  retry: (values, by) => ({ action: 'retry', by, ...read(why, values) }),
  giveUp: (values, by) => ({ action: 'giveUp', by, ...read(why, values) }),
  dropEvent: (values, by) => ({ action: 'dropEvent', by, ...read(why, values) }),
  setState: (values, by) => ({ action: 'setState', by, ...read(state, values) }),
  adopt(values, by) {
    const named = Object.entries(values).filter(([name]) => name === 'why' || name.startsWith(SHIPMENT));
    const { why: reason, ...uids } = read(why.catchall(text), Object.fromEntries(named));
    const shipments = Object.entries(uids).map(([name, uid]) => [name.slice(SHIPMENT.length), uid]);
    return { action: 'adopt', by, why: reason, shipments: Object.fromEntries(shipments) };
  },
};

export const isDecision = (id: string): id is Decision['action'] => Object.hasOwn(actions, id);

export interface Decided {
  readonly key: string;
  /** The id of a choice in decision-choices.ts. */
  readonly action: Decision['action'];
  readonly values: Values;
  readonly by: string;
}

/** Throws ConsoleRefusal with the wrong fields, UpdateRefused, FlowNotFound. */
export async function doDecision(temporal: AtTemporal, { key, action, values, by }: Decided): Promise<void> {
  await decide(temporal, key, actions[action](values, by));
}

/** Temporal keeps the reason and the name with the request. */
export async function cancelProcess(
  { client }: AtTemporal,
  { key, values, by }: Omit<Decided, 'action'>,
): Promise<void> {
  await client.workflowService.requestCancelWorkflowExecution({
    ...{
      namespace: client.options.namespace,
      workflowExecution: { workflowId: key },
      requestId: randomUUID(),
    },
    ...{ identity: client.options.identity, reason: `${by}: ${read(why, values).why}` },
  });
}
