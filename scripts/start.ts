// `npm start`: everything on one machine, until Ctrl-C; with --service-only the service and its Postgres.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { lockerSettings } from '../local/api-settings.ts';
import { say } from '../local/components/component.ts';
import { flowFolderOf } from '../local/components/orchestrator.ts';
import { forgetOwnDatabase } from '../local/database-url.ts';
import { aloneIn, runInstallation } from '../local/run-installation.ts';
import { readLocalSettings } from '../local/settings.ts';
import { takeSecretsFromFiles } from '../shared/settings/secret-files.ts';
import { shutdownSignal } from '../shared/terminal/shutdown-signal.ts';
import { processTerminal, write } from '../shared/terminal/terminal.ts';
import { playDemo } from './demo.ts';
import { firstSteps } from './first-steps.ts';

const HELP = `npm start [-- OPTIONS]   everything on this machine, until Ctrl-C: the service and its Postgres, Temporal, a worker,
the callback receiver, simulated walls and the console

  --no-demo        play no flow as a demo
  --service-only   the service, its Postgres and its walls alone
  --help           print this, and start nothing

Ports and addresses are set by variables, like SERVICE_PORT and CONSOLE_PORT: docs/run.md lists them.`;

const asked = new AbortController();
void shutdownSignal('SIGHUP').then(() => asked.abort());

try {
  const { values } = parseArgs({
    options: {
      'no-demo': { type: 'boolean', default: false },
      'service-only': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    write(`${HELP}\n`);
    process.exit(0);
  }
  const serviceOnly = values['service-only'];
  const forgotten = forgetOwnDatabase(process.env, readLocalSettings(process.env).home);
  if (forgotten !== undefined) say('lockerflow', forgotten, 'warn');
  takeSecretsFromFiles(process.env, (path) => readFileSync(path, 'utf8'));
  const settings = readLocalSettings(process.env);
  const locker = lockerSettings(settings);
  await aloneIn(settings.home, () =>
    runInstallation({
      settings,
      locker,
      service: serviceOnly ? 'only' : true,
      flowFolder: flowFolderOf(process.env),
      say,
      asked: asked.signal,
      async onceUp({ address, link }) {
        if (!values['no-demo'] && !serviceOnly && locker.isOurs)
          await playDemo(settings, locker, asked.signal, address);
        if (asked.signal.aborted) return;
        for (const line of firstSteps(settings, { serviceOnly, isOurs: locker.isOurs, link }))
          say('lockerflow', line);
        say('lockerflow', `${serviceOnly ? 'the service' : 'everything'} is up; Ctrl-C stops it`);
      },
    }),
  );
  process.exit(0);
} catch (error) {
  processTerminal('lockerflow').complain(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
