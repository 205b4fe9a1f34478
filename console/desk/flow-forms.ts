// What starts a flow, built in or published, as a form.
import { flowRulesOf, flowRulesOfOperation } from '../../contract/flows/flow-rules.ts';
import { isMap, type Json } from '../../flows/language/flow-file.ts';
import { operationOfWhole } from '../../flows/language/whole-process.ts';
import { meaningOf } from '../../processes/views/flow-meanings.ts';
import type { RegisteredFlow } from '../../processes/views/flow-registry.ts';
import { schemasOf } from '../../processes/views/flow-schemas.ts';
import { formatFlowName } from '../../processes/views/format-names.ts';
import type { FlowForm } from './desk-view.ts';
import { formOf, type JsonSchema, meaningfulNames } from './form.ts';

/** Its prior shipment, which another flow has booked, comes back; that of every other operation is in stock. */
const takesIntake = (operation: string | undefined): boolean =>
  flowRulesOfOperation(operation ?? '')?.ofOthers?.includes('intake') ?? false;

/** @param isClockAhead whether a process may go by a sandbox's clock that is not the real time */
export function flowForm(flow: RegisteredFlow, isClockAhead: boolean): FlowForm {
  const { name, file } = flow;
  const { $defs = {}, ...schema } = schemasOf(flow).input as JsonSchema;
  // Also one that may be left out is the form itself, and no part of it to be opened.
  const all = formOf(
    { ...schema, required: ['request'] },
    {
      definitions: $defs as Readonly<Record<string, JsonSchema>>,
      uses: usesIn(file),
      takesIntake: takesIntake(operationOfWhole(file)),
    },
  );
  const fields = all.filter(({ path }) => isClockAhead || path !== 'clock');
  const title = file.title ?? formatFlowName(name);
  return { name, title, description: meaningOf(flow), fields };
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

function look(value: unknown, name: string, operation: string | undefined, visit: Visit): void {
  if (typeof value === 'string') {
    const [, path] = WHOLE.exec(value) ?? [];
    if (path !== undefined && meaningfulNames.has(name)) visit(path, meantBy(name, operation));
  }
  if (typeof value !== 'object' || value === null) return;
  const of = 'src' in value ? operationOfInvoke(value) : operation;
  for (const [inner, each] of Object.entries(value)) look(each, inner, of, visit);
}

interface Invoke {
  readonly src?: unknown;
  readonly input?: Json;
}

/** By which it books. */
function operationOfInvoke({ src, input }: Invoke): string | undefined {
  if (src !== 'book') return flowRulesOf(String(src))?.operation;
  return isMap(input) ? String(input.operation) : undefined;
}

const meantBy = (name: string, operation: string | undefined): string =>
  name === 'priorShipmentUid' && takesIntake(operation) ? 'intakeShipmentUid' : name;
