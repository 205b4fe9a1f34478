// What the OpenAPI document says of the flows of this installation: the body that starts each, its process and its result, with
// an example. Built-in flows are described by the contract, published ones by their files.

import { FlowNotPublished } from '../../client/flow-files/flow-not-published.ts';
import { flowSchemas } from '../../contract/flow-schemas/flow-schemas.ts';
import { flowRules } from '../../contract/flows/flow-rules.ts';
import { type FlowType, flowTypes } from '../../contract/flows/flow-types.ts';
import type { JsonSchema, Schemas } from '../../contract/openapi/schemas.ts';
import { examples } from '../../contract/operations/examples.ts';
import type { JsonObject } from '../../flow-files/flow-file.ts';
import type { Published } from '../../flow-files/registry.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { ConsoleRefusal } from '../refusal.ts';
import { askedTemporal } from '../temporal-asked.ts';
import { exampleOf } from './example-of.ts';
import { newKey } from './fields.ts';
import { schemaOf } from './schema-of.ts';

/** Another console, or the command line, may publish too. */
const CURRENT_FOR_MS = 5_000;

export interface FlowSchemas {
  readonly start: JsonSchema;
  readonly progress: JsonSchema;
  readonly result: JsonSchema | null;
  readonly example: Readonly<Record<string, unknown>>;
}

const key = schemaOf(newKey, 'input');

const described = flowSchemas().$defs as Readonly<Record<string, JsonSchema>>;

/** References within the document of the flows, as those of the OpenAPI document. */
function placed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(placed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === '$ref' && typeof inner === 'string'
        ? inner.replace('#/$defs/', '#/components/schemas/')
        : placed(inner),
    ]),
  );
}

const placedSchema = (name: string): JsonSchema => {
  const { title: _, ...schema } = placed(described[name] ?? {}) as JsonSchema;
  return schema;
};

/** Accounts in the place of uids: several flows refer to them. */
const sharedSchemas: Schemas = Object.fromEntries(
  ['User', 'UserAtPickUpPointOfBooking'].map((name) => [name, placedSchema(name)]),
);

/** The input of a flow, with the flow and the key beside its fields. */
function startSchema(flow: string, input: JsonSchema): JsonSchema {
  return {
    ...input,
    title: `${flow}Start`,
    required: ['flow', 'key', ...(input.required ?? [])],
    properties: { flow: { type: 'string', const: flow, enum: [flow] }, key, ...input.properties },
  };
}

function ofBuiltIn(flow: FlowType): FlowSchemas {
  const operation = flow === 'OnboardAccount' ? 'CreateAccount' : flowRules[flow].operation;
  const { request } = examples[operation];
  return {
    start: startSchema(flow, placedSchema(`${flow}.input`)),
    progress: placedSchema(`${flow}.progress`),
    result: placedSchema(`${flow}.result`),
    example: { flow, key: 'order-1042', request },
  };
}

const builtIn: ReadonlyMap<string, FlowSchemas> = new Map(flowTypes.map((flow) => [flow, ofBuiltIn(flow)]));

/** What every process of a flow file says of itself. */
const fileProgress: JsonSchema = {
  type: 'object',
  required: ['flow', 'version', 'phase', 'activity', 'awaits', 'state', 'events', 'questions'],
  properties: {
    flow: { type: 'string' },
    version: { type: 'integer' },
    phase: { type: 'string', enum: ['Open', 'NeedsPerson'] },
    activity: { type: 'string', enum: ['Running', 'NeedsPerson', 'Ended'] },
    awaits: {
      type: 'array',
      items: {
        type: 'object',
        required: ['kind', 'words'],
        properties: { kind: { type: 'string' }, words: { type: 'string' } },
      },
      description:
        'What it waits for, the most urgent first: its kind, words for people, and what belongs to the kind',
    },
    state: { description: 'Where it is in its chart, as xstate says it' },
    tags: { type: 'array', items: { type: 'string' } },
    events: { type: 'array', items: { type: 'string' }, description: 'Those that it takes now' },
    questions: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'of', 'question', 'fields', 'askedAt', 'until'],
        properties: {
          id: { type: 'string' },
          of: { type: 'string' },
          question: { type: 'string' },
          fields: { type: 'object', additionalProperties: { type: 'object' } },
          askedAt: { type: 'string' },
          until: { type: ['string', 'null'] },
        },
      },
    },
    output: { description: 'The result of one that has ended' },
  },
};

function ofFile({ file }: Pick<Published, 'file'>): FlowSchemas {
  const { name, meaning, input } = file;
  const request = (input ?? { type: 'object' }) as JsonSchema;
  const isNeeded = request.required !== undefined && request.required.length > 0;
  const start = startSchema(name, {
    type: 'object',
    description: meaning,
    properties: {
      request,
      clock: { enum: ['sandbox', null], description: 'Only where the locker service is in staging' },
    },
    ...(isNeeded && { required: ['request'] }),
    additionalProperties: false,
  } as JsonSchema);
  const example = { flow: name, key: 'order-1042', request: exampleOf(request as JsonObject) };
  return { start, progress: { $ref: '#/components/schemas/ProgressOfFlowFile' }, result: null, example };
}

export interface InstalledFlow extends FlowSchemas {
  readonly flow: string;
}

export class FlowDocument {
  readonly #parts: ConsoleParts;
  #published: { readonly at: number; readonly flows: Promise<readonly Published[]> } | undefined;

  constructor(parts: ConsoleParts) {
    this.#parts = parts;
  }

  /** A flow file was published: the next reading looks anew. */
  changed(): void {
    this.#published = undefined;
  }

  async schemasOf(flow: string): Promise<Pick<FlowSchemas, 'start' | 'result' | 'example'>> {
    const { start, result, example } = builtIn.get(flow) ?? ofFile(await this.publishedAs(flow));
    return { start, result, example };
  }

  /** The built-in ones first. */
  async installed(): Promise<InstalledFlow[]> {
    const files = (await this.#files()).filter(({ file }) => !builtIn.has(file.name));
    return [
      ...[...builtIn].map(([flow, schemas]) => ({ flow, ...schemas })),
      ...files.map((published) => ({ flow: published.file.name, ...ofFile(published) })),
    ];
  }

  /** Throws ConsoleRefusal (404). */
  async publishedAs(flow: string): Promise<Published> {
    const found = askedTemporal(this.#parts, () => this.#parts.flows.publishedAs(flow));
    return await found.catch((error: unknown) => {
      throw error instanceof FlowNotPublished ? new ConsoleRefusal(404, error.name, error.message) : error;
    });
  }

  #files(): Promise<readonly Published[]> {
    if (this.#published && Date.now() - this.#published.at < CURRENT_FOR_MS) return this.#published.flows;
    const flows = askedTemporal(this.#parts, () => this.#parts.flows.published());
    const read = { at: Date.now(), flows };
    this.#published = read;
    // A failure is not kept.
    flows.catch(() => {
      if (this.#published === read) this.#published = undefined;
    });
    return flows;
  }
}

/** The named schemas of the document: of each flow what starts it, and its process. */
export function componentsOf(installed: readonly InstalledFlow[], process: JsonSchema): Schemas {
  const named = installed.flatMap(({ flow, start, progress, result }): [string, JsonSchema][] => [
    [`${flow}Start`, start],
    ...(progress.$ref === undefined ? ([[`${flow}Progress`, progress]] as [string, JsonSchema][]) : []),
    ...(result === null ? [] : ([[`${flow}Result`, result]] as [string, JsonSchema][])),
    [`${flow}Process`, processSchema(flow, process, progress, result)],
  ]);
  const oneOf = (suffix: string): JsonSchema => ({
    oneOf: installed.map(({ flow }) => ({ $ref: `#/components/schemas/${flow}${suffix}` })),
    discriminator: {
      propertyName: 'flow',
      mapping: Object.fromEntries(
        installed.map(({ flow }) => [flow, `#/components/schemas/${flow}${suffix}`]),
      ),
    },
  });
  return {
    ...sharedSchemas,
    ProgressOfFlowFile: fileProgress,
    Start: oneOf('Start'),
    Process: oneOf('Process'),
    ...Object.fromEntries(named),
  };
}

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });

function processSchema(
  flow: string,
  process: JsonSchema,
  progress: JsonSchema,
  result: JsonSchema | null,
): JsonSchema {
  const { progress: progressWords, result: resultWords } = process.properties as Record<string, JsonSchema>;
  return {
    ...process,
    title: `${flow}Process`,
    properties: {
      ...process.properties,
      flow: { type: 'string', const: flow, enum: [flow] },
      progress: {
        ...orNull(progress.$ref === undefined ? { $ref: `#/components/schemas/${flow}Progress` } : progress),
        description: progressWords?.description ?? '',
      },
      result: {
        ...(result === null ? {} : orNull({ $ref: `#/components/schemas/${flow}Result` })),
        description: resultWords?.description ?? '',
      },
    },
  };
}
