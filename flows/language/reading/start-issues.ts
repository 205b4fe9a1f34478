// What is wrong with the start of a process of a flow file: the same for a client, an event, a schedule, and the process itself, which
// may have been started by any SDK.
import { clockIssues } from '../../../contract/flows/flow-input.ts';
import { checkFlowInput } from '../../../contract/flows/flow-input-check.ts';
import { flowRulesOfOperation } from '../../../contract/flows/flow-rules.ts';
import { checkOnboardInput } from '../../../contract/flows/onboard-input.ts';
import { ContractError } from '../../../contract/wire/contract-error.ts';
import type { Capability } from '../../../contract/wire/service-profile.ts';
import { bounds, type FlowFile, isMap, type Json } from '../flow-file.ts';
import type { ValueIssue } from '../value-issues.ts';
import { isOnboarding, operationOfWhole } from '../whole-process.ts';
import { inputIssues, unknownStartFields } from './input-schema.ts';
import { jsonKindOf } from './report.ts';

interface Start {
  readonly request?: unknown;
  readonly clock?: unknown;
}

/**
 * What is a whole process takes what its built-in flow takes; what the file's own `input` says holds
 * beside that. The schema of the file must have no findings.
 * @param capabilities those of the locker service, where they are known
 */
export function startIssues(
  file: FlowFile,
  start: unknown,
  capabilities?: readonly Capability[] | undefined,
): readonly ValueIssue[] {
  if (!isObject(start))
    return [{ field: WHOLE_INPUT, message: `the input must be an object, not ${jsonKindOf(start as Json)}` }];
  const { request = {}, clock }: Start = start;
  const ofWhole = wholeIssues(file, start, capabilities);
  if (!ofWhole)
    return [...unknownStartFields(file, start), ...clockIssues(clock), ...inputIssues(file.input, request)];
  if (!file.input) return ofWhole;
  const named = new Set(ofWhole.map(({ field }) => field));
  if (named.has(WHOLE_INPUT)) return ofWhole;
  const own = inputIssues(file.input, withoutNulls(request as Json, bounds.depth));
  return [...ofWhole, ...own.filter(({ field }) => !named.has(field))];
}

const isObject = (start: unknown): start is object => isMap(start as Json);

/** The field of an issue of the whole input. */
const WHOLE_INPUT = '';

/**
 * The contract takes null as absent, or has named the field.
 * @param depth of the maps that are looked into: deeper ones are refused
 */
function withoutNulls(value: Json, depth: number): Json {
  if (!isMap(value) || depth === 0) return value;
  const given = Object.entries(value).filter(([, each]) => each != null);
  return Object.fromEntries(given.map(([name, each]) => [name, withoutNulls(each, depth - 1)]));
}

/** Undefined: it is started by what the file itself says. */
function wholeIssues(
  file: FlowFile,
  start: object,
  capabilities: readonly Capability[] | undefined,
): readonly ValueIssue[] | undefined {
  if (isOnboarding(file)) return issuesOf(() => checkOnboardInput(start));
  const rules = flowRulesOfOperation(operationOfWhole(file) ?? '');
  return rules && issuesOf(() => checkFlowInput(rules, start, capabilities && new Set(capabilities)));
}

function issuesOf(check: () => unknown): readonly ValueIssue[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof ContractError) return error.issues;
    throw error;
  }
}

/** `request.item is required`. What is wrong with the whole input has no field. */
export const formatStartIssue = ({ field, message }: ValueIssue): string => `${field} ${message}`.trimStart();
