// Documents a flow for OpenAPI: JSON Schemas of the request that starts a process, its progress and its result, with an
// example. They refer to the document's components; client/flow-schemas.ts has self-contained schemas.

import { z } from 'zod';
import { type FlowSchemas, schemasOfBuiltIn, schemasOfFile } from '../../client/flow-schemas.ts';
import { flowSchemas, sharedDefinitions } from '../../contract/flow-schemas/flow-schemas.ts';
import type { JsonSchema, Schemas } from '../../contract/openapi/schemas.ts';
import { examples } from '../../contract/operations/examples.ts';
import type { OperationName } from '../../contract/operations/operations.ts';
import { isOnboarding, operationOfWhole } from '../../flows/language/whole-process.ts';
import { type ShownFlow, shippedFlows } from './flow-registry.ts';
import { ifEnded, newKey, why } from './process-fields.ts';

export interface DocumentedFlow {
  readonly start: JsonSchema;
  readonly progress: JsonSchema;
  readonly result: JsonSchema | null;
  /** The first of the `examples` of its file's input, else that of its operation if its booking is the whole process; or null. */
  readonly example: Readonly<Record<string, unknown>> | null;
}

/** Computes the value on first use: a program that only lists flows does not wait for it. */
const lazy = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

const flowDefinitions = lazy(() => flowSchemas().$defs as Readonly<Record<string, JsonSchema>>);

/** Rewrites references within the flows' document to the OpenAPI document's components. */
function withComponentRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withComponentRefs);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === '$ref' && typeof inner === 'string'
        ? inner.replace('#/$defs/', '#/components/schemas/')
        : withComponentRefs(inner),
    ]),
  );
}

const componentSchema = (name: string): JsonSchema => {
  const { title: _, ...schema } = withComponentRefs(flowDefinitions()[name] ?? {}) as JsonSchema;
  return schema;
};

/** What several flows refer to: accounts that a request may contain in place of uids, parts of the progress. */
export const sharedSchemas = (): Schemas =>
  Object.fromEntries(Object.keys(sharedDefinitions()).map((name) => [name, componentSchema(name)]));

/** The body that starts a process: the flow's input, with the flow and the business key. */
export function startSchema(flow: string, input: JsonSchema): JsonSchema {
  return {
    ...input,
    title: `${flow}Start`,
    required: ['flow', 'key', ...(input.required ?? [])],
    properties: {
      flow: { type: 'string', const: flow, enum: [flow] },
      key: schemaOf(newKey, 'input'),
      why: schemaOf(why, 'input'),
      ifEnded: schemaOf(ifEnded, 'input'),
      ...input.properties,
    },
  };
}

/** A built-in flow has those of the contract, which the package publishes too (lockerflow/flow-schemas.json). */
export const schemasOf = (flow: ShownFlow): FlowSchemas =>
  flow.kind === 'shipped' ? schemasOfBuiltIn(flow.name) : schemasOfFile(flow.file);

export function documentedFlow(flow: ShownFlow): DocumentedFlow {
  const { input: own, result } = schemasOf(flow);
  const { $defs: _, ...input } = withComponentRefs(own) as JsonSchema;
  return {
    start: startSchema(flow.name, input),
    // The contract says more of a built-in flow: the roles of its legs.
    progress:
      flow.kind === 'shipped'
        ? componentSchema(`${flow.name}.progress`)
        : { $ref: '#/components/schemas/Progress' },
    result,
    example: exampleOf(flow),
  };
}

export const documentedBuiltIns = lazy(
  (): ReadonlyMap<string, DocumentedFlow> =>
    new Map(shippedFlows().map((flow) => [flow.name, documentedFlow(flow)])),
);

/** By which the whole process books, or finds or creates an account. */
export const operationOf = ({ file }: ShownFlow): OperationName | undefined =>
  isOnboarding(file) ? 'CreateOrGetAccount' : (operationOfWhole(file) as OperationName | undefined);

export function exampleOf(flow: ShownFlow): DocumentedFlow['example'] {
  const operation = operationOf(flow);
  const [request = operation && examples[operation]?.request] = (flow.file.input?.examples ??
    []) as readonly unknown[];
  return request === undefined ? null : { flow: flow.name, key: 'order-1042', request };
}

export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...made } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: noBlanks,
  }) as JsonSchema;
  return (io === 'output' ? open(made) : made) as JsonSchema;
}

/** A text that is trimmed must have something beside blanks. */
function noBlanks({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: JsonSchema }): void {
  const isTrimmed = zodSchema._zod.def.checks?.some((each) => each._zod.def.check === 'overwrite') ?? false;
  if (isTrimmed && Number(jsonSchema.minLength ?? 0) > 0) jsonSchema.pattern ??= '\\S';
}

function open(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(open);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([key, inner]) =>
      !(key === 'additionalProperties' && inner === false) &&
      Math.abs(Number(inner)) !== Number.MAX_SAFE_INTEGER,
  );
  return Object.fromEntries(kept.map(([key, inner]) => [key, open(inner)]));
}
