// `cancel`: asks one flow, or all flows of a query, to undo its bookings and end.
import type { Command } from 'commander';
import type { Terminal } from '../../../runtime/terminal/terminal.ts';
import { actOnChosen, addChoiceOptions, type ChoiceOptions, chosenFlows } from '../chosen-flows.ts';
import { requireOpen } from '../open-flow.ts';
import { atTemporal } from '../temporal.ts';

export function addCancel(program: Command, terminal: Terminal): void {
  addChoiceOptions(
    program
      .command('cancel')
      .description(
        'ask one flow, or all open ones that a query finds, to undo what they have booked and end; ' +
          'lockerflow items-left lists the items that stay in lockers',
      ),
  )
    .addHelpText('after', EXAMPLES)
    .action((key: string | undefined, options: ChoiceOptions, command: Command) =>
      atTemporal(
        terminal,
        async ({ client, flows }) => {
          const keys = await chosenFlows(client, key, options);
          if (key !== undefined) await requireOpen(client, key);
          const bulkAction = {
            verb: 'cancel',
            done: 'cancellation asked for',
            act: async (workflowId: string) => {
              await flows.handle(workflowId).cancel();
              return undefined;
            },
          };
          await actOnChosen(terminal, command, { keys, options, isOne: key !== undefined }, bulkAction);
        },
        { finishes: true },
      ),
    );
}

const EXAMPLES = `
Examples:
  lockerflow cancel order-1042
  lockerflow cancel --pick-up-point pup-central --flow Intake --dry-run
  lockerflow cancel --phase Overdue --started-before 2031-05-01T00:00:00Z --yes`;
