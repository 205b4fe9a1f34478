// The settings of a local installation in the environment, with defaults. One error names every wrong value.
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { readSettings } from '../shared/settings/read-settings.ts';
import { wholeNumber } from '../shared/settings/values.ts';
import { isFree } from './ports.ts';

const port = wholeNumber(1, 65_535);

const portVariables = {
  postgresPort: 'POSTGRES_PORT',
  servicePort: 'SERVICE_PORT',
  callbackPort: 'CALLBACK_PORT',
  workerPort: 'WORKER_PORT',
  consolePort: 'CONSOLE_PORT',
  wallPort: 'WALL_PORT',
  temporalPort: 'TEMPORAL_PORT',
  temporalUiPort: 'TEMPORAL_UI_PORT',
} as const;

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

type Variables = Readonly<Record<string, string | undefined>>;

export interface LocalSettings extends Readonly<Record<keyof typeof portVariables, number>> {
  readonly home: string;
  readonly databaseUrl: string | undefined;
}

export function readLocalSettings(env: Variables): LocalSettings {
  const data = readSettings('These settings are wrong', schema, env);
  return {
    home: resolve(data.LOCKERFLOW_HOME),
    databaseUrl: data.DATABASE_URL,
    ...portsBy((variable) => data[variable]),
  };
}

type PortVariable = (typeof portVariables)[keyof typeof portVariables];

const portsBy = (portOf: (variable: PortVariable) => number) =>
  Object.fromEntries(
    Object.entries(portVariables).map(([name, variable]) => [name, portOf(variable)]),
  ) as Record<keyof typeof portVariables, number>;

/** The same, with the next free port in place of one that is taken, unless a variable asks for it. */
export async function settingsOnFreePorts(env: Variables): Promise<LocalSettings> {
  const settings = readLocalSettings(env);
  const ports = new Map<PortVariable, number>();
  for (const [name, variable] of Object.entries(portVariables)) {
    let wanted = settings[name as keyof typeof portVariables];
    while (!env[variable] && ([...ports.values()].includes(wanted) || !(await isFree(wanted)))) wanted += 1;
    ports.set(variable, wanted);
  }
  return { ...settings, ...portsBy((variable) => ports.get(variable) ?? 0) };
}
