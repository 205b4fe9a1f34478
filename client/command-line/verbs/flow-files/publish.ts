// `publish`: checks flow files and puts them into Temporal, where processes are started on them by their names.
import type { Command } from 'commander';
import { publish } from '../../../../processes/commands/publish.ts';
import { orThrow } from '../../../../processes/outcome.ts';
import { report } from '../../../../runtime/terminal/report.ts';
import type { Terminal } from '../../../../runtime/terminal/terminal.ts';
import { withPartTexts } from '../../../flow-files/flow-file-folder.ts';
import { actingIn } from '../../acting.ts';
import { flowFileText } from '../../flow-file-text.ts';
import { atTemporal } from '../../temporal.ts';

export function addPublish(program: Command, terminal: Terminal): void {
  program
    .command('publish')
    .description(
      'check flow files and publish them, all or none; the same content is the same version, other content the next ' +
        'one. Processes that run stay on the version that they began with. A worker must be running',
    )
    .argument('<file...>', 'flow files, YAML or JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], _options, command: Command) => {
      const given = await Promise.all(paths.map(async (path) => ({ path, text: await flowFileText(path) })));
      const files = withPartTexts(given);
      await atTemporal(terminal, async (temporal) => {
        const done = orThrow(await publish.do(actingIn(terminal, temporal), null, { files }));
        report(terminal, command, { words: publish.did(done), data: done });
      });
    });
}

const EXAMPLES = `
Examples:
  lockerflow publish device-loan.flow.yaml
  lockerflow publish flows/*.flow.yaml --json`;
