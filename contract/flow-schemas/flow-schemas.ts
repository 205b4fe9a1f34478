// One JSON Schema document (2020-12) of what is said to flows and by them: input, progress, updates and result of each. It is
// for programs without our TypeScript types. Pure; the package has it as flow-schemas.json.

import { z } from 'zod';
import {
  onboardProgressSchema,
  onboardResultSchema,
  progressSchema,
  type Roles,
  resultSchema,
  type Same,
} from '../flows/flow-answers.ts';
import type { Role, Stage } from '../flows/flow-input.ts';
import type { ExtendDeadline, RemoveReceiver, Resolve, SetReceiver } from '../flows/flow-messages.ts';
import { flowRules } from '../flows/flow-rules.ts';
import { type FlowType, flowTypes } from '../flows/flow-types.ts';
import type { JsonSchema } from '../openapi/schemas.ts';
import { type OperationName, operationNames, operationRow } from '../operations/operations.ts';
import { filledText, instant, text, uid } from '../wire/fields.ts';
import { stateCodes } from '../wire/states.ts';
import { duration } from '../wire/text.ts';
import { jsonOf, onboardInputJson, shipmentInputJson, userSchemas } from './inputs.ts';

/** Recorded from real processes, by the name of the definition that they are examples of. */
type FlowExamples = Readonly<Record<string, readonly unknown[]>>;

/** An answer may have more fields than are listed here: a program must not fail on them. */
function open(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(open);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(
    ([key, value]) =>
      key !== '$schema' && !(key === 'additionalProperties' && value === false) && !isNoLimit(value),
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, open(value)]));
}

const isNoLimit = (value: unknown) => value === Number.MAX_SAFE_INTEGER;

const answer = (schema: z.ZodType) => open(z.toJSONSchema(schema)) as JsonSchema;

function update(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...kept } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  }) as JsonSchema;
  return kept;
}

function shipmentFlowSchemas(type: keyof typeof flowRules): Record<string, JsonSchema> {
  const rules = flowRules[type];
  const roles: Roles = rules.roles;
  const updates = Object.entries(updateSchemas(roles, rules.deadlines));
  return {
    [`${type}.input`]: shipmentInputJson(rules),
    [`${type}.progress`]: answer(progressSchema(type, roles)),
    ...Object.fromEntries(updates.map(([name, schema]) => [`${type}.update.${name}`, update(schema)])),
    [`${type}.result`]: answer(resultSchema(roles)),
  };
}

const schemasOf = (type: FlowType): Record<string, JsonSchema> =>
  type === 'OnboardAccount'
    ? {
        'OnboardAccount.input': onboardInputJson(),
        'OnboardAccount.progress': answer(onboardProgressSchema),
        'OnboardAccount.result': answer(onboardResultSchema),
      }
    : shipmentFlowSchemas(type);

export function flowSchemas(examples: FlowExamples = {}): JsonSchema {
  const definitions = flowTypes.flatMap((type) => Object.entries(schemasOf(type)));
  const shared = Object.entries(userSchemas());
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'What is said to the flows of lockerflow and by them',
    description: [
      'Definitions are named like Issue.input (the one argument of the workflow), Issue.progress (the answer to the query `progress`), Issue.update.setReceiver (the one argument of that update) and Issue.result.',
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
  if (!operationNames.includes(src as OperationName)) return null;
  const { request, response } = operationRow(src as OperationName);
  return { input: jsonOf(request), result: answer(response), $defs: {} };
}

// The updates of a shipment flow: what people decide, as schemas. The types of contract/flows/ are the source: where a schema
// differs from its type, this file does not compile.

interface DeadlineOfFlow {
  readonly role: Role;
  readonly stage: Stage;
}

const onBehalfOf = text
  .exactOptional()
  .meta({ description: 'The person for whom a program says that it acts; the history keeps it' });

const askedBy = {
  by: text.exactOptional().meta({ description: 'Who asks for it; the history keeps it' }),
  onBehalfOf,
  why: text.exactOptional().meta({ description: 'Why; the history keeps it' }),
};

const setReceiver = (roles: Roles) =>
  z.strictObject({
    ...askedBy,
    role: z.enum(roles),
    toUserUid: uid,
    caseReferenceNew: text.nullable().exactOptional(),
  });

const removeReceiver = (roles: Roles) => z.strictObject({ ...askedBy, role: z.enum(roles) });

const until = instant.meta({ description: 'The new deadline, in the future: like 2031-05-01T12:00:00Z' });
const fromNow = duration.meta({ description: 'How long from now: like P3D or PT2H' });

function extendDeadline(deadlines: readonly DeadlineOfFlow[]) {
  return z.union(
    deadlines.flatMap(({ role, stage }) => {
      const which = { ...askedBy, role: z.literal(role), stage: z.literal(stage) };
      return [z.strictObject({ ...which, until }), z.strictObject({ ...which, fromNow })];
    }),
  );
}

function resolve(roles: Roles) {
  const decided = {
    by: filledText.meta({ description: 'Who decides it; the flow keeps it' }),
    onBehalfOf,
    why: filledText.meta({ description: 'Why; the flow keeps it' }),
  };
  const shipments = z
    .strictObject(Object.fromEntries(roles.map((role) => [role, uid.exactOptional()])))
    .meta({ description: 'The uid of the shipment of each role' });
  return z.union([
    z.strictObject({ ...decided, action: z.literal('retry') }),
    z.strictObject({ ...decided, action: z.literal('adopt'), shipments }),
    z.strictObject({
      ...decided,
      action: z.literal('setState'),
      role: z.enum(roles),
      stateCode: z.enum(stateCodes),
    }),
    z.strictObject({ ...decided, action: z.literal('giveUp') }),
  ]);
}

/** By the name of the update. */
const updateSchemas = (roles: Roles, deadlines: readonly DeadlineOfFlow[]) => ({
  setReceiver: setReceiver(roles).meta({ description: 'Sets the receiver of a shipment' }),
  removeReceiver: removeReceiver(roles).meta({ description: 'Removes the receiver of a shipment' }),
  extendDeadline: extendDeadline(deadlines).meta({
    description: 'Sets a deadline anew, also of a stage that has none; give exactly one of until and fromNow',
  }),
  resolve: resolve(roles).meta({
    description:
      'Decides what the flow cannot know. retry: do again what is in doubt. adopt: these are its shipments. setState: this is the state of the shipment. giveUp: end without it',
  }),
});

type UpdateInputs = {
  [Name in keyof ReturnType<typeof updateSchemas>]: z.infer<ReturnType<typeof updateSchemas>[Name]>;
};
true satisfies Same<UpdateInputs['setReceiver'], SetReceiver>;
true satisfies Same<UpdateInputs['removeReceiver'], RemoveReceiver>;
0 as unknown as UpdateInputs['extendDeadline'] satisfies Omit<ExtendDeadline, 'until' | 'fromNow'>;
0 as unknown as UpdateInputs['resolve'] satisfies Resolve;
0 as unknown as Resolve satisfies UpdateInputs['resolve'];
