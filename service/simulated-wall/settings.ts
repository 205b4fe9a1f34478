// The settings of the wall program, read from the environment once, and the file that names its walls. One error names
// everything that is wrong.
import { join } from 'node:path';
import { z } from 'zod';
import { uid } from '../../contract/wire/fields.ts';
import { readSettings } from '../../shared/settings/read-settings.ts';
import {
  exactlyOne,
  type ReadFile,
  SettingsFileWrong,
  secretFile,
  settingsIn,
} from '../../shared/settings/settings-file.ts';
import { logLevel, wholeNumber } from '../../shared/settings/values.ts';

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

/** The file of the walls: of each, the credentials that the administration made for its pick up point. */
const wallsOf = (read: ReadFile) =>
  z.strictObject({
    walls: z
      .array(
        z
          .strictObject({
            pupUid: uid,
            clientId: z.string().min(1),
            clientSecret: z.string().min(1).optional(),
            clientSecretFile: secretFile(read).optional(),
          })
          .refine(({ clientSecret, clientSecretFile }) => exactlyOne({ clientSecret, clientSecretFile }), {
            message: 'must have exactly one of clientSecret, clientSecretFile',
          })
          .transform(({ clientSecretFile = '', clientSecret = clientSecretFile, ...wall }) => ({
            ...wall,
            clientSecret,
          })),
      )
      .min(1)
      .superRefine((walls, context) => {
        const uids = walls.map(({ pupUid }) => pupUid);
        const twice = uids.find((uid, index) => uids.indexOf(uid) < index);
        if (twice !== undefined)
          context.addIssue({
            code: 'custom',
            message: `names the pick up point ${twice} twice; name each once`,
          });
      }),
  });

export type WallDefinition = z.infer<ReturnType<typeof wallsOf>>['walls'][number];

export type WallSettings = Readonly<ReturnType<typeof readWallSettings>>;

/** Throws an Error that says what is wrong, and what was expected. */
export function readWallSettings(variables: Readonly<Record<string, string | undefined>>, read: ReadFile) {
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

function wallsIn(path: string, read: ReadFile): WallDefinition[] {
  let text: string;
  try {
    text = read(path);
  } catch (cause) {
    throw new Error(
      `${path} cannot be read (${cause instanceof Error ? cause.message : String(cause)}). Name the file of the walls in WALL_FILE (docs/walls.md), or run npm start, which writes one for the demo tenant`,
      { cause },
    );
  }
  try {
    return settingsIn(wallsOf(read), text).walls;
  } catch (cause) {
    if (!(cause instanceof SettingsFileWrong)) throw cause;
    throw new Error(`${path} is wrong; docs/walls.md has an example:\n${cause.message}`, { cause });
  }
}
