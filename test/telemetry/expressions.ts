// What the dashboard and the alerts ask Prometheus for.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';

const folder = join(import.meta.dirname, '../../telemetry');

export async function dashboardExpressions(): Promise<string[]> {
  const { panels } = JSON.parse(await readFile(join(folder, 'grafana/lockerflow.json'), 'utf8')) as {
    panels: { targets?: { expr: string }[] }[];
  };
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
}

export async function alertExpressions(): Promise<string[]> {
  const { groups } = parse(await readFile(join(folder, 'prometheus/alerts.yml'), 'utf8')) as {
    groups: { rules: { expr: string }[] }[];
  };
  return groups.flatMap(({ rules }) => rules.map(({ expr }) => expr));
}
