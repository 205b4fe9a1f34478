// The input and the result of each workflow type, and the check of the input before anything is sent.

import type { FlowInput, FlowRequest, Role } from '../contract/flows/flow-input.ts';
import { checkFlowInput } from '../contract/flows/flow-input-check.ts';
import type { FlowResult, LegResult } from '../contract/flows/flow-result.ts';
import { flowRules, type ShipmentFlowType } from '../contract/flows/flow-rules.ts';
import { type FlowType, flowTypes } from '../contract/flows/flow-types.ts';
import type { OnboardResult } from '../contract/flows/onboard-answers.ts';
import { checkOnboardInput, type OnboardInput } from '../contract/flows/onboard-input.ts';
import { ContractError } from '../contract/wire/contract-error.ts';
import type { Capability } from '../contract/wire/service-profile.ts';

export type InputOf<Type extends FlowType> = Type extends ShipmentFlowType
  ? FlowInput<FlowRequest<(typeof flowRules)[Type]['operation']>>
  : OnboardInput;

export type ResultOf<Type extends FlowType> = Type extends ShipmentFlowType
  ? Omit<FlowResult, 'shipments'> & { readonly shipments: ShipmentsOf<(typeof flowRules)[Type]['roles']> }
  : OnboardResult;

/** With several roles, a shipment may end without a known role: then `unassigned` has it. */
type ShipmentsOf<Roles extends readonly Role[]> = Roles extends readonly [infer Only extends Role]
  ? Readonly<Record<Only, LegResult>>
  : Readonly<Partial<Record<Roles[number], LegResult>>>;

/**
 * Throws ContractError (InvalidRequest), which names every wrong field.
 * @param capabilities those of the locker service, where the client knows them; else the flow's first activity checks that
 */
export function checkInput(
  type: FlowType,
  input: unknown,
  capabilities?: readonly Capability[] | undefined,
): void {
  if (!flowTypes.includes(type))
    throw new ContractError('InvalidRequest', [
      { field: 'flow', message: `there is no flow ${type}; expected one of ${flowTypes.join(', ')}` },
    ]);
  if (type !== 'OnboardAccount')
    checkFlowInput(flowRules[type], input, capabilities && new Set(capabilities));
  else checkOnboardInput(input);
}
