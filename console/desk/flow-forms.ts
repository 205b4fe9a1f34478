// What starts a flow, built in or published, as a form.
import { onboardInputSchema, shipmentInputSchema, userSchemas } from '../../contract/flow-schemas/inputs.ts';
import { flowRules } from '../../contract/flows/flow-rules.ts';
import type { FlowType } from '../../contract/flows/flow-types.ts';
import { operationRow } from '../../contract/operations/operations.ts';
import { isBuiltIn } from '../../processes/commands/start.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { FlowForm } from './desk-view.ts';
import { formOf, type JsonSchema } from './form.ts';

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
