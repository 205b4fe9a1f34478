// The flows that a person can start at the desk, built in and published, each with its input as a form.
import { z } from 'zod';
import { overduePolicies, stages } from '../../contract/flows/flow-input.ts';
import { flowRules } from '../../contract/flows/flow-rules.ts';
import { type FlowType, flowTypes } from '../../contract/flows/flow-types.ts';
import { operationRow } from '../../contract/operations/operations.ts';
import { fieldMeanings } from '../../contract/wire/field-meanings.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { FlowForm, FlowOffered } from './desk-view.ts';
import { formOf, type JsonSchema } from './form.ts';

export const isBuiltIn = (name: string): name is FlowType => flowTypes.some((each) => each === name);

export async function flowsOffered({ flows }: ConsoleParts): Promise<FlowOffered[]> {
  const published = await flows.published();
  return [
    ...flowTypes.map((name) => ({ name, isPublished: false, description: meaningOf(name) })),
    ...published.map(({ file }) => ({
      name: file.name,
      isPublished: true,
      description: file.description ?? null,
    })),
  ];
}

/** Throws FlowNotPublished. */
export async function flowForm({ flows }: ConsoleParts, name: string): Promise<FlowForm> {
  if (isBuiltIn(name))
    return { name, description: meaningOf(name), fields: formOf(builtInSchema(name), '').map(fromTop) };
  const { file } = await flows.publishedAs(name);
  const schema = { type: 'object', properties: { request: file.input ?? {} }, required: ['request'] };
  return { name, description: file.description ?? null, fields: formOf(schema, '').map(fromTop) };
}

/** The form's paths begin at the input itself. */
const fromTop = (field: FlowForm['fields'][number]): FlowForm['fields'][number] => ({
  ...field,
  path: field.path.replace(/^\./, ''),
  ...(field.children && { children: field.children.map(fromTop) }),
});

const operationOf = (name: FlowType) =>
  name === 'OnboardAccount' ? ('CreateAccount' as const) : flowRules[name].operation;

const meaningOf = (name: FlowType): string => operationRow(operationOf(name)).meaning;

function builtInSchema(name: FlowType): JsonSchema {
  const { request } = operationRow(operationOf(name));
  const schema = z.toJSONSchema(request, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const properties = { request: described(schema) };
  if (name === 'OnboardAccount') return { type: 'object', properties, required: ['request'] };
  return {
    type: 'object',
    required: ['request'],
    properties: {
      ...properties,
      deadlines: {
        type: 'object',
        title: 'deadlines',
        description: 'How long each stage may take',
        properties: deadlinesOf(name),
      },
      onOverdue: {
        enum: overduePolicies,
        description: 'When a deadline has passed: wait on, or cancel the whole flow',
      },
      waitForLocker: {
        type: 'string',
        format: 'duration',
        description: 'How long to keep trying while no locker is free',
      },
    },
  };
}

function deadlinesOf(name: Exclude<FlowType, 'OnboardAccount'>): JsonSchema {
  const rules: readonly { readonly role: string; readonly stage: string }[] = flowRules[name].deadlines;
  const stage = { type: 'string', format: 'duration' };
  const roles = [...new Set(rules.map(({ role }) => role))];
  return Object.fromEntries(
    roles.map((role) => {
      const own = stages.filter((each) => rules.some((rule) => rule.role === role && rule.stage === each));
      return [role, { type: 'object', properties: Object.fromEntries(own.map((each) => [each, stage])) }];
    }),
  );
}

/** With the meaning of each field, at each depth. */
function described(schema: JsonSchema): JsonSchema {
  const properties = schema.properties as Readonly<Record<string, JsonSchema>> | undefined;
  if (!properties) return schema;
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        { description: fieldMeanings[name], ...described(property) },
      ]),
    ),
  };
}
