// The installation that `npm start` runs: its addresses and credentials, in its own folder, for command lines that are started where
// it was.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Variables = Record<string, string | undefined>;

export interface RunningInstallation {
  readonly pid: number;
  readonly variables: Readonly<Record<string, string>>;
}

export const installationFile = (home: string): string => join(home, 'installation.json');

/** With one of them set, another installation is meant: what belongs together is not mixed. */
const chosen = ['TEMPORAL_ADDRESS', 'TEMPORAL_PROFILE', 'TEMPORAL_CONFIG_FILE', 'LOCKER_API_URL'] as const;

/** Sets what is not set, as long as that installation runs. */
export function takeRunningInstallation(variables: Variables): void {
  if (chosen.some((name) => variables[name])) return;
  const running = installationIn(variables.LOCKERFLOW_HOME || '.lockerflow');
  if (!running || !isRunning(running.pid)) return;
  for (const [name, value] of Object.entries(running.variables)) variables[name] ??= value;
}

/** Undefined where none has written one, or somebody else has: then its own variables are needed. */
export function installationIn(home: string): RunningInstallation | undefined {
  try {
    const { pid, variables } = JSON.parse(readFileSync(installationFile(home), 'utf8'));
    return Number.isSafeInteger(pid) && typeof variables === 'object' ? { pid, variables } : undefined;
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
