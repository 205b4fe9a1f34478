// Prometheus itself, where it is installed (apt-get install prometheus): it takes our configuration and our alerts, each alert
// fires when it should and not before, it reads what the processes tell, and it answers each question of the dashboard.
// In the long suite only.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { searchAttributes } from '../../../contract/flows/search-attributes.ts';
import { startChild } from '../../../local/child-process.ts';
import { freePort } from '../../../local/ports.ts';
import { startTemporalServer } from '../../../local/temporal/server.ts';
import { withDatabase } from '../../support/database.ts';
import { endedWithTest } from '../../support/processes/node-program.ts';
import { temporaryFolder } from '../../support/set-up-process.ts';
import { newTaskQueue } from '../../support/temporal.ts';
import { alertGroups, alerts, dashboardExpressions } from './expressions.ts';
import { loan, PATIENCE_MS, startLoanProcesses, unansweredQuestion } from './loan.ts';

const run = promisify(execFile);
const ours = join(import.meta.dirname, '../../../shared/telemetry/prometheus');
// What only goes wrong has no series in a night without trouble.
const EMPTY_WHEN_ALL_IS_WELL =
  /status=~"5|error=~|refusals_total|receivers_down|callback_shipments|meaning=~|_failed|request_failure|error_with_type/;

interface Target {
  readonly labels: Readonly<Record<'job', string>>;
  readonly health: string;
  readonly lastError: string;
}
type Result = readonly { readonly metric: object; readonly value: readonly [number, string] }[];

test('each alert fires when it should, and not before', { tags: 'long' }, async ({ skip }) => {
  if (!(await isInstalled())) return skip('Prometheus is not installed (apt-get install prometheus)');
  await run('promtool', ['check', 'config', join(ours, 'prometheus.yml')]);
  const stories = await readFile(join(import.meta.dirname, 'alerts.yml'), 'utf8');
  const file = join(await temporaryFolder(), 'alerts.yml');
  await writeFile(file, stories.replace('ALERTS', join(ours, 'alerts.yml')));
  const { stdout } = await run('promtool', ['test', 'rules', file]);
  expect(stdout).toContain('SUCCESS');
  const names = (await alerts()).map(({ alert }) => alert);
  const played = parse(stories) as {
    tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
  };
  const fired = played.tests.flatMap(({ alert_rule_test }) =>
    alert_rule_test.filter(({ exp_alerts }) => exp_alerts.length > 0).map(({ alertname }) => alertname),
  );
  expect(new Set(fired)).toEqual(new Set(names));
});

test('it reads what service, receiver, worker and Temporal tell, and answers each question of the dashboard', {
  tags: 'long',
  timeout: 20 * PATIENCE_MS,
}, async ({ skip }) => {
  if (!(await isInstalled())) return skip('Prometheus is not installed (apt-get install prometheus)');
  const at = {
    'lockerflow-service': await freePort(),
    'lockerflow-receiver': await freePort(),
    'lockerflow-worker': await freePort(),
    'lockerflow-console': await freePort(),
    temporal: await freePort(),
  };
  const temporal = await startTemporalServer({ searchAttributes, metricsPort: at.temporal });
  onTestFinished(() => temporal.stop());
  await withDatabase(async ({ url }) => {
    const folder = await temporaryFolder();
    const surroundings = {
      databaseUrl: url,
      folder,
      temporalAddress: temporal.address,
      taskQueue: newTaskQueue(),
    };
    const { call, stopReceiver } = await startLoanProcesses(surroundings, {
      service: { SERVICE_METRICS_ADDRESS: `127.0.0.1:${at['lockerflow-service']}` },
      receiver: { CALLBACK_METRICS_ADDRESS: `127.0.0.1:${at['lockerflow-receiver']}` },
      worker: { WORKER_METRICS_ADDRESS: `127.0.0.1:${at['lockerflow-worker']}` },
      console: { CONSOLE_METRICS_ADDRESS: `127.0.0.1:${at['lockerflow-console']}` },
    });
    await unansweredQuestion(surroundings);
    const prometheus = await startPrometheus(folder, at);
    const health = async () =>
      Object.fromEntries(
        ((await prometheus('targets')) as { activeTargets: Target[] }).activeTargets.map(
          ({ labels, health, lastError }) => [labels.job, lastError || health],
        ),
      );
    const up = Object.fromEntries(Object.keys(at).map((job) => [job, 'up']));
    await vi.waitFor(async () => expect(await health()).toEqual(up), {
      timeout: PATIENCE_MS,
      interval: 500,
    });

    const answered = async (expression: string) => {
      const query = expression.replaceAll('$__rate_interval', '1m');
      const { result } = (await prometheus('query', { query })) as { result: Result };
      return result.filter(({ value }) => value[1] !== 'NaN').length > 0;
    };
    const wanted = (await dashboardExpressions()).filter((each) => !EMPTY_WHEN_ALL_IS_WELL.test(each));
    expect(wanted.length).toBeGreaterThan(20);
    let unanswered = wanted;
    for (let number = 1; unanswered.length > 0; number += 1) {
      // A rate needs the difference of two scrapes.
      await loan(call, surroundings, `a loan that Prometheus sees, ${number}`);
      const open: string[] = [];
      for (const expression of unanswered) if (!(await answered(expression))) open.push(expression);
      unanswered = open;
      if (number > 30) expect(unanswered).toEqual([]);
    }

    expect(await firing(prometheus, 'NoProcessAnswers')).toEqual([]);
    await stopReceiver();
    await vi.waitFor(
      async () =>
        expect(await firing(prometheus, 'NoProcessAnswers')).toMatchObject([
          {
            labels: { job: 'lockerflow-receiver' },
            annotations: { summary: 'No lockerflow-receiver answers' },
          },
        ]),
      { timeout: PATIENCE_MS, interval: 500 },
    );
  });
});

async function isInstalled(): Promise<boolean> {
  return await Promise.all([run('prometheus', ['--version']), run('promtool', ['--version'])]).then(
    () => true,
    () => false,
  );
}

type Ask = (path: string, parameters?: Readonly<Record<string, string>>) => Promise<unknown>;

/** With our configuration and alerts; but its targets are processes of this machine, and it looks each second. */
async function startPrometheus(folder: string, at: Readonly<Record<string, number>>): Promise<Ask> {
  const configuration = parse(await readFile(join(ours, 'prometheus.yml'), 'utf8')) as {
    scrape_configs: { job_name: string }[];
  };
  const groups = (await alertGroups()).map(({ name, rules }) => ({
    name,
    rules: rules.map(({ for: _, ...atOnce }) => atOnce),
  }));
  await writeFile(join(folder, 'alerts.yml'), stringify({ groups }));
  const file = join(folder, 'prometheus.yml');
  const scrape_configs = configuration.scrape_configs.map(({ job_name }) => ({
    job_name,
    static_configs: [{ targets: [`127.0.0.1:${at[job_name]}`] }],
  }));
  expect(scrape_configs.map(({ job_name }) => job_name).toSorted()).toEqual(Object.keys(at).toSorted());
  const global = { scrape_interval: '1s', evaluation_interval: '1s' };
  await writeFile(file, stringify({ ...configuration, global, scrape_configs }));
  const port = await freePort();
  const options = [
    `--config.file=${file}`,
    `--storage.tsdb.path=${join(folder, 'prometheus')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--log.level=error',
  ];
  endedWithTest(startChild('prometheus', options, { showsErrors: true }));
  const ask: Ask = async (path, parameters = {}) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}?${new URLSearchParams(parameters)}`);
    const body = (await answer.json()) as { status: string; error?: string; data: unknown };
    if (body.status !== 'success') throw new Error(`Prometheus: ${body.error} ${JSON.stringify(parameters)}`);
    return body.data;
  };
  await vi.waitFor(() => ask('targets'), { timeout: PATIENCE_MS, interval: 200 });
  return ask;
}

async function firing(prometheus: Ask, name: string): Promise<object[]> {
  const { alerts } = (await prometheus('alerts')) as {
    alerts: { labels: { alertname: string }; state: string }[];
  };
  return alerts.filter(({ labels, state }) => labels.alertname === name && state === 'firing');
}
