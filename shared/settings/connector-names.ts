// The names of the operator's connectors, by what they take: enough to check what flow files call, without any secret.
import { z } from 'zod';
import { settingsIn } from './settings-file.ts';

export interface ConnectorNames {
  /** The connectors that flow files may call. */
  readonly calls: readonly string[];
  /** The connectors that take events. */
  readonly events: readonly string[];
}

interface NamedConnector {
  readonly name: string;
  readonly allow: readonly unknown[];
  readonly events?: unknown;
}

export function connectorNames(connectors: readonly NamedConnector[]): ConnectorNames {
  return {
    calls: connectors.filter(({ allow }) => allow.length > 0).map(({ name }) => name),
    events: connectors.filter(({ events }) => events != null).map(({ name }) => name),
  };
}

const named = z.object({
  connectors: z
    .record(z.string(), z.object({ allow: z.array(z.unknown()).default([]), events: z.unknown().optional() }))
    .default({}),
});

/** The names in the connectors' file, whose secret files may be missing. Throws SettingsFileWrong. */
export function connectorNamesIn(text: string): ConnectorNames {
  const { connectors } = settingsIn(named, text);
  return connectorNames(Object.entries(connectors).map(([name, given]) => ({ name, ...given })));
}
