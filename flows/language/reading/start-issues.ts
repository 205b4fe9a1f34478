// What is wrong with the start of a process of a flow file: the same for a client, an event, a schedule, and the process itself, which
// may have been started by any SDK.
import { clockIssues } from '../../../contract/flows/flow-input.ts';
import { checkFlowInput, type FlowInputRules } from '../../../contract/flows/flow-input-check.ts';
import { flowRulesOfOperation } from '../../../contract/flows/flow-rules.ts';
import { ContractError } from '../../../contract/wire/contract-error.ts';
import type { Capability } from '../../../contract/wire/service-profile.ts';
import { type FlowFile, operationOfWhole } from '../flow-file.ts';
import type { ValueIssue } from '../value-issues.ts';
import { inputIssues, unknownStartFields } from './input-schema.ts';

interface Start {
  readonly request?: unknown;
  readonly clock?: unknown;
}

/**
 * A booking that is the whole process takes what the built-in flow of its operation takes; what the file's own `input` says holds
 * beside that. The schema of the file must have no findings.
 * @param capabilities those of the locker service, where they are known
 */
export function startIssues(
  file: FlowFile,
  start: object,
  capabilities?: readonly Capability[] | undefined,
): readonly ValueIssue[] {
  const { request = {}, clock }: Start = start;
  const rules = flowRulesOfOperation(operationOfWhole(file) ?? '');
  if (!rules)
    return [...unknownStartFields(file, start), ...clockIssues(clock), ...inputIssues(file.input, request)];
  const ofBooking = bookingIssues(rules, start, capabilities);
  return file.input ? [...ofBooking, ...inputIssues(file.input, request)] : ofBooking;
}

function bookingIssues(
  rules: FlowInputRules,
  start: object,
  capabilities: readonly Capability[] | undefined,
): readonly ValueIssue[] {
  try {
    checkFlowInput(rules, start, capabilities && new Set(capabilities));
    return [];
  } catch (error) {
    if (error instanceof ContractError) return error.issues;
    throw error;
  }
}

/** `request.item is required`. What is wrong with the whole input has no field. */
export const formatIssue = ({ field, message }: ValueIssue): string => `${field} ${message}`.trimStart();
