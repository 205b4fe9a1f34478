// `publish`: checks flow files and puts them into Temporal, where processes are started on them by their names.
import type { Command } from 'commander';
import { wordsOfFinding } from '../../../flow-files/reading/finding.ts';
import type { PublishResult } from '../../../flow-files/registry.ts';
import { CommandFailed } from '../../../terminal/exit-codes.ts';
import { report } from '../../../terminal/report.ts';
import type { Terminal } from '../../../terminal/terminal.ts';
import { FlowFileRefused, nameIn } from '../../flow-files/publish.ts';
import { flowFileText } from '../flow-file-text.ts';
import { type AtTemporal, answered, atTemporal } from '../temporal.ts';

export function addPublish(program: Command, terminal: Terminal): void {
  program
    .command('publish')
    .description(
      'check flow files and publish them; the same content is the same version, other content the next one. ' +
        'Processes that run stay on the version that they began with. A worker must be running',
    )
    .argument('<file...>', 'flow files, YAML or JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], _options, command: Command) => {
      const texts = await Promise.all(paths.map(async (path) => ({ path, text: await flowFileText(path) })));
      await atTemporal(terminal, (temporal) => publish(terminal, command, temporal, texts));
    });
}

interface Given {
  readonly path: string;
  readonly text: string;
}

/** Those that are sound are published, also where others are not. */
async function publish(
  terminal: Terminal,
  command: Command,
  temporal: AtTemporal,
  given: readonly Given[],
): Promise<void> {
  const beside = given.flatMap(({ text }) => nameIn(text) ?? []);
  const done: PublishResult[] = [];
  const refused: string[] = [];
  for (const { path, text } of given)
    await answered(temporal, () => temporal.flows.publish(text, { beside })).then(
      (result) => void done.push(result),
      (error: unknown) => {
        if (!(error instanceof FlowFileRefused)) throw error;
        refused.push(...error.findings.map((finding) => `${path}: ${wordsOfFinding(finding)}`));
      },
    );
  if (done.length > 0) report(terminal, command, { words: done.map(wordsOf).join('\n'), data: done });
  if (refused.length > 0) throw new CommandFailed('wrongUse', refused.join('\n'));
}

const EXAMPLES = `
Examples:
  lockerflow publish device-loan.flow.yaml
  lockerflow publish flows/*.flow.yaml --json`;

const wordsOf = ({ name, version, isNew }: PublishResult): string =>
  isNew ? `${name}@${version} is published` : `${name}@${version} has this content already`;
