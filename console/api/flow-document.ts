// What the OpenAPI document says of the flows of this installation: the body that starts each, its process and its result, with
// an example. Built-in flows are described by the contract, published ones by their files.

import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { FlowNotPublished } from '../../client/flow-files/flow-not-published.ts';
import type { JsonSchema, Schemas } from '../../contract/openapi/schemas.ts';
import type { CurrentVersion } from '../../flows/language/registry.ts';
import { callTemporal } from '../../processes/temporal-context.ts';
import { flowNamed, publishedAs, type RegisteredFlow } from '../../processes/views/flow-registry.ts';
import {
  type DocumentedFlow,
  documentedBuiltIns,
  documentedFlow,
  sharedSchemas,
} from '../../processes/views/flow-schemas.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { ConsoleRefusal } from '../refusal.ts';

/** Another console, or the command line, may publish too. */
const CURRENT_FOR_MS = 5_000;

const MAX_MADE = 500;

export interface InstalledFlow extends DocumentedFlow {
  readonly flow: string;
}

export class FlowDocument {
  readonly #parts: ConsoleParts;
  readonly #made = new LRUCache<string, DocumentedFlow>({ max: MAX_MADE });

  constructor(parts: ConsoleParts) {
    this.#parts = parts;
  }

  /** The built-in ones first. */
  async installed(): Promise<InstalledFlow[]> {
    const files = (await this.#files()).filter(({ file }) => !documentedBuiltIns().has(file.name));
    const all: InstalledFlow[] = [...documentedBuiltIns()].map(([flow, schemas]) => ({ flow, ...schemas }));
    for (const each of files) all.push({ flow: each.file.name, ...(await this.#documented(each)) });
    return all;
  }

  /** Made once for each content. There may be hundreds of files: requests have their turn between two of them. */
  async #documented(published: CurrentVersion): Promise<DocumentedFlow> {
    const content = createHash('sha256').update(JSON.stringify(published.file)).digest('base64url');
    const found = this.#made.get(content);
    if (found) return found;
    await turn();
    const made = documentedFlow(publishedAs(published));
    this.#made.set(content, made);
    return made;
  }

  /** Throws ConsoleRefusal (404). */
  flowNamed(flow: string): Promise<RegisteredFlow> {
    return this.read(() => flowNamed(this.#parts, flow));
  }

  /** What reads a flow that may not be published. Throws ConsoleRefusal (404). */
  async read<Value>(ask: () => Promise<Value>): Promise<Value> {
    return await callTemporal(this.#parts, ask).catch((error: unknown) => {
      throw error instanceof FlowNotPublished ? new ConsoleRefusal(404, error.name, error.message) : error;
    });
  }

  #files(): Promise<readonly CurrentVersion[]> {
    const { flows, shared } = this.#parts;
    return shared.of('published flows', CURRENT_FOR_MS, () =>
      callTemporal(this.#parts, () => flows.published()),
    );
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
    ...sharedSchemas(),
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
  const { progress: formatProgress, result: resultWords } = process.properties as Record<string, JsonSchema>;
  return {
    ...process,
    title: `${flow}Process`,
    properties: {
      ...process.properties,
      flow: { type: 'string', const: flow, enum: [flow] },
      progress: {
        ...orNull(progress.$ref === undefined ? { $ref: `#/components/schemas/${flow}Progress` } : progress),
        description: formatProgress?.description ?? '',
      },
      result: {
        ...(result === null ? {} : orNull({ $ref: `#/components/schemas/${flow}Result` })),
        description: resultWords?.description ?? '',
      },
    },
  };
}
