// The input of each flow as JSON Schema, made from the schema of its check. A test compares what the two take.
import { z } from 'zod';
import { accountSchemas, type FlowInputRules, flowInputSchema } from '../flows/flow-input-check.ts';
import { onboardInputSchema } from '../flows/onboard-input.ts';
import { conditionSchema, isSchema, type JsonSchema, ownName, requestOverride } from '../openapi/schemas.ts';
import { operations } from '../operations/operations.ts';
import { fieldMeanings } from '../wire/field-meanings.ts';
import { rulesOf } from '../wire/field-rule.ts';

/** No object has other fields than those named: a flow does not ignore a misspelt one. */
function closed(schema: JsonSchema): JsonSchema {
  const { $schema: _, format: _f, ...kept } = schema;
  const inner: JsonSchema = {};
  for (const [key, value] of Object.entries(kept)) {
    if (Array.isArray(value)) inner[key] = value.map((item) => (isSchema(item) ? closed(item) : item));
    else if (key === 'properties') inner[key] = describedProperties(value as Record<string, JsonSchema>);
    else inner[key] = isSchema(value) ? closed(value) : value;
  }
  return kept.type === 'object' && kept.properties ? { ...inner, additionalProperties: false } : inner;
}

const describedProperties = (properties: Readonly<Record<string, JsonSchema>>) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const meaning = fieldMeanings[name];
      return [
        name,
        { ...(meaning && isDescribable(schema) ? { description: meaning } : {}), ...closed(schema) },
      ];
    }),
  );

/** A condition on a field is not a description of it. */
const isDescribable = (schema: JsonSchema) => !('not' in schema || 'const' in schema || 'maximum' in schema);

export const jsonOf = (schema: z.ZodType): JsonSchema =>
  closed(
    z.toJSONSchema(schema, {
      io: 'input',
      unrepresentable: 'any',
      override: (context) => {
        requestOverride(context);
        referTo(accountSchemas, schema)(context);
      },
    }) as JsonSchema,
  );

/** What many flows have in common stands once, by its name: the accounts in the place of uids, for one. */
export const referTo =
  (named: Readonly<Record<string, z.ZodType>>, whole: z.ZodType) =>
  ({ zodSchema, jsonSchema }: Parameters<typeof requestOverride>[0]): void => {
    const same = (schema: unknown) => schema === zodSchema && schema !== whole;
    const [name] = Object.entries(named).find(([, schema]) => same(schema)) ?? [];
    if (name === undefined) return;
    for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
    jsonSchema.$ref = `#/$defs/${name}`;
  };

export const userSchemas = (): Readonly<Record<keyof typeof accountSchemas, JsonSchema>> => ({
  User: jsonOf(accountSchemas.User),
  UserAtPickUpPointOfBooking: jsonOf(accountSchemas.UserAtPickUpPointOfBooking),
});

export const shipmentInputJson = (rules: FlowInputRules): JsonSchema => jsonOf(flowInputSchema(rules));

export function onboardInputJson(): JsonSchema {
  const wholeGroups = rulesOf(operations.SetAccountDetails.request).map(({ must }) =>
    conditionSchema(operations.SetAccountDetails.request, must, ownName),
  );
  return {
    ...jsonOf(onboardInputSchema),
    if: { required: ['applyDetails'], properties: { applyDetails: { const: true } } },
    // biome-ignore lint/suspicious/noThenProperty: it is JSON Schema's own word, in data.
    then: { properties: { request: { allOf: wholeGroups } } },
  };
}
