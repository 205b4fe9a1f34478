// The JSON Schemas of the OpenAPI document, made from the contract's zod schemas: in the wire's casing, with the
// meaning of each field. Nothing about an operation is written here a second time.
import { z } from 'zod';
import { filePart } from '../operations/account-suggestions.ts';
import { shipmentRecord } from '../operations/shipment-reading.ts';
import { wireName } from '../wire/casing.ts';
import { fieldMeanings } from '../wire/field-meanings.ts';
import { type Condition, rulesOf } from '../wire/field-rule.ts';
import { details, dimension, isEmptyNoValue, issueDetails } from '../wire/fields.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;
export type Schemas = Readonly<Record<string, JsonSchema>>;

/** Points to a schema among the document's components. */
export const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** The fields of every successful answer, beside the operation's own (interface: Errors). */
const successEnvelope = { success: z.literal(true), error: z.null(), message: z.string().nullable() };

/** Objects that several operations share keep a name of their own. */
const shared = {
  input: { Dimension: dimension, Details: details, IssueDetails: issueDetails },
  output: { ShipmentRecord: shipmentRecord },
} as const;

/** The named schema of a request, with the schemas that it refers to. */
export const requestSchemas = (name: string, schema: z.ZodType): Schemas => named(name, schema, 'input');

/** The named schema of a successful answer, with the schemas that it refers to. */
export const answerSchemas = (name: string, schema: z.ZodObject): Schemas =>
  named(name, schema.extend(successEnvelope), 'output');

/** The named schema of anything else that a client receives. */
export const messageSchemas = (name: string, schema: z.ZodType): Schemas => named(name, schema, 'output');

function named(name: string, schema: z.ZodType, io: 'input' | 'output'): Schemas {
  const registry = z.registry<{ id: string }>();
  for (const [id, inner] of Object.entries(shared[io])) registry.add(inner, { id });
  registry.add(schema, { id: name });
  const { schemas } = z.toJSONSchema(registry, {
    io,
    uri: (id) => reference(id).$ref,
    unrepresentable: 'any',
    override: overrideNamed(wireName),
  });
  return Object.fromEntries(Object.entries(schemas).map(([id, made]) => [id, described(made, io)]));
}

type NameProperty = (schema: z.ZodObject, property: string) => string;
/** The names within lockerflow, as in the input of a flow. */
export const ownName: NameProperty = (_, property) => property;

interface OverrideContext {
  readonly zodSchema: z.core.$ZodType;
  readonly jsonSchema: JsonSchema;
}

/** What zod does not tell of a request: its names, where an empty text means absent, and the rules over several fields. */
const overrideNamed =
  (nameProperty: NameProperty) =>
  ({ zodSchema, jsonSchema }: OverrideContext): void => {
    // Tools differ in how they check a format, so the pattern or the field's meaning says what the service refuses.
    delete jsonSchema.format;
    if (zodSchema === filePart) {
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
      Object.assign(jsonSchema, {
        type: 'string',
        minLength: 1,
        contentMediaType: 'application/octet-stream',
      });
    } else if (isEmptyNoValue(zodSchema) && jsonSchema.anyOf) {
      jsonSchema.anyOf = jsonSchema.anyOf.map(withEmptyString);
    } else if (zodSchema instanceof z.ZodObject) nameFields(zodSchema, jsonSchema, nameProperty);
  };

function nameFields(zodSchema: z.ZodObject, jsonSchema: JsonSchema, nameProperty: NameProperty): void {
  if (!jsonSchema.properties) return;
  const named = (property: string) => nameProperty(zodSchema, property);
  jsonSchema.properties = Object.fromEntries(
    Object.entries(jsonSchema.properties).map(([property, schema]) => [named(property), schema]),
  );
  if (jsonSchema.required) jsonSchema.required = jsonSchema.required.map(named);
  const rules = rulesOf(zodSchema);
  if (rules.length > 0)
    jsonSchema.allOf = rules.map(({ must }) => conditionSchema(zodSchema, must, nameProperty));
}

/** For the input of a flow, which has a request under the names within lockerflow. */
export const requestOverride = overrideNamed(ownName);

/** The schema of a text that also allows an empty one. */
function withEmptyString(schema: JsonSchema): JsonSchema {
  const { minLength: _, ...kept } = schema;
  const { pattern } = kept;
  if (pattern === undefined || new RegExp(pattern, 'u').test('')) return kept;
  return { ...kept, pattern: `^(?:${pattern.replace(/^\^|\$$/g, '')})?$` };
}

export function conditionSchema(
  schema: z.ZodObject,
  condition: Condition,
  nameProperty: NameProperty,
): JsonSchema {
  const of = (inner: Condition) => conditionSchema(schema, inner, nameProperty);
  if ('not' in condition) return { not: of(condition.not) };
  if ('all' in condition) return { allOf: condition.all.map(of) };
  if ('any' in condition) return { anyOf: condition.any.map(of) };
  if ('one' in condition) return { oneOf: condition.one.map(of) };
  const [field, value] = fieldCondition(schema, condition);
  const name = nameProperty(schema, field);
  return { required: [name], properties: { [name]: value } };
}

function fieldCondition(
  schema: z.ZodObject,
  condition: Extract<
    Condition,
    | { given: string }
    | { isTrue: string }
    | { is: unknown }
    | { atMost: unknown }
    | { matches: unknown }
    | { has: unknown }
  >,
): [field: string, schema: JsonSchema] {
  if ('given' in condition) return [condition.given, { not: noValue(schema.shape[condition.given]) }];
  if ('isTrue' in condition) return [condition.isTrue, { const: true }];
  if ('is' in condition) return [condition.is[0], { const: condition.is[1] }];
  if ('atMost' in condition) return [condition.atMost[0], { maximum: condition.atMost[1] }];
  if ('has' in condition) return [condition.has[0], { contains: { const: condition.has[1] } }];
  const [field, pattern] = condition.matches;
  return [field, { type: 'string', pattern }];
}

const noValue = (field: z.core.$ZodType | undefined): JsonSchema =>
  field && isEmptyNoValue(field) ? { enum: [null, ''] } : { type: 'null' };

/**
 * Adds each property's meaning. Removes zod's own notes, and in an answer what would forbid additional fields. A request
 * keeps every rule that the service holds it to.
 */
function described(schema: JsonSchema, io: 'input' | 'output'): JsonSchema {
  const { $schema, $id, default: _default, ...kept } = schema;
  const result: JsonSchema = {};
  for (const [key, value] of Object.entries(kept)) {
    if (io === 'output' && key === 'additionalProperties') continue;
    if (key === 'properties') result.properties = describedProperties(value as Schemas, io);
    else if (Array.isArray(value))
      result[key] = value.map((item) => (isSchema(item) ? described(item, io) : item));
    else if (isSchema(value)) result[key] = described(value, io);
    else if (io === 'input' || Math.abs(Number(value)) !== Number.MAX_SAFE_INTEGER) result[key] = value;
  }
  return result;
}

const describedProperties = (properties: Schemas, io: 'input' | 'output'): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const meaning = fieldMeanings[name.charAt(0).toLowerCase() + name.slice(1)];
      return [name, { ...described(schema, io), ...(meaning ? { description: meaning } : {}) }];
    }),
  );

export const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
