// `cancel`: asks one flow, or all flows of a query, to undo its bookings and end.
import type { Command } from 'commander';
import { cancel } from '../../../processes/commands/cancel.ts';
import type { Terminal } from '../../../runtime/terminal/terminal.ts';
import { type ActingOptions, actingIn, addActingOptions } from '../acting.ts';
import { actOnChosen, addChoiceOptions, type ChoiceOptions, chosenFlows } from '../chosen-flows.ts';
import { atTemporal } from '../temporal.ts';

type Options = ChoiceOptions & ActingOptions;

export function addCancel(program: Command, terminal: Terminal): void {
  addActingOptions(
    addChoiceOptions(
      program
        .command('cancel')
        .description(
          'ask one flow, or all open ones that a query finds, to undo what they have booked and end; ' +
            'lockerflow items-left lists the items that stay in lockers',
        ),
    ),
  )
    .addHelpText('after', EXAMPLES)
    .action((key: string | undefined, options: Options, command: Command) =>
      atTemporal(
        terminal,
        async (temporal) => {
          const keys = await chosenFlows(temporal.client, key, options);
          await actOnChosen(
            terminal,
            command,
            { keys, options, isOne: key !== undefined },
            {
              ...{ command: cancel, input: {}, acting: actingIn(terminal, temporal, options) },
              ...{ verb: 'cancel', done: 'cancellation asked for' },
            },
          );
        },
        { finishes: true },
      ),
    );
}

const EXAMPLES = `
Examples:
  lockerflow cancel order-1042 --why "the user has moved"
  lockerflow cancel --pick-up-point pup-central --flow Intake --dry-run
  lockerflow cancel --phase Overdue --started-before 2031-05-01T00:00:00Z --yes --by anna --why "season is over"`;
