// One JSON Schema document (2020-12) of what is said to flows and by them: input, progress, updates and result of each. It is
// for programs without our TypeScript types. Pure; the package has it as flow-schemas.json.
import { z } from 'zod';
import { accountOperationSchemas, isAccountOperation } from '../flows/account-operations.ts';
import { bookingSchema } from '../flows/booking-progress.ts';
import { openQuestion } from '../flows/chart-progress.ts';
import { processProgressSchema, progressSchema } from '../flows/flow-answers.ts';
import type { Roles } from '../flows/flow-input.ts';
import { resultSchema } from '../flows/flow-result.ts';
import { flowRules } from '../flows/flow-rules.ts';
import { type FlowType, flowTypes } from '../flows/flow-types.ts';
import { onboardProgressSchema, onboardResultSchema } from '../flows/onboard-answers.ts';
import { shipmentReport } from '../flows/shipment-report.ts';
import type { JsonSchema } from '../openapi/schemas.ts';
import { type OperationName, operationNames, operationRow } from '../operations/operations.ts';
import { jsonOf, onboardInputJson, referTo, shipmentInputJson, userSchemas } from './inputs.ts';
import { commonUpdateSchemas, updateSchemas } from './update-schemas.ts';

/** Recorded from real processes, by the name of the definition that they are examples of. */
type FlowExamples = Readonly<Record<string, readonly unknown[]>>;

/** An answer may have more fields than are listed here: a program must not fail on them. */
function open(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(open);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(
    ([key, value]) =>
      key !== '$schema' && !(key === 'additionalProperties' && value === false) && !isNoLimit(value),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, open(value)]));
}

const isNoLimit = (value: unknown) => value === Number.MAX_SAFE_INTEGER;

/** Parts of the progress of every process. */
const progressParts = { Booking: bookingSchema, OpenQuestion: openQuestion };

const answer = (schema: z.ZodType) =>
  open(z.toJSONSchema(schema, { override: referTo(progressParts, schema) })) as JsonSchema;

/** By the names to which the definitions of flows refer; `Progress` is what every process answers. */
export const sharedDefinitions = (): Readonly<Record<string, JsonSchema>> => ({
  ...userSchemas(),
  ...Object.fromEntries(Object.entries(progressParts).map(([name, schema]) => [name, answer(schema)])),
  Progress: answer(processProgressSchema),
});

function update(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...kept } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  }) as JsonSchema;
  return kept;
}

const commonUpdates = (type: FlowType): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(commonUpdateSchemas).map(([name, schema]) => [`${type}.update.${name}`, update(schema)]),
  );

function shipmentFlowSchemas(type: keyof typeof flowRules): Record<string, JsonSchema> {
  const rules = flowRules[type];
  const roles: Roles = rules.roles;
  const updates = Object.entries(updateSchemas(roles, rules.deadlines));
  return {
    [`${type}.input`]: shipmentInputJson(rules),
    [`${type}.progress`]: answer(progressSchema(type, roles)),
    ...Object.fromEntries(updates.map(([name, schema]) => [`${type}.update.${name}`, update(schema)])),
    ...commonUpdates(type),
    [`${type}.result`]: answer(resultSchema(roles)),
  };
}

const schemasOf = (type: FlowType): Record<string, JsonSchema> =>
  type === 'OnboardAccount'
    ? {
        'OnboardAccount.input': onboardInputJson(),
        'OnboardAccount.progress': answer(onboardProgressSchema),
        ...commonUpdates('OnboardAccount'),
        'OnboardAccount.result': answer(onboardResultSchema),
      }
    : shipmentFlowSchemas(type);

export function flowSchemas(examples: FlowExamples = {}): JsonSchema {
  const definitions = flowTypes.flatMap((type) => Object.entries(schemasOf(type)));
  const shared = Object.entries({ ...sharedDefinitions(), ShipmentReport: answer(shipmentReport) });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'What is said to the flows of lockerflow and by them',
    description: [
      'Definitions are named like Issue.input (the one argument of the workflow), Issue.progress (the answer to the query `progress`), Issue.update.setReceiver (the one argument of that update) and Issue.result. Progress is what every process answers, also of a flow file; ShipmentReport is the one argument of the signal `shipmentStatus`.',
      'Progress and results may get more fields; do not fail on them. Inputs and updates take the fields named here and no others.',
    ].join(' '),
    $defs: Object.fromEntries(
      [...definitions, ...shared].map(([name, schema]) => [
        name,
        { title: name, ...schema, ...(examples[name] ? { examples: [...examples[name]] } : {}) },
      ]),
    ),
  };
}

/** What a flow file gives to a built-in flow or an operation that it invokes, and what it gets. */
interface InvokeSchemas {
  readonly input: JsonSchema;
  readonly result: JsonSchema;
  /** What their references name. */
  readonly $defs: Readonly<Record<string, JsonSchema>>;
}

const known = new Map<string, InvokeSchemas | null>();

/** Null if it is neither a built-in flow nor an operation. */
export function invokeSchemas(src: string): InvokeSchemas | null {
  const found = known.get(src) ?? made(src);
  known.set(src, found);
  return found;
}

function made(src: string): InvokeSchemas | null {
  const flow = flowTypes.find((each) => each === src);
  if (flow) {
    const { [`${flow}.input`]: input = {}, [`${flow}.result`]: result = {} } = schemasOf(flow);
    return { input, result, $defs: userSchemas() };
  }
  if (isAccountOperation(src)) {
    const { input, result } = accountOperationSchemas[src];
    return { input: jsonOf(input), result: answer(result), $defs: {} };
  }
  if (!operationNames.includes(src as OperationName)) return null;
  const { request, response } = operationRow(src as OperationName);
  return { input: jsonOf(request), result: answer(response), $defs: {} };
}
