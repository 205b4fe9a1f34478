// Makes the workflow function of a shipment flow out of the versions of its declaration.
import type { FlowInput, FlowRequest } from '../../contract/flows/flow-input.ts';
import type { FlowResult } from '../../contract/flows/flow-result.ts';
import { flow, type Workflow } from '../../driver/flow.ts';
import type { Declaration } from '../../flows/declaration.ts';
import { shipmentFlow } from './shipment-flow.ts';

/** `newest` has the flow's name; the other versions stay while processes run on them. */
export function shipmentWorkflow<Newest extends Declaration>(
  newest: Newest,
  versions: Readonly<Record<number, Declaration>> = { 1: newest },
): Workflow<FlowInput<FlowRequest<Newest['operation']>>, FlowResult> {
  const built = Object.entries(versions).map(([version, declared]) => [
    version,
    () => shipmentFlow(declared),
  ]);
  return flow(newest.name, Object.fromEntries(built));
}
