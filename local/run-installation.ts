// A local installation from its first component to its last: what `npm start` and `lockerflow dev` have in common.
import { join } from 'node:path';
import { installationIn } from '../cli/running-installation.ts';
import type { LockerSettings } from './api-settings.ts';
import type { Say } from './components/component.ts';
import { consoleComponent, serviceComponents, temporalComponent } from './components/installation.ts';
import { keyOfCallbacks, orchestratorComponents } from './components/orchestrator.ts';
import { runComponents } from './components/run-components.ts';
import { withFileLock } from './file-lock.mjs';
import { ownFolder } from './own-folder.ts';
import { removeInstallationFile, writeInstallationFile } from './running-installation.ts';
import type { LocalSettings } from './settings.ts';

/** Two would share one store of Temporal. Rejects where another one has the folder. */
export async function aloneIn<Result>(home: string, work: () => Promise<Result>): Promise<Result> {
  await ownFolder(home);
  return await withFileLock(join(home, 'running.lock'), work, () => {
    const { pid, variables } = installationIn(home) ?? {};
    const where = [
      ...(pid === undefined ? [] : [`process ${pid}`]),
      ...(variables?.CONSOLE_URL === undefined ? [] : [`its console is ${variables.CONSOLE_URL}`]),
    ];
    throw new Error(
      `lockerflow runs here already${where.length > 0 ? ` (${where.join(', ')})` : ''}, with its data in ${home}: ` +
        'use that one, or stop it with Ctrl-C where it was started; LOCKERFLOW_HOME names another folder for another one',
    );
  });
}

export interface InstallationOptions {
  readonly settings: LocalSettings;
  readonly locker: LockerSettings;
  /** Our locker service with its walls; nothing of the rest with `only`. */
  readonly service: boolean | 'only';
  /** The folder of flow files that the worker publishes; none when empty. */
  readonly flowFolder: string;
  readonly say: Say;
  readonly asked: AbortSignal;
  /** @param console its address, and the one that signs in once */
  onceUp(console: { readonly address: string; readonly link: string }): Promise<void>;
}

/** Resolves when all has been stopped because `asked` was aborted. */
export async function runInstallation(options: InstallationOptions): Promise<void> {
  const { settings, locker, service, flowFolder, say, asked, onceUp } = options;
  const webConsole = consoleComponent(settings, locker);
  const callsBack = service !== false || !locker.isOurs;
  const flows = { key: callsBack ? await keyOfCallbacks(settings) : undefined, flowFolder };
  const components = [
    ...(service ? serviceComponents(settings) : []),
    ...(service === 'only'
      ? []
      : [
          temporalComponent(settings),
          ...orchestratorComponents(settings, locker, flows),
          webConsole.component,
        ]),
  ];
  try {
    await runComponents(components, {
      asked,
      say,
      async onceUp() {
        if (service !== 'only') await writeInstallationFile(settings, locker);
        await onceUp(webConsole);
      },
    });
  } finally {
    await removeInstallationFile(settings);
  }
}
