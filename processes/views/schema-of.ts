// JSON Schema of a zod schema, as the OpenAPI document has it: an answer may get more fields, so nothing forbids them there.
import { z } from 'zod';
import type { JsonSchema } from '../../contract/openapi/schemas.ts';

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
