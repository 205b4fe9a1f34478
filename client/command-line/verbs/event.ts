// `event`: sends an event from outside to a process of a flow file.
import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { Json } from '../../../flow-files/flow-file.ts';
import { wrongUse } from '../../../runtime/terminal/exit-codes.ts';
import { report } from '../../../runtime/terminal/report.ts';
import { plain } from '../../../runtime/terminal/table.ts';
import type { Terminal } from '../../../runtime/terminal/terminal.ts';
import { refusalOfEvent, requireOpen } from '../open-flow.ts';
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
      const { id = randomUUID() } = options;
      const data = dataOf(options.data);
      return atTemporal(terminal, async (temporal) => {
        const { client, flows } = temporal;
        await requireOpen(client, key);
        const refusal = await refusalOfEvent(temporal, key, type);
        if (refusal !== undefined) throw wrongUse(`${plain(type)} ${refusal}`);
        await flows.fileHandle(key).tell({ type, id, ...(data !== undefined && { data }) });
        report(terminal, command, {
          words: `${plain(key)} has been told ${plain(type)}`,
          data: { workflowId: key, type, id },
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
