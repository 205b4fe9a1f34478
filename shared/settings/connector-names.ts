// The names of the operator's connectors, by what they take, and the operations of those that have an OpenAPI document: enough to
// check what flow files call, without any secret.
import { z } from 'zod';
import { inPlainWords, wordsOf } from '../../contract/wire/format-issue.ts';
import type { ConnectorSettings, ReadFile } from './connectors.ts';
import { allowsOperation, readOpenApi } from './open-api.ts';
import { parsedSettingsFile, SettingsFileWrong } from './settings-file.ts';

export interface ConnectorNames {
  /** The connectors that flow files may call. */
  readonly calls: readonly string[];
  /** The connectors that take events. */
  readonly events: readonly string[];
}

export function connectorNames({ connectors }: ConnectorSettings): ConnectorNames {
  return {
    calls: connectors.filter(({ allow }) => allow.length > 0).map(({ name }) => name),
    events: connectors.filter(({ events }) => events !== null).map(({ name }) => name),
  };
}

const named = z.object({
  connectors: z
    .record(z.string(), z.object({ allow: z.array(z.unknown()).default([]), events: z.unknown().optional() }))
    .default({}),
});

/** The names in the connectors' file, whose secret files may be missing. Throws SettingsFileWrong. */
export function connectorNamesIn(text: string): ConnectorNames {
  const { data, error } = named.safeParse(parsedSettingsFile(text), inPlainWords);
  if (error)
    throw new SettingsFileWrong(error.issues.map((issue) => `${issue.path.join('.')}: ${wordsOf(issue)}`));
  const all = Object.entries(data.connectors);
  return {
    calls: all.flatMap(([name, { allow }]) => (allow.length > 0 ? [name] : [])),
    events: all.flatMap(([name, { events }]) => (events == null ? [] : [name])),
  };
}

/** The operations of another system, and whether files may call them. */
export interface ConnectorApi {
  readonly operations: readonly string[];
  problemOf(operation: string): string | undefined;
}

const withApis = z.object({
  connectors: z
    .record(
      z.string(),
      z.object({
        allow: z.array(z.string()).default([]),
        openapi: z
          .union([z.string(), z.object({ document: z.string() }).transform(({ document }) => document)])
          .optional(),
      }),
    )
    .default({}),
});

/** By the names of the connectors. Throws SettingsFileWrong. */
export function connectorApisIn(text: string, read: ReadFile): ReadonlyMap<string, ConnectorApi> {
  const { data, error } = withApis.safeParse(parsedSettingsFile(text), inPlainWords);
  if (error)
    throw new SettingsFileWrong(error.issues.map((issue) => `${issue.path.join('.')}: ${wordsOf(issue)}`));
  return new Map(
    Object.entries(data.connectors).flatMap(([name, { allow, openapi }]) =>
      openapi === undefined ? [] : [[name, apiOf(name, allow, () => readOpenApi(read(openapi)))] as const],
    ),
  );
}

function apiOf(
  name: string,
  allow: readonly string[],
  read: () => ReturnType<typeof readOpenApi>,
): ConnectorApi {
  const api = documentOf(name, read);
  return {
    operations: [...api.operations.keys()],
    problemOf(id) {
      const operation = api.operations.get(id);
      if (!operation || operation.problem !== null) return operation?.problem ?? undefined;
      return allowsOperation(allow, operation)
        ? undefined
        : `allow of ${name} has ${allow.join('; ') || 'no call'}`;
    },
  };
}

function documentOf(
  name: string,
  read: () => ReturnType<typeof readOpenApi>,
): ReturnType<typeof readOpenApi> {
  try {
    return read();
  } catch (cause) {
    throw new SettingsFileWrong([
      `connectors.${name}.openapi: ${cause instanceof Error ? cause.message : String(cause)}`,
    ]);
  }
}
