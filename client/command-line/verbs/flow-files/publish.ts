// `publish`: checks flow files and puts them into Temporal, where processes are started on them by their names.
import type { Command } from 'commander';
import { formatFinding } from '../../../../flows/language/reading/report.ts';
import { publish } from '../../../../processes/commands/publish.ts';
import { orThrow } from '../../../../processes/outcome.ts';
import { report, type Terminal } from '../../../../shared/terminal/terminal.ts';
import { actingIn } from '../../acting.ts';
import { checkedFile, flowFileText, namesAtHand } from '../../flow-file-text.ts';
import { atTemporal } from '../../temporal.ts';
import { connectorsAtHand } from './lint.ts';

export function addPublish(program: Command, terminal: Terminal): void {
  program
    .command('publish')
    .description(
      'check flow files and publish them, all or none; the same content is the same version, other content the next ' +
        'one. Processes that run stay on the version that they began with, and it says how many. Connectors that ' +
        'LOCKERFLOW_CONNECTORS does not have are warned of. A worker must be running',
    )
    .argument('<file...>', 'flow files, YAML or JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], _options, command: Command) => {
      const files = await Promise.all(paths.map(async (path) => ({ path, text: await flowFileText(path) })));
      for (const warning of await connectorWarnings(paths)) terminal.complain(warning);
      await atTemporal(terminal, async (temporal) => {
        const done = orThrow(await publish.do(actingIn(terminal, temporal), null, { files }));
        report(terminal, command, { words: publish.did(done), data: done });
      });
    });
}

/** Where the connectors of the workers are known here. A worker may have others, so it is no error. */
async function connectorWarnings(paths: readonly string[]): Promise<string[]> {
  const connectors = await connectorsAtHand();
  if (connectors === null) return [];
  const all = paths.map(async (path) => {
    const { findings } = await checkedFile(path, { ...namesAtHand, connectors });
    const unknown = findings.filter(({ code }) => code === 'ConnectorUnknown');
    return unknown.map((finding) => `warning: ${path}: ${formatFinding(finding)}`);
  });
  return (await Promise.all(all)).flat();
}

const EXAMPLES = `
Examples:
  lockerflow publish device-loan.flow.yaml
  lockerflow publish flows/*.flow.yaml --json`;
