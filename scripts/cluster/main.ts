// `npm run cluster`: the production shape on one machine, until Ctrl-C. Its data is in a folder of its own, which is removed
// at the end; --keep leaves it, with the logs. Programs that are missing are built first.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { lockerSettings } from '../../local/api-settings.ts';
import { say } from '../../local/components/component.ts';
import { flowFolderOf } from '../../local/components/orchestrator.ts';
import { runComponents } from '../../local/components/run-components.ts';
import { type LocalSettings, readLocalSettings } from '../../local/settings.ts';
import { workflowBundle } from '../../local/workflow-bundle.ts';
import { shutdownSignal } from '../../shared/terminal/shutdown-signal.ts';
import { processTerminal } from '../../shared/terminal/terminal.ts';
import { cacheFolder } from '../../shared/terminal/user-cache.ts';
import { playDemo } from '../demo.ts';
import { clusterOf } from './cluster.ts';
import { obtainClusterPrograms } from './programs.ts';

const asked = new AbortController();
void shutdownSignal('SIGHUP').then(() => asked.abort());

try {
  const { values } = parseArgs({
    options: {
      'no-demo': { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      'only-build': { type: 'boolean', default: false },
    },
  });
  const programs = await obtainClusterPrograms({
    env: process.env,
    say: (line) => say('lockerflow', line),
    asked: asked.signal,
  });
  if (values['only-build'] || asked.signal.aborted) process.exit(0);
  const home = await mkdtemp(join(tmpdir(), 'lockerflow-cluster-'));
  // After a failure the logs are needed.
  let keep = true;
  try {
    await runCluster({ ...readLocalSettings(process.env), home }, programs, !values['no-demo']);
    keep = values.keep;
  } finally {
    if (keep) say('lockerflow', `data and logs are kept in ${home}`);
    else await rm(home, { recursive: true, force: true });
  }
  process.exit(0);
} catch (error) {
  processTerminal('lockerflow').complain(error instanceof Error ? error.message : String(error));
  process.exit(1);
}

async function runCluster(
  settings: LocalSettings,
  programs: Parameters<typeof clusterOf>[0]['programs'],
  withDemo: boolean,
): Promise<void> {
  const { home } = settings;
  say('lockerflow', `data and logs are in ${home}`);
  const locker = lockerSettings(settings);
  const bundle = process.env.WORKER_WORKFLOW_BUNDLE;
  const { steps } = await clusterOf({
    settings,
    locker,
    programs,
    bundle: bundle ? Promise.resolve(bundle) : workflowBundle(join(cacheFolder(process.env), 'cluster')),
    flowFolder: flowFolderOf(process.env),
  });
  await runComponents(steps, {
    asked: asked.signal,
    say,
    async onceUp() {
      if (withDemo) await playDemo(settings, locker, asked.signal);
      if (!asked.signal.aborted)
        say(
          'lockerflow',
          `the cluster is up after ${Math.round(performance.now() / 1_000)} s; Ctrl-C stops it`,
        );
    },
  });
}
