// What starts a flow, built in or published, as a form.
import { onboardInputJson, shipmentInputJson, userSchemas } from '../../contract/flow-schemas/inputs.ts';
import { flowRules } from '../../contract/flows/flow-rules.ts';
import { flowMeaning } from '../../processes/views/flow-meanings.ts';
import type { RegisteredFlow } from '../../processes/views/flow-registry.ts';
import { formatFlowName } from '../../processes/views/format-names.ts';
import type { FlowForm } from './desk-view.ts';
import { formOf, type JsonSchema, meaningfulNames } from './form.ts';

/** Its prior shipment comes back; that of every other flow is in stock. */
const TAKES_INTAKE = 'StockAfterSwapIntake';

/**
 * The input of a shipped flow is the contract's, which its file does not have.
 * @param isClockAhead whether a process may go by a sandbox's clock that is not the real time
 */
export function flowForm(flow: RegisteredFlow, isClockAhead: boolean): FlowForm {
  if (flow.kind === 'shipped') {
    const { name } = flow;
    const schema = name === 'OnboardAccount' ? onboardInputJson() : shipmentInputJson(flowRules[name]);
    const definitions = userSchemas() as Readonly<Record<string, JsonSchema>>;
    const all = formOf(schema as JsonSchema, { definitions, takesIntake: name === TAKES_INTAKE });
    const fields = all.filter(({ path }) => isClockAhead || path !== 'clock');
    return { name, title: formatFlowName(name), description: flowMeaning(name), fields };
  }
  const { name, file } = flow;
  const schema = { type: 'object', properties: { request: file.input ?? {} }, required: ['request'] };
  const title = typeof file.title === 'string' ? file.title : formatFlowName(name);
  return { name, title, description: file.meaning, fields: formOf(schema, { uses: usesIn(file) }) };
}

/** A value that is passed on whole: `${input.item}`. */
const WHOLE = /^\$\{\s*input\.([\w.]+)\s*\}$/;

/** `priorShipmentUid: "${input.item}"` says that the field `request.item` is an item in stock. */
export function usesIn(file: object): ReadonlyMap<string, string> {
  const uses = new Map<string, string>();
  look(file, '', undefined, (path, name) => uses.set(`request.${path}`, name));
  return uses;
}

type Visit = (path: string, name: string) => void;

function look(value: unknown, name: string, src: unknown, visit: Visit): void {
  if (typeof value === 'string') {
    const [, path] = WHOLE.exec(value) ?? [];
    if (path !== undefined && meaningfulNames.has(name)) visit(path, meantBy(name, src));
  }
  if (typeof value !== 'object' || value === null) return;
  const of = 'src' in value ? value.src : src;
  for (const [inner, each] of Object.entries(value)) look(each, inner, of, visit);
}

const meantBy = (name: string, src: unknown): string =>
  name === 'priorShipmentUid' && src === TAKES_INTAKE ? 'intakeShipmentUid' : name;
