// The input of each flow as JSON Schema: the operation's own request in camelCase, `toUser` and `fromUser` in the place of
// uids, and the deadlines that the flow has. It takes what checkFlowInput takes: a test compares the two.
import { z } from 'zod';
import { type FlowInputRules, flowInputShape, userFields } from '../flows/flow-input-check.ts';
import { onboardInputShape } from '../flows/onboard-input.ts';
import { conditionSchema, isSchema, type JsonSchema, ownName, requestOverride } from '../openapi/schemas.ts';
import { operationRow, operations } from '../operations/operations.ts';
import { fieldMeanings } from '../wire/field-meanings.ts';
import { rulesOf } from '../wire/field-rule.ts';
import { duration } from '../wire/text.ts';

const given = (field: string): JsonSchema => ({
  required: [field],
  properties: { [field]: { not: { type: 'null' } } },
});

const fieldsGiven = (...fields: string[]) => ({ allOf: fields.map(given) });

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
    z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: requestOverride }) as JsonSchema,
  );

const withoutRequired = (schema: JsonSchema, field: string): JsonSchema => ({
  ...schema,
  required: (schema.required ?? []).filter((name) => name !== field),
});

/** Accounts in the place of uids, by name: most flows take one. */
export function userSchemas(): Readonly<Record<string, JsonSchema>> {
  const account = jsonOf(operations.CreateOrGetAccount.request);
  const description = 'In the place of a uid: the flow finds or creates this account first.';
  return {
    User: { ...account, description },
    UserAtPickUpPointOfBooking: {
      ...withoutRequired(account, 'pickUpPointUid'),
      description: `${description} Its pick up point is that of the booking, unless it is given.`,
    },
  };
}

const userReference = (hasPickUpPoint: boolean): JsonSchema => ({
  anyOf: [{ $ref: `#/$defs/${hasPickUpPoint ? 'UserAtPickUpPointOfBooking' : 'User'}` }, { type: 'null' }],
});

/** A condition that asks for a uid is met by the account in its place too. */
function orUser(schema: JsonSchema, uidField: string, userField: string): JsonSchema {
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      const each = (item: unknown) => (isSchema(item) ? orUser(item, uidField, userField) : item);
      if (key === 'properties') return [key, value];
      return [key, Array.isArray(value) ? value.map(each) : each(value)];
    }),
  );
  const isCondition = schema.required?.length === 1 && schema.required[0] === uidField;
  return isCondition ? { anyOf: [inner, given(userField)] } : inner;
}

function requestSchema({ operation }: FlowInputRules): JsonSchema {
  const { request, meaning } = operationRow(operation);
  let schema: JsonSchema = { ...jsonOf(request), description: meaning };
  for (const [uidField, userField] of Object.entries(userFields)) {
    const uid = schema.properties?.[uidField];
    if (!isSchema(uid)) continue;
    const isRequired = schema.required?.includes(uidField);
    const conditions = (schema.allOf ?? []) as JsonSchema[];
    schema = {
      ...withoutRequired(schema, uidField),
      properties: {
        ...schema.properties,
        [uidField]: isRequired ? { anyOf: [uid, { type: 'null' }] } : uid,
        [userField]: userReference('pupUid' in request.shape),
      },
      allOf: [
        ...conditions.map((condition) => orUser(condition, uidField, userField)),
        isRequired
          ? { oneOf: [given(uidField), given(userField)] }
          : { not: fieldsGiven(uidField, userField) },
      ],
    };
  }
  return schema;
}

const nullable = (schema: JsonSchema, description: string): JsonSchema => ({
  anyOf: [schema, { type: 'null' }],
  description,
});

const object = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  properties,
  additionalProperties: false,
});

function deadlinesSchema({ deadlines }: FlowInputRules): JsonSchema {
  const length = nullable(
    jsonOf(duration),
    'An ISO 8601 duration like P3D or PT2H30M, from the start of the stage',
  );
  const roles = [...new Set(deadlines.map(({ role }) => role))].map((role) => {
    const ofRole = deadlines.filter((deadline) => deadline.role === role);
    const stages = object(Object.fromEntries(ofRole.map(({ stage }) => [stage, length])));
    return [role, nullable(stages, `Deadlines of ${role}`)];
  });
  return nullable(
    object(Object.fromEntries(roles)),
    'By role and stage. A stage without one waits as long as it takes',
  );
}

const meanings: Readonly<Record<string, string>> = {
  onOverdue:
    'After a deadline. wait, the default: mark the leg as overdue and go on; cancel: undo the whole flow',
  waitForLocker: 'How long the flow keeps trying while no locker is free. Not at all if not given',
  tell: 'What the outside is told, through a connector of the workers. Nothing if not given',
  clock: "sandbox: the tenant's clock in a service in staging. The real time if not given",
  applyDetails: 'True: change the details of an existing account that differ from the request',
};

const withMeanings = (properties: JsonSchema['properties']) =>
  Object.fromEntries(
    Object.entries(properties ?? {}).map(([name, schema]) => [
      name,
      { ...(schema as JsonSchema), ...(meanings[name] ? { description: meanings[name] } : {}) },
    ]),
  );

const hasReminder = { properties: { events: { contains: { const: 'reminder' } } } };
/** A reminder needs its time before the deadlines, and no other event has one. */
const reminder: JsonSchema = {
  if: { required: ['tell'], properties: { tell: hasReminder } },
  // biome-ignore lint/suspicious/noThenProperty: it is JSON Schema's own word, in data.
  then: { properties: { tell: given('remindBefore') } },
  else: { not: { required: ['tell'], properties: { tell: given('remindBefore') } } },
};

export function shipmentInputSchema(rules: FlowInputRules): JsonSchema {
  const schema = jsonOf(flowInputShape);
  const properties = {
    ...withMeanings(schema.properties),
    request: requestSchema(rules),
    deadlines: deadlinesSchema(rules),
  };
  return { ...schema, properties, allOf: [reminder] };
}

export function onboardInputSchema(): JsonSchema {
  const schema = jsonOf(onboardInputShape);
  const { request } = operations.CreateAccount;
  const wholeGroups = rulesOf(operations.SetAccountDetails.request).map(({ must }) =>
    conditionSchema(operations.SetAccountDetails.request, must, ownName),
  );
  return {
    ...schema,
    properties: { ...withMeanings(schema.properties), request: jsonOf(request) },
    if: { required: ['applyDetails'], properties: { applyDetails: { const: true } } },
    // biome-ignore lint/suspicious/noThenProperty: it is JSON Schema's own word, in data.
    then: { properties: { request: { allOf: wholeGroups } } },
  };
}
