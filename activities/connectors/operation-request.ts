// A call of an operation of an OpenAPI document: its input is checked against the schemas there, and placed in path, query, headers
// and body as the document says; and its answer is checked. Validators are made when an operation is first called.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';
import type { Json, JsonObject } from '../../flows/language/flow-file.ts';
import { nearestOf } from '../../flows/language/nearest-names.ts';
import type { Connector } from '../../shared/settings/connectors.ts';
import {
  type ApiDocument,
  type ApiOperation,
  type ApiParameter,
  parametersSchema,
} from '../../shared/settings/open-api.ts';

export interface OperationCall {
  readonly operation: string;
  readonly parameters?: Json;
  readonly body?: Json;
}

export interface OperationRequest {
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json | undefined;
  readonly contentType: string;
}

/** Throws a TypeError that says what is wrong with the call. */
export function operationRequest(
  { api, name }: Connector,
  { operation: id, parameters: given = {}, body }: OperationCall,
): OperationRequest {
  const operation = operationNamed(api, name, id);
  const parameters = parametersGiven(given ?? {});
  const checks = checksOf(api as ApiDocument, operation);
  mustFit(id, 'parameters', checks.parameters, parameters);
  if (body === undefined && operation.body?.isRequired) throw new TypeError(`${id}: body is missing`);
  if (body !== undefined && !operation.body) throw new TypeError(`${id} takes no body`);
  if (body !== undefined) mustFit(id, 'body', checks.body, body);
  const placed = operation.parameters.flatMap((each): Placed[] => {
    const value = parameters[each.name];
    return value === undefined ? [] : [{ ...each, value }];
  });
  return {
    method: operation.method,
    path: placed
      .filter((each) => each.in === 'path')
      .reduce((path, each) => path.replaceAll(`{${each.name}}`, () => pathPart(each)), operation.path),
    query: placed.filter((each) => each.in === 'query').flatMap(queryOf),
    headers: Object.fromEntries(
      placed.filter((each) => each.in === 'header').map((each) => [each.name.toLowerCase(), headerOf(each)]),
    ),
    body,
    contentType: operation.body?.contentType ?? 'application/json',
  };
}

/** What is wrong with an answer of success, in words; undefined if nothing is, or nothing is known of it. */
export function answerProblem(
  api: ApiDocument,
  id: string,
  { status, body }: { readonly status: number; readonly body: unknown },
): string | undefined {
  const operation = api.operations.get(id);
  if (!operation) return undefined;
  const { answers } = operation;
  const key = [String(status), '2XX', 'default'].find((each) => Object.hasOwn(answers, each));
  // A status that the document does not name may have no body.
  if (key === undefined || body === null) return undefined;
  const validate = checksOf(api, operation).answer(key);
  return !validate || validate(body) ? undefined : problemOf(validate, 'body');
}

function operationNamed(api: ApiDocument | null, connector: string, id: string): ApiOperation {
  if (!api)
    throw new TypeError('the connector has no openapi, so no call has an operation; give method and path');
  const operation = api.operations.get(id);
  if (!operation) {
    const near = nearestOf(id, [...api.operations.keys()]);
    throw new TypeError(
      `${id} is not an operation of the OpenAPI document of ${connector}${near === undefined ? '' : `; perhaps ${near} was meant`}`,
    );
  }
  if (operation.problem !== null) throw new TypeError(`${id} cannot be called: ${operation.problem}`);
  return operation;
}

/** Null is as if it were not there. */
function parametersGiven(given: Json): JsonObject {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new TypeError('parameters must be a map');
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}

function mustFit(id: string, what: string, validate: ValidateFunction | null, value: Json): void {
  // What is coerced is a copy: a number may be given as a text, which is what is sent.
  if (!validate || validate(structuredClone(value))) return;
  throw new TypeError(`${id}: ${problemOf(validate, what)}`);
}

function problemOf({ errors }: ValidateFunction, what: string): string {
  const { instancePath = '', message = 'is wrong', keyword, params } = errors?.[0] ?? {};
  const place = `${what}${instancePath.replaceAll('/', '.')}`;
  if (keyword === 'additionalProperties')
    return `${place}.${String(params?.additionalProperty)} is not known`;
  const values = keyword === 'enum' ? `: ${[params?.allowedValues].flat().join(', ')}` : '';
  return `${place} ${message}${values}`;
}

interface Checks {
  readonly parameters: ValidateFunction | null;
  readonly body: ValidateFunction | null;
  answer(status: string): ValidateFunction | null;
}

const made = new WeakMap<ApiOperation, Checks>();

function checksOf(api: ApiDocument, operation: ApiOperation): Checks {
  const known = made.get(operation);
  if (known) return known;
  const { body, answers } = operation;
  const byStatus = new Map<string, ValidateFunction | null>();
  const checks: Checks = {
    parameters: compiled(parametersSchema(operation), api, { coerceTypes: true }),
    body: body && compiled(body.schema, api),
    answer(status) {
      if (!byStatus.has(status)) byStatus.set(status, compiled(answers[status] ?? {}, api));
      return byStatus.get(status) ?? null;
    },
  };
  made.set(operation, checks);
  return checks;
}

/** Null for a schema that is wrong itself: nothing is checked by it. */
function compiled(
  schema: object,
  { $defs }: ApiDocument,
  options: { readonly coerceTypes?: boolean } = {},
): ValidateFunction | null {
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    validateSchema: false,
    validateFormats: false,
    addUsedSchema: false,
    code: { regExp: linearPattern },
    ...options,
  });
  try {
    return ajv.compile({ ...schema, $defs });
  } catch {
    return null;
  }
}

// Characters. A pattern is for names and numbers; the time of a match grows with the text.
const LONGEST_MATCHED = 1_000;

/** JavaScript's own could take hours for a short text. One that needs more than linear time is not checked. */
const linearPattern = Object.assign(
  (pattern: string) => {
    const match = matcherOf(pattern);
    return { test: (text: string) => text.length > LONGEST_MATCHED || !match || match.test(text) };
  },
  { code: 'linearPattern' },
) as never;

function matcherOf(pattern: string): RE2JS | null {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch {
    return null;
  }
}

type Placed = ApiParameter & { readonly value: Json };

function pathPart({ name, value }: Placed): string {
  const text = joined(value, ',', name);
  if (text === '') throw new TypeError(`parameters.${name} is empty, and stands in the path`);
  return encodeURIComponent(text);
}

function headerOf({ name, value }: Placed): string {
  const text = joined(value, ',', name);
  if (/^[\x20-\x7e]{0,1000}$/.test(text)) return text;
  throw new TypeError(`parameters.${name} must be at most 1000 visible ASCII characters: it is a header`);
}

const delimiters: Readonly<Record<string, string>> = { form: ',', spaceDelimited: ' ', pipeDelimited: '|' };

function queryOf({ name, value, style, explode }: Placed): (readonly [string, string])[] {
  if (Array.isArray(value))
    return explode
      ? (value as Json[]).map((each) => [name, plainText(each, name)] as const)
      : [[name, joined(value, delimiters[style] ?? ',', name)]];
  if (typeof value !== 'object' || value === null) return [[name, plainText(value, name)]];
  const fields = Object.entries(value);
  if (style === 'deepObject')
    return fields.map(([key, each]) => [`${name}[${key}]`, plainText(each, name)] as const);
  if (explode) return fields.map(([key, each]) => [key, plainText(each, name)] as const);
  return [[name, fields.flatMap(([key, each]) => [key, plainText(each, name)]).join(',')]];
}

const joined = (value: Json, delimiter: string, name: string): string =>
  Array.isArray(value)
    ? (value as Json[]).map((each) => plainText(each, name)).join(delimiter)
    : plainText(value, name);

function plainText(value: Json, name: string): string {
  if (typeof value === 'object')
    throw new TypeError(`parameters.${name} must hold texts, numbers, true or false`);
  return String(value);
}
