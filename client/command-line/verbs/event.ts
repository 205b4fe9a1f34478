// `event`: sends an event from outside to a process of a flow file.
import type { Command } from 'commander';
import type { Json } from '../../../flow-files/flow-file.ts';
import { event } from '../../../processes/commands/event.ts';
import { orThrow } from '../../../processes/outcome.ts';
import { wrongUse } from '../../../runtime/terminal/exit-codes.ts';
import { report } from '../../../runtime/terminal/report.ts';
import { plain } from '../../../runtime/terminal/table.ts';
import type { Terminal } from '../../../runtime/terminal/terminal.ts';
import { actingIn } from '../acting.ts';
import { atTemporal } from '../temporal.ts';

interface Options {
  readonly id?: string;
  readonly data?: string;
}

export function addEvent(program: Command, terminal: Terminal): void {
  program
    .command('event')
    .description(
      'tell a process of a flow file what has happened; if no state accepts the event, nothing changes. Events of a flow that the process has started come from that flow alone',
    )
    .argument('<key>', 'its business key')
    .argument('<type>', 'type of the event, as in the file')
    .option('--id <id>', 'id of the event; a repeated id is ignored')
    .option('--data <json>', 'more about the event; expressions see it as event.data')
    .addHelpText('after', EXAMPLES)
    .action((key: string, type: string, options: Options, command: Command) => {
      const { id } = options;
      const data = dataOf(options.data);
      const input = { type, ...(id !== undefined && { id }), ...(data !== undefined && { data }) };
      return atTemporal(terminal, async (temporal) => {
        const sent = orThrow(await event.do(actingIn(terminal, temporal), key, input));
        report(terminal, command, {
          words: `${plain(key)} ${plain(event.did(sent))}`,
          data: { workflowId: key, ...sent },
        });
      });
    });
}

const EXAMPLES = `
Examples:
  lockerflow event loan-1042 repaired --id ticket-7 --data '{ "cost": 12 }'`;

function dataOf(text: string | undefined): Json | undefined {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    throw wrongUse(
      `--data is not JSON (${cause instanceof Error ? cause.message : String(cause)}); expected it like '{ "cost": 12 }'`,
    );
  }
}
