// Addresses and credentials of the installation that `npm start`, `npm run morning` or `lockerflow dev` runs, read from its folder:
// commands in the same directory need no variables.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Variables = Record<string, string | undefined>;

const service = ['LOCKER_API_URL', 'LOCKER_AUTH_URL', 'LOCKER_CLIENT_ID', 'LOCKER_CLIENT_SECRET'] as const;

/** If the user sets one of these, they mean another installation: its settings are never mixed with ours. */
const chosen = ['TEMPORAL_ADDRESS', 'TEMPORAL_PROFILE', 'TEMPORAL_CONFIG_FILE', ...service] as const;

/** The only variables that the file can set. */
const taken = ['TEMPORAL_ADDRESS', 'CONSOLE_URL', 'WALL_URL', ...service, 'LOCKER_CAPABILITIES'] as const;

/** That of `npm start` and `lockerflow dev`, and that of `npm run morning`. */
const homes = ['.lockerflow', join('.lockerflow', 'morning')];

export interface RunningInstallation {
  readonly pid: number;
  readonly variables: Readonly<Partial<Record<(typeof taken)[number], string>>>;
}

export const installationFile = (home: string): string => join(home, 'installation.json');

/** Sets the variables that are missing, if an installation is running there. */
export function takeRunningInstallation(variables: Variables, folder = '.'): void {
  if (chosen.some((name) => variables[name])) return;
  const { LOCKERFLOW_HOME } = variables;
  const running = (LOCKERFLOW_HOME ? [LOCKERFLOW_HOME] : homes.map((home) => join(folder, home)))
    .map(installationIn)
    .find((each) => each && isRunning(each.pid));
  if (!running) return;
  for (const name of taken) {
    const value = running.variables[name];
    if (value !== undefined) variables[name] ??= value;
  }
}

/** Undefined if there is no such file, or it cannot be read. */
export function installationIn(home: string): RunningInstallation | undefined {
  try {
    const { pid, variables } = JSON.parse(readFileSync(installationFile(home), 'utf8'));
    return Number.isSafeInteger(pid) && variables ? { pid, variables } : undefined;
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
