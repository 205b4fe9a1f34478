// Tells command lines that are started in this folder how to reach the installation that runs here.
import { rm, writeFile } from 'node:fs/promises';
import { installationFile, installationIn, type RunningInstallation } from '../cli/running-installation.ts';
import type { LockerSettings } from './api-settings.ts';
import { ownFolder } from './own-folder.ts';
import { LOOPBACK } from './ports.ts';
import type { LocalSettings } from './settings.ts';

export async function writeInstallationFile(
  { home, temporalPort, consolePort, wallPort }: LocalSettings,
  locker: LockerSettings,
): Promise<void> {
  await ownFolder(home);
  const path = installationFile(home);
  const running: RunningInstallation = {
    pid: process.pid,
    variables: {
      ...locker.env,
      TEMPORAL_ADDRESS: `${LOOPBACK}:${temporalPort}`,
      CONSOLE_URL: process.env.CONSOLE_URL ?? `http://${LOOPBACK}:${consolePort}`,
      WALL_URL: process.env.WALL_URL ?? `http://${LOOPBACK}:${wallPort}`,
    },
  };
  // It has a secret.
  await writeFile(path, `${JSON.stringify(running, null, 2)}\n`, { mode: 0o600 });
}

/** Another one that did not start, because this one runs, leaves the file alone. */
export async function removeInstallationFile({ home }: LocalSettings): Promise<void> {
  if (installationIn(home)?.pid === process.pid) await rm(installationFile(home), { force: true });
}
