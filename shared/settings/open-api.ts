// Reads the OpenAPI document (3.0 or 3.1) of another system: its operations by their ids, with JSON Schemas of draft 2020-12. Only
// what stands in the document itself: nothing is fetched. An operation that cannot be called says why.
import { parse } from 'yaml';

type Data = null | boolean | number | string | readonly Data[] | DataMap;
interface DataMap {
  readonly [key: string]: Data;
}

export interface ApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly isRequired: boolean;
  readonly style: 'simple' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject';
  readonly explode: boolean;
  readonly schema: DataMap;
}

export interface ApiOperation {
  readonly id: string;
  readonly method: string;
  /** With `{name}` for each of its parameters. */
  readonly path: string;
  readonly parameters: readonly ApiParameter[];
  readonly body: {
    readonly contentType: string;
    readonly isRequired: boolean;
    readonly schema: DataMap;
  } | null;
  /** The schemas of JSON answers by status: `200`, `2XX` or `default`. */
  readonly answers: Readonly<Record<string, DataMap>>;
  /** Why nobody can call it here; null: it can be called. */
  readonly problem: string | null;
}

export interface ApiDocument {
  readonly operations: ReadonlyMap<string, ApiOperation>;
  /** What `#/$defs/…` in the schemas names. */
  readonly $defs: DataMap;
  /** The address of its first server, if that is a whole one. */
  readonly address: string | null;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
// Documents refer to parts that refer to parts; a circle of them would never end.
const MAX_REFERENCES = 20;
const DEEPEST_SCHEMA = 100;

/** Throws an Error that says what is wrong. */
export function readOpenApi(text: string): ApiDocument {
  const document = parsed(text);
  const { openapi, swagger, paths } = document;
  if (typeof openapi !== 'string' || !/^3\.[01]\./.test(openapi))
    throw new Error(
      `is no OpenAPI document of version 3.0 or 3.1 (it is ${swagger === undefined ? `version ${String(openapi)}` : `Swagger ${String(swagger)}`}); convert it`,
    );
  const reader = new Reader(document);
  const operations = new Map<string, ApiOperation>();
  for (const [path, item] of Object.entries(mapOf(paths)))
    for (const operation of reader.operationsAt(path, item)) {
      if (operations.has(operation.id)) throw new Error(`has the operation ${operation.id} twice`);
      operations.set(operation.id, operation);
    }
  const $defs = Object.fromEntries(
    Object.entries(mapOf(mapOf(document.components).schemas)).map(([name, schema]) => [
      name,
      reader.schema(schema),
    ]),
  );
  const [server] = listOf(document.servers);
  const { url } = mapOf(server);
  return {
    operations,
    $defs,
    address: typeof url === 'string' && /^https?:\/\/[^{]*$/.test(url) ? url : null,
  };
}

function parsed(text: string): DataMap {
  let data: unknown;
  try {
    data = /^\s*\{/.test(text) ? JSON.parse(text) : parse(text, { logLevel: 'error' });
  } catch {
    throw new Error('is neither YAML nor JSON');
  }
  if (!isMap(data as Data)) throw new Error('is no OpenAPI document: it is no map');
  return data as DataMap;
}

const isMap = (value: Data | undefined): value is DataMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const mapOf = (value: Data | undefined): DataMap => (isMap(value) ? value : {});
const listOf = (value: Data | undefined): readonly Data[] =>
  Array.isArray(value) ? (value as readonly Data[]) : [];

class Reader {
  readonly #document: DataMap;

  constructor(document: DataMap) {
    this.#document = document;
  }

  operationsAt(path: string, given: Data): ApiOperation[] {
    const item = this.#resolved(given);
    return METHODS.flatMap((method) => {
      const operation = mapOf(item[method]);
      const { operationId } = operation;
      if (typeof operationId !== 'string' || operationId === '') return [];
      return [this.#operation(operationId, { method: method.toUpperCase(), path, item, operation })];
    });
  }

  #operation(
    id: string,
    { method, path, item, operation }: { method: string; path: string; item: DataMap; operation: DataMap },
  ): ApiOperation {
    const given = this.#parameters([...listOf(item.parameters), ...listOf(operation.parameters)]);
    const read = given.map(parameterOf.bind(null, this));
    const parameters = read.flatMap((each) => (typeof each === 'string' ? [] : (each ?? [])));
    const body = this.#body(operation.requestBody);
    const twice = parameters.find(
      ({ name }, index) => parameters.findIndex((each) => each.name === name) < index,
    );
    const problems = [
      ...read.filter((each) => typeof each === 'string'),
      ...(typeof body === 'string' ? [body] : []),
      ...(twice ? [`it has two parameters named ${twice.name}`] : []),
      ...[...path.matchAll(/\{([^}]*)\}/g)].flatMap(([, name]) =>
        parameters.some((each) => each.in === 'path' && each.name === name)
          ? []
          : [`its path has {${name}}, which is none of its parameters`],
      ),
    ];
    return {
      id,
      method,
      path,
      parameters,
      answers: this.#answers(operation.responses),
      body: typeof body === 'string' ? null : body,
      problem: problems[0] ?? null,
    };
  }

  /** Those of the operation come before those of its path. */
  #parameters(given: readonly Data[]): DataMap[] {
    const all = given.map((each) => this.#resolved(each)).toReversed();
    return all.filter(
      (each, index) => all.findIndex((other) => other.name === each.name && other.in === each.in) === index,
    );
  }

  #body(given: Data | undefined): ApiOperation['body'] | string {
    if (given === undefined) return null;
    const { content, required } = this.#resolved(given);
    const types = Object.keys(mapOf(content));
    const contentType = types.find(isJson);
    if (contentType === undefined)
      return required === true ? `its body is ${types.join(' or ') || 'not described'}, not JSON` : null;
    const { schema } = this.#resolved(mapOf(content)[contentType] ?? null);
    return {
      contentType: contentType.includes('*') ? 'application/json' : contentType,
      isRequired: required === true,
      schema: this.schema(schema ?? {}),
    };
  }

  #answers(given: Data | undefined): Record<string, DataMap> {
    return Object.fromEntries(
      Object.entries(mapOf(given)).flatMap(([status, each]) => {
        if (!/^2(?:\d\d|XX)$/.test(status) && status !== 'default') return [];
        const content = mapOf(this.#resolved(each).content);
        const type = Object.keys(content).find(isJson);
        const { schema } = type === undefined ? {} : this.#resolved(content[type] ?? null);
        return schema === undefined ? [] : [[status, this.schema(schema)]];
      }),
    );
  }

  /** With what a reference names in the place of the reference. */
  #resolved(given: Data): DataMap {
    let found = mapOf(given);
    for (let count = 0; typeof found.$ref === 'string' && count < MAX_REFERENCES; count++)
      found = mapOf(this.#at(found.$ref));
    return typeof found.$ref === 'string' ? {} : found;
  }

  /** RFC 6901. What another document has is not known. */
  #at(reference: string): Data {
    if (!reference.startsWith('#/')) return null;
    const keys = reference
      .slice(2)
      .split('/')
      .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'));
    return keys.reduce<Data>((at, key) => {
      if (Array.isArray(at)) return (at as readonly Data[])[Number(key)] ?? null;
      return isMap(at) && Object.hasOwn(at, key) ? (at[key] ?? null) : null;
    }, this.#document);
  }

  /** As draft 2020-12 has it. What is not known of it allows anything. */
  schema(given: Data, level = 0): DataMap {
    if (!isMap(given) || level > DEEPEST_SCHEMA) return given === false ? { not: {} } : {};
    const { $ref } = given;
    if (typeof $ref === 'string') {
      const [, name] = /^#\/components\/schemas\/([^/]+)$/.exec($ref) ?? [];
      // A part within another part, in this document: it is written out, as deep as the limit allows.
      const target =
        name === undefined ? this.schema(this.#at($ref), level + 10) : { $ref: `#/$defs/${name}` };
      return given.nullable === true ? { anyOf: [target, { type: 'null' }] } : target;
    }
    const inner = (value: Data): Data => this.schema(value, level + 1);
    const parts = Object.entries(given).flatMap(([key, value]): [string, Data][] => {
      if (mapsOfSchemas.includes(key) && isMap(value))
        return [[key, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inner(each)]))]];
      if (listsOfSchemas.includes(key) && Array.isArray(value)) return [[key, listOf(value).map(inner)]];
      if (schemas.includes(key)) return [[key, typeof value === 'boolean' ? value : inner(value)]];
      return plainKeywords.includes(key) ? [[key, value]] : [];
    });
    return withoutOldForms(Object.fromEntries(parts), given);
  }
}

const mapsOfSchemas = ['properties'];
const listsOfSchemas = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const schemas = ['items', 'not', 'additionalProperties'];
/** All that is checked; the rest describes, or could make a check long. */
const plainKeywords = [
  ...['type', 'enum', 'const', 'required', 'pattern', 'minLength', 'maxLength'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems'],
];

/** What 3.0 writes in another way than 3.1; and fields of one direction, which the other one does not have. */
function withoutOldForms(schema: DataMap, given: DataMap): DataMap {
  const { exclusiveMinimum, exclusiveMaximum, minimum, maximum, type, required, ...rest } = schema;
  const properties = mapOf(given.properties);
  const isOneWay = (name: Data) => {
    const { readOnly, writeOnly } = mapOf(properties[String(name)]);
    return readOnly === true || writeOnly === true;
  };
  const isNullable = given.nullable === true;
  return {
    ...rest,
    ...boundOf('minimum', minimum, exclusiveMinimum),
    ...boundOf('maximum', maximum, exclusiveMaximum),
    ...(required !== undefined && { required: listOf(required).filter((name) => !isOneWay(name)) }),
    ...(type !== undefined && { type: isNullable ? [...[type].flat(), 'null'] : type }),
    ...(isNullable && Array.isArray(rest.enum) && { enum: [...listOf(rest.enum), null] }),
  };
}

function boundOf(name: 'minimum' | 'maximum', bound: Data | undefined, exclusive: Data | undefined): DataMap {
  const own = `exclusive${name[0]?.toUpperCase()}${name.slice(1)}`;
  if (exclusive === true) return bound === undefined ? {} : { [own]: bound };
  return {
    ...(bound !== undefined && { [name]: bound }),
    ...(typeof exclusive === 'number' && { [own]: exclusive }),
  };
}

const isJson = (type: string): boolean => /^(?:application\/(?:[\w.-]+\+)?json|\*\/\*)(?:;|$)/i.test(type);

/** The worker makes these itself; OpenAPI says of the first three that they are no parameters. */
const ownHeaders =
  /^(?:accept|content-type|authorization|host|connection|content-length|transfer-encoding|idempotency-key|cookie)$/i;

const styles: Readonly<Record<ApiParameter['in'], readonly string[]>> = {
  path: ['simple'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
};

/** Null: it is not sent. A text: why the operation cannot be called. */
function parameterOf(reader: Reader, given: DataMap): ApiParameter | string | null {
  const { name, in: place, required, schema, content } = given;
  const isRequired = required === true || place === 'path';
  const cannot = (why: string) => (isRequired ? why : null);
  if (typeof name !== 'string') return 'one of its parameters has no name';
  if (place !== 'path' && place !== 'query' && place !== 'header')
    return cannot(`its parameter ${name} is in ${String(place)}, not in path, query or header`);
  if (place === 'header' && ownHeaders.test(name)) return null;
  if (content !== undefined) return cannot(`its parameter ${name} is a document of its own`);
  const { style = place === 'query' ? 'form' : 'simple', explode = style === 'form' } = given;
  if (!styles[place].includes(String(style)))
    return cannot(`its parameter ${name} has the style ${String(style)}`);
  return {
    name,
    in: place,
    isRequired,
    style: style as ApiParameter['style'],
    explode: explode === true,
    schema: reader.schema(schema ?? {}),
  };
}

export const parametersSchema = ({ parameters }: ApiOperation): DataMap => ({
  type: 'object',
  properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
  required: parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  additionalProperties: false,
});

/** Whether one of the entries of `allow` is the operation, or a place where it may lead. */
export const allowsOperation = (allow: readonly string[], { id, method, path }: ApiOperation): boolean =>
  allow.some((entry) => {
    const [methods = '', pattern] = entry.split(' ');
    return pattern === undefined
      ? entry === id
      : methods.split(',').includes(method) && mayMatch(pattern, path);
  });

function mayMatch(pattern: string, path: string): boolean {
  const [wanted, parts] = [pattern, path].map((each) => each.split('/').slice(1)) as [string[], string[]];
  const isOpen = wanted.at(-1) === '**';
  const fixed = isOpen ? wanted.slice(0, -1) : wanted;
  if (isOpen ? parts.length < fixed.length : parts.length !== fixed.length) return false;
  return fixed.every((each, index) => each === '*' || each === parts[index] || parts[index]?.includes('{'));
}
