// What the dashboard and the alerts ask Prometheus for.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';

const folder = join(import.meta.dirname, '../../../shared/telemetry');

export async function dashboardExpressions(): Promise<string[]> {
  const { panels } = JSON.parse(await readFile(join(folder, 'grafana/lockerflow.json'), 'utf8')) as {
    panels: { targets?: { expr: string }[] }[];
  };
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
}

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
}

/** The alerts by their groups, as they are in the file. */
export async function alertGroups() {
  const { groups } = parse(await readFile(join(folder, 'prometheus/alerts.yml'), 'utf8'));
  return groups as readonly { readonly name: string; readonly rules: readonly Alert[] }[];
}

export const alerts = async (): Promise<Alert[]> => (await alertGroups()).flatMap(({ rules }) => rules);
