// The input of a flow, from JSON and from options; an option overrides the JSON. The contract checks it; this file only
// puts each field in its place in the flow's operation.
import { flowRules } from '../../contract/flows/flow-rules.ts';
import { type FlowType, flowTypes } from '../../contract/flows/flow-types.ts';
import type { JsonSchema } from '../../contract/openapi/schemas.ts';
import { operationRow } from '../../contract/operations/operations.ts';
import type { ContractError } from '../../contract/wire/errors.ts';
import { type CommandFailed, wrongUse } from '../../shared/terminal/exit-codes.ts';
import type { FlowFileStart } from '../flow-files/flow-file-handle.ts';
import { schemasOfBuiltIn } from '../flow-schemas.ts';

export interface StartOptions {
  readonly pupUid?: string;
  readonly toUserUid?: string;
  readonly fromUserUid?: string;
  readonly priorShipmentUid?: string;
  readonly lockerUid?: string;
  readonly dimension?: string;
  readonly allowLargerLockers?: true;
  readonly allowOverflowLockers?: true;
  readonly keepBookedAfterPickUp?: true;
  readonly referenceNo?: string;
  readonly referenceCaseNo?: string;
  readonly description?: string;
  readonly set?: readonly string[];
  readonly deadline?: readonly string[];
  readonly onOverdue?: string;
  readonly clock?: string;
}

type Fields = Record<string, unknown>;

/** The error of a wrong input, with the option beside each field that has one. */
export function inOptions({ issues }: ContractError): CommandFailed {
  const all = issues.map(({ field, message }) => {
    const option = optionOf(field);
    const named = option === undefined ? field : `${option} (${field})`;
    return named === '' ? message : `${named}: ${message}`;
  });
  return wrongUse(all.join('; '));
}

const optionOf = (field: string): string | undefined =>
  optionFields.find(([name]) => field === name || field.startsWith(`${name}.`))?.[1];

/** In any case. */
export const isBuiltIn = (name: string): boolean =>
  flowTypes.some((each) => each.toLowerCase() === name.toLowerCase());

export function asFlowType(name: string): FlowType {
  const type = flowTypes.find((each) => each.toLowerCase() === name.toLowerCase());
  if (!type) throw wrongUse(`there is no flow ${name}; expected one of ${flowTypes.join(', ')}`);
  return type;
}

export function startInput(type: FlowType, given: unknown, options: StartOptions): Fields {
  if (!isFields(given)) throw wrongUse('the input must be a JSON object, like { "request": { … } }');
  const operation = type === 'OnboardAccount' ? 'CreateAccount' : flowRules[type].operation;
  const shape: ReadonlySet<string> = new Set(Object.keys(operationRow(operation).request.shape));
  const input: Fields = structuredClone(given);
  // The interface requires these; without the option, the caller has not permitted it.
  const request = isFields(input.request) ? input.request : {};
  for (const name of permissions) if (shape.has(name)) request[name] ??= false;
  input.request = request;
  const { input: schema } = schemasOfBuiltIn(type);
  const set = (options.set ?? []).map((pair) => assignment(pair, schema));
  for (const [path, value] of [...fieldsOf(options, shape), ...set]) setAt(input, path, value);
  return input;
}

/** A JSON input with the values of `--set`, for a flow that takes what the schema says. */
function setFields(given: unknown, pairs: readonly string[], schema: JsonSchema): Fields {
  if (!isFields(given)) throw wrongUse('the input must be a JSON object, like { "request": { … } }');
  const input: Fields = structuredClone(given);
  for (const [path, value] of pairs.map((pair) => assignment(pair, schema))) setAt(input, path, value);
  return input;
}

/** A field of the input, and its value. */
type Assignment = readonly [path: readonly string[], value: unknown];

/** Only given options: an absent option does not change the input. */
function fieldsOf(options: StartOptions, shape: ReadonlySet<string>): Assignment[] {
  const all: Assignment[] = [
    ...plainFields.map((name): Assignment => [['request', name], options[name]]),
    ...detailFields.map((name): Assignment => [['request', ...detailPath(shape, name)], options[name]]),
    [['request', 'dimension'], dimension(options.dimension)],
    [['onOverdue'], options.onOverdue],
    [['clock'], options.clock],
    ...(options.deadline ?? []).map(deadline),
  ];
  return all.filter(([, value]) => value !== undefined);
}

const permissions = ['allowLargerLockers', 'allowOverflowLockers', 'keepBookedAfterPickUp'] as const;

const plainFields = [
  'pupUid',
  'toUserUid',
  'fromUserUid',
  'priorShipmentUid',
  'lockerUid',
  ...permissions,
] as const satisfies readonly (keyof StartOptions)[];

/** The fields of the input that have an option of their own. */
const optionFields: readonly (readonly [field: string, option: string])[] = [
  ...[...plainFields, 'dimension'].map((name) => [`request.${name}`, dashed(name)] as const),
  ...['onOverdue', 'clock'].map((name) => [name, dashed(name)] as const),
  ['key', '--key'],
  ['deadlines', '--deadline'],
];

const detailFields = ['referenceNo', 'referenceCaseNo', 'description'] as const;

/** Where the operation has a detail: directly, or in the details of the shipments that it creates. */
function detailPath(shape: ReadonlySet<string>, name: (typeof detailFields)[number]): string[] {
  if (shape.has(name)) return [name];
  if (shape.has('details')) return ['details', name];
  return shape.has('issue') && name === 'referenceCaseNo' ? ['issue', name] : ['details', name];
}

function dimension(text: string | undefined): Fields | undefined {
  if (text === undefined) return undefined;
  const sides = text.split('x').map(Number);
  const [width, height, length] = sides;
  if (sides.length !== 3 || sides.some((side) => !(side > 0)))
    throw wrongUse(
      `--dimension ${text} is not a dimension; expected width x height x length in centimeters, like 20x10x30`,
    );
  return { width, height, length };
}

function deadline(pair: string): Assignment {
  const [, role, stage, duration] = /^(\w+)\.(\w+)=(\S+)$/.exec(pair) ?? [];
  if (!role || !stage || !duration)
    throw wrongUse(
      `--deadline ${pair} is not a deadline; expected role.stage=duration, like issue.pickUp=P3D`,
    );
  return [['deadlines', role, stage], duration];
}

// Everything else is what the flow takes there: digits are a number, or a text such as a reference number.
const JSON_VALUE = /^(true|false|null|[[{"].*)$/s;

/** `path=value`; an object, a list, a quoted text, true, false and null are JSON. */
function assignment(pair: string, schema: JsonSchema): Assignment {
  const at = pair.indexOf('=');
  if (at < 1)
    throw wrongUse(`--set ${pair} sets nothing; expected path=value, like request.return.referenceNo=R-7`);
  const path = pair.slice(0, at).split('.');
  const value = pair.slice(at + 1);
  if (!JSON_VALUE.test(value)) return [path, typedAt(path, value, schema)];
  try {
    return [path, JSON.parse(value)];
  } catch {
    throw wrongUse(`--set ${pair}: the value begins like JSON and is not JSON; write a text as path='"…"'`);
  }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** As an option: --pup-uid for pupUid. */
export function dashed(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

const own: ReadonlySet<string> = new Set(['set', 'input', 'key', 'wait', 'dryRun', 'clock']);

export function publishedInput(given: unknown, options: StartOptions, schema: JsonSchema): FlowFileStart {
  const foreign = Object.keys(options).filter((name) => !own.has(name));
  if (foreign.length > 0)
    throw wrongUse(
      `a published flow takes no ${foreign.map(dashed).join(', ')}; give its fields by --set request.<field>=<value>`,
    );
  const input = setFields(given, options.set ?? [], schema);
  return (options.clock === undefined ? input : { ...input, clock: options.clock }) as FlowFileStart;
}

/** Makes the maps around it that are not there yet. */
function setAt(fields: Fields, path: readonly string[], value: unknown): void {
  const [name = '', ...rest] = path;
  // Defined, not assigned: so a field named __proto__ is an ordinary field, and refused as unknown.
  const put = (item: unknown) =>
    Object.defineProperty(fields, name, {
      value: item,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  if (rest.length === 0) return void put(value);
  const before = Object.hasOwn(fields, name) ? fields[name] : undefined;
  const inner = isFields(before) ? before : {};
  put(inner);
  setAt(inner, rest, value);
}

/** A text as the flow wants it there: a number, where it takes no text. What does not fit stays a text, and is refused as that. */
const typedAt = (path: readonly string[], text: string, schema: JsonSchema): unknown =>
  typed(text, schemaAt(schema, path, schema.$defs ?? {}));

type Definitions = NonNullable<JsonSchema['$defs']>;

/** Undefined where nothing is said of it. */
function schemaAt(
  schema: JsonSchema | undefined,
  [name, ...rest]: readonly string[],
  $defs: Definitions,
): JsonSchema | undefined {
  const known = resolved(schema, $defs);
  if (name === undefined) return known;
  const { properties, anyOf, oneOf, allOf } = (known ?? {}) as Record<string, unknown>;
  const own = (properties as Record<string, JsonSchema> | undefined)?.[name];
  if (own) return schemaAt(own, rest, $defs);
  const branches = [anyOf, oneOf, allOf].flatMap((each) => (each as JsonSchema[] | undefined) ?? []);
  for (const branch of branches) {
    const found = schemaAt(branch, [name, ...rest], $defs);
    if (found) return found;
  }
  return undefined;
}

function resolved(schema: JsonSchema | undefined, $defs: Definitions): JsonSchema | undefined {
  const { $ref } = (schema ?? {}) as { readonly $ref?: string };
  return $ref === undefined ? schema : resolved($defs[$ref.slice($ref.lastIndexOf('/') + 1)], $defs);
}

function typed(cell: string, schema: JsonSchema | undefined): unknown {
  const { type, anyOf = [] } = (schema ?? {}) as { readonly type?: unknown; readonly anyOf?: JsonSchema[] };
  const types = [type, ...anyOf.map((each) => (each as { readonly type?: unknown }).type)].flat();
  if (types.includes('string') || types.every((each) => each === undefined)) return cell;
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}
