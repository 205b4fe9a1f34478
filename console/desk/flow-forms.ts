// The flows that a person can start at the desk, built in and published, each with its input as a form.
import { onboardInputSchema, shipmentInputSchema, userSchemas } from '../../contract/flow-schemas/inputs.ts';
import { flowRules } from '../../contract/flows/flow-rules.ts';
import { type FlowType, flowTypes } from '../../contract/flows/flow-types.ts';
import { operationRow } from '../../contract/operations/operations.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { FlowForm, FlowOffered } from './desk-view.ts';
import { formOf, type JsonSchema } from './form.ts';

export const isBuiltIn = (name: string): name is FlowType => flowTypes.some((each) => each === name);

export async function flowsOffered({ flows }: ConsoleParts): Promise<FlowOffered[]> {
  const published = await flows.published();
  return [
    ...flowTypes.map((name) => ({ name, isPublished: false, description: meaningOf(name) })),
    ...published.map(({ file: { name, meaning } }) => ({ name, isPublished: true, description: meaning })),
  ];
}

/** Throws FlowNotPublished. */
export async function flowForm({ flows }: ConsoleParts, name: string): Promise<FlowForm> {
  if (isBuiltIn(name)) {
    const schema = name === 'OnboardAccount' ? onboardInputSchema() : shipmentInputSchema(flowRules[name]);
    const definitions = userSchemas() as Readonly<Record<string, JsonSchema>>;
    return { name, description: meaningOf(name), fields: formOf(schema as JsonSchema, definitions) };
  }
  const { file } = await flows.publishedAs(name);
  const schema = { type: 'object', properties: { request: file.input ?? {} }, required: ['request'] };
  return { name, description: file.meaning, fields: formOf(schema) };
}

const meaningOf = (name: FlowType): string =>
  operationRow(name === 'OnboardAccount' ? 'CreateAccount' : flowRules[name].operation).meaning;
