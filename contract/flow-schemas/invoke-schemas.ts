// What a flow file gives to a built-in flow or an operation that it invokes, and what it gets, as JSON Schema.
import { flowTypes } from '../flows/flow-types.ts';
import type { JsonSchema } from '../openapi/schemas.ts';
import { type OperationName, operationNames, operationRow } from '../operations/operations.ts';
import { answer, schemasOf } from './flow-schemas.ts';
import { jsonOf, userSchemas } from './inputs.ts';

export interface InvokeSchemas {
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
