// The settings of a local installation in the environment, with defaults. One error names every wrong value.
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { readSettings } from '../shared/settings/read-settings.ts';
import { wholeNumber } from '../shared/settings/values.ts';

const port = wholeNumber(1, 65_535);

const schema = z.object({
  /** The folder with the data of a local installation. */
  LOCKERFLOW_HOME: z
    .string()
    .min(1)
    .default(join(import.meta.dirname, '..', '.lockerflow')),
  /** Your own Postgres; without it an embedded one is started. */
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a URL like postgres://user@host/name' })
    .optional(),
  POSTGRES_PORT: port.default(54320),
  SERVICE_PORT: port.default(8080),
  CALLBACK_PORT: port.default(8090),
  WORKER_PORT: port.default(8091),
  CONSOLE_PORT: port.default(8088),
  WALL_PORT: port.default(8089),
  TEMPORAL_PORT: port.default(7233),
  TEMPORAL_UI_PORT: port.default(8233),
});

export type LocalSettings = Readonly<ReturnType<typeof readLocalSettings>>;

export function readLocalSettings(env: Readonly<Record<string, string | undefined>>) {
  const data = readSettings('These settings are wrong', schema, env);
  return {
    home: resolve(data.LOCKERFLOW_HOME),
    databaseUrl: data.DATABASE_URL,
    postgresPort: data.POSTGRES_PORT,
    servicePort: data.SERVICE_PORT,
    callbackPort: data.CALLBACK_PORT,
    workerPort: data.WORKER_PORT,
    consolePort: data.CONSOLE_PORT,
    wallPort: data.WALL_PORT,
    temporalPort: data.TEMPORAL_PORT,
    temporalUiPort: data.TEMPORAL_UI_PORT,
  };
}
