// `notify`: tries out by which connector, and of what, the workers notify people.
import type { Command } from 'commander';
import type { NotifyResult } from '../../contract/flows/notifications.ts';
import { tryNotifier } from '../../processes/notifications/notifier.ts';
import { wrongUse } from '../../shared/terminal/exit-codes.ts';
import { report } from '../../shared/terminal/report.ts';
import type { Terminal } from '../../shared/terminal/terminal.ts';
import { atTemporal } from '../temporal.ts';

interface Options {
  readonly test?: true;
  readonly dryRun?: true;
}

export function addNotify(program: Command, terminal: Terminal): void {
  program
    .command('notify')
    .description('try out the notifications of what is new in Work, which the workers send once a minute')
    .option('--test', 'send one message that says that it is a test, and show what came back')
    .option('--dry-run', 'show what would be sent now, and send nothing')
    .addHelpText('after', EXAMPLES)
    .action(({ test, dryRun }: Options, command: Command) => {
      if (test === dryRun) throw wrongUse('expected exactly one of --test and --dry-run');
      return atTemporal(terminal, async (temporal) => {
        const result = await tryNotifier(temporal, test ? 'test' : 'dryRun');
        const { notification, answer } = result;
        report(terminal, command, { text: formatResult(result), data: { notification, answer } });
      });
    });
}

const EXAMPLES = `
Examples:
  lockerflow notify --test
  lockerflow notify --dry-run

A worker does it, with its own settings: NOTIFY_CONNECTOR and LOCKERFLOW_CONNECTORS.`;

function formatResult({ notification, answer }: NotifyResult): string[] {
  if (!notification) return ['nothing would be sent now'];
  if (answer !== null) return [`sent: ${notification.title}`, `the other side answered: ${answer}`];
  return [notification.title, '', ...notification.text.split('\n')];
}
