// The settings of the wall program, read from the environment once, and the file that names its walls. One error names
// everything that is wrong.
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { uid } from '../../contract/wire/fields.ts';
import { formatIssues, inPlainWords } from '../../contract/wire/format-issue.ts';
import { logLevel, readSettings, wholeNumber } from '../../shared/settings/values.ts';

const home = join(import.meta.dirname, '../..', '.lockerflow');

const environment = z.object({
  /** The folder with the data of a local installation. */
  LOCKERFLOW_HOME: z.string().min(1).default(home),
  WALL_HOST: z.string().min(1).default('127.0.0.1'),
  /** 0 takes any free port. */
  WALL_PORT: wholeNumber(0, 65_535).default(8089),
  /** Names without a port, separated by commas, by which browsers call the pages, beside this machine's own. */
  WALL_HOSTS: z
    .string()
    .transform((text) => text.split(',').map((name) => name.trim()))
    .default([]),
  /** The service that the walls connect to. */
  WALL_SERVICE_URL: z.url({ protocol: /^https?$/ }).default('http://127.0.0.1:8080'),
  /** The file that names the walls; `walls.yaml` in LOCKERFLOW_HOME if not given. */
  WALL_FILE: z.string().min(1).optional(),
  WALL_LOG_LEVEL: logLevel,
});

/** One wall: the credentials that the administration made for its pick up point. */
const wall = z.strictObject({
  pupUid: uid,
  clientId: z.string().min(1),
  clientSecret: z.string().min(1).optional(),
  /** A file with the secret, in place of `clientSecret`. */
  clientSecretFile: z.string().min(1).optional(),
});

const walls = z.strictObject({ walls: z.array(wall).min(1) });

export interface WallDefinition extends Omit<z.infer<typeof wall>, 'clientSecretFile'> {
  readonly clientSecret: string;
}

export type WallSettings = Readonly<ReturnType<typeof readWallSettings>>;

/** Throws an Error that says what is wrong, and what was expected. @param read gives a file's text, or throws */
export function readWallSettings(
  variables: Readonly<Record<string, string | undefined>>,
  read: (path: string) => string,
) {
  const data = readSettings(
    'The wall program cannot start; these settings are wrong',
    environment,
    variables,
  );
  const path = data.WALL_FILE ?? join(data.LOCKERFLOW_HOME, 'walls.yaml');
  return {
    home: data.LOCKERFLOW_HOME,
    host: data.WALL_HOST,
    port: data.WALL_PORT,
    hosts: data.WALL_HOSTS,
    serviceUrl: data.WALL_SERVICE_URL.replace(/\/+$/, ''),
    logLevel: data.WALL_LOG_LEVEL,
    walls: wallsIn(path, read),
  };
}

function wallsIn(path: string, read: (path: string) => string): WallDefinition[] {
  const text = contentOf(
    path,
    read,
    'Name the file of the walls in WALL_FILE (docs/walls.md), or run npm start, which writes one for the demo tenant',
  );
  const { data, error } = walls.safeParse(parsedWallFile(text, path), inPlainWords);
  if (!data) throw new Error(`${path} is wrong; docs/walls.md has an example:\n${wallFileLines(error)}`);
  const twice = data.walls.find(
    (each, index) => data.walls.findIndex((other) => other.pupUid === each.pupUid) < index,
  );
  if (twice) throw new Error(`${path} names the pick up point ${twice.pupUid} twice; name each once`);
  return data.walls.map((each) => ({ ...each, clientSecret: secretOf(each, path, read) }));
}

function contentOf(path: string, read: (path: string) => string, whatToDo: string): string {
  try {
    return read(path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${path} cannot be read (${reason}). ${whatToDo}`, { cause });
  }
}

/** What the file of the walls says, not checked yet. Throws an Error that shows nothing of it: it has secrets. */
export function parsedWallFile(text: string, path: string): unknown {
  const document = parseDocument(text, { logLevel: 'error' });
  const [error] = document.errors;
  // The library's message shows the lines around the error, and one of them may have a secret.
  if (error)
    throw new Error(
      `${path}, line ${error.linePos?.[0].line ?? 1}: this is not YAML; docs/walls.md has an example`,
    );
  return document.toJS({ maxAliasCount: 0 }) ?? {};
}

function secretOf(
  { pupUid, clientSecret, clientSecretFile }: z.infer<typeof wall>,
  path: string,
  read: (path: string) => string,
): string {
  if (clientSecret !== undefined && clientSecretFile !== undefined)
    throw new Error(`${path}: the wall of ${pupUid} has clientSecret and clientSecretFile; give one of them`);
  if (clientSecret !== undefined) return clientSecret;
  if (clientSecretFile === undefined)
    throw new Error(`${path}: the wall of ${pupUid} needs clientSecret or clientSecretFile`);
  const whatToDo = `It is the clientSecretFile of the wall of ${pupUid} in ${path}: check the path and who may read it`;
  // Editors and `echo` add a line end, which does not belong to the secret.
  return contentOf(clientSecretFile, read, whatToDo).replace(/\r?\n$/, '');
}

export const wallFileLines = (error: z.ZodError): string =>
  formatIssues(error, 'the file')
    .map((line) => `  ${line}`)
    .join('\n');
