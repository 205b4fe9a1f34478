// Makes the workflow function of a shipment flow out of the versions of its declaration.
import type { FlowInput, FlowRequest } from '../../contract/flows/flow-input.ts';
import type { FlowResult } from '../../contract/flows/flow-result.ts';
import { flow, type Workflow } from '../../driver/flow.ts';
import type { Versions } from '../../flows/declaration.ts';
import { newestOf } from '../../flows/flows.ts';
import { shipmentFlow } from './shipment-flow.ts';

type InputOf<Flow extends Versions> = FlowInput<FlowRequest<Flow[keyof Flow & number]['operation']>>;

export function shipmentWorkflow<const Flow extends Versions>(
  versions: Flow,
): Workflow<InputOf<Flow>, FlowResult> {
  const built = Object.entries<Flow[number]>(versions).map(([version, declared]) => [
    version,
    () => shipmentFlow(declared),
  ]);
  return flow(newestOf(versions).name, Object.fromEntries(built));
}
