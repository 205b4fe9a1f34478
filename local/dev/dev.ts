// `lockerflow dev`: an installation for those who write flow files, which follows a folder of them. Its data is in .lockerflow of
// the folder in which it was started.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectorsAtHand } from '../../cli/linted-files.ts';
import { atTemporal, commandContextIn } from '../../cli/temporal.ts';
import { publish } from '../../processes/commands/publish.ts';
import { orThrow } from '../../processes/outcome.ts';
import { withDeadline } from '../../processes/temporal-context.ts';
import type { Terminal } from '../../shared/terminal/terminal.ts';
import { lockerSettings } from '../api-settings.ts';
import { type Say, say } from '../components/component.ts';
import { forgetOwnDatabase } from '../database-url.ts';
import { LOOPBACK } from '../ports.ts';
import { aloneIn, runInstallation } from '../run-installation.ts';
import { readLocalSettings, settingsOnFreePorts } from '../settings.ts';
import { obtainTemporalProgram } from '../temporal/obtain.ts';
import { onEachChange } from './each-change.ts';
import { FlowFolder, type Publishing } from './flow-folder.ts';
import { lackOfService } from './lack-of-service.ts';

/** Resolves when all has been stopped because `asked` was aborted. */
export async function dev(folder: string, asked: AbortSignal): Promise<void> {
  process.env.LOCKERFLOW_HOME ||= '.lockerflow';
  const { home } = readLocalSettings(process.env);
  const forgotten = forgetOwnDatabase(process.env, home);
  if (forgotten !== undefined) say('lockerflow', forgotten, 'warn');
  await aloneIn(home, () => devAlone(folder, home, asked));
}

async function devAlone(folder: string, home: string, asked: AbortSignal): Promise<void> {
  // It holds keys and data.
  await writeFile(join(home, '.gitignore'), '*\n');
  const connectors = await connectorsAtHand();
  await obtainTemporalProgram({ env: process.env, say: (line) => say('lockerflow', line), asked });
  if (asked.aborted) return;
  const settings = await settingsOnFreePorts(process.env);
  const locker = lockerSettings(settings);
  const lack = locker.isOurs ? lackOfService(settings) : undefined;
  // Nobody answers its questions.
  if (lack !== undefined) process.env.LOCKER_RECONCILE_SECONDS ??= '0';
  await runInstallation({
    settings,
    locker,
    service: locker.isOurs && lack === undefined,
    flowFolder: '',
    say,
    asked,
    async onceUp({ link }) {
      process.env.TEMPORAL_ADDRESS = `${LOOPBACK}:${settings.temporalPort}`;
      // What fails because all is being stopped is no news.
      const sayUntilAsked: Say = (...line) => asked.aborted || say(...line);
      const flows = new FlowFolder(folder, { publishing: publishing(asked), connectors, say: sayUntilAsked });
      let isUp = false;
      const update = async () => {
        const isDone = await flows.update();
        if (!isUp && !asked.aborted) {
          say('lockerflow', firstLine(folder, flows.flowFiles()));
          if (lack !== undefined) say('lockerflow', lack, 'warn');
          say('lockerflow', `the console, by a link that signs in once: ${link}`);
          say('lockerflow', 'everything is up; Ctrl-C stops it');
        }
        isUp = true;
        return isDone;
      };
      await onEachChange(folder, update, asked);
    },
  });
}

/** By the commands that the command line has for it. */
function publishing(asked: AbortSignal): Publishing {
  const terminal: Terminal = {
    variables: process.env,
    isInteractive: false,
    write: () => undefined,
    complain: () => undefined,
    read: async () => '',
    interrupted: asked,
  };
  return {
    published: () =>
      atTemporal(terminal, (temporal) =>
        withDeadline(temporal, async () => (await temporal.flows.published()).map(({ file }) => file)),
      ),
    publish: (files) =>
      atTemporal(terminal, async (temporal) => {
        const done = orThrow(
          await publish.do(commandContextIn(terminal, temporal), null, { files: [...files] }),
        );
        return publish.formatResult(done).split('\n');
      }),
  };
}

function firstLine(folder: string, files: readonly string[]): string {
  const place = folder === '.' ? 'this folder' : folder;
  if (files.length === 0)
    return `${place} has no flow file yet (their names end in .flow.yaml); npx lockerflow new lists patterns to begin with`;
  return `${files.length === 1 ? 'one flow file' : `${files.length} flow files`} in ${place}: what is saved is published`;
}
