// `extend`: sets a deadline anew, of one flow or of all that a query finds.
import type { Command } from 'commander';
import { roles, stages } from '../../../contract/flows/flow-input.ts';
import type { ExtendDeadline } from '../../../contract/flows/flow-messages.ts';
import { wrongUse } from '../../../terminal/exit-codes.ts';
import type { Terminal } from '../../../terminal/terminal.ts';
import { actOnChosen, addChoiceOptions, type ChoiceOptions, chosenFlows } from '../chosen-flows.ts';
import { requireOpen } from '../open-flow.ts';
import { answered, atTemporal } from '../temporal.ts';

interface Options extends ChoiceOptions {
  readonly deadline: string;
  readonly until?: string;
  readonly fromNow?: string;
}

export function addExtend(program: Command, terminal: Terminal): void {
  addChoiceOptions(
    program
      .command('extend')
      .description('move a deadline, or add one, for one flow or for all that a query finds'),
  )
    .requiredOption('--deadline <role.stage>', 'the deadline, like issue.pickUp')
    .option('--until <instant>', 'the new end, like 2031-05-01T12:00:00Z')
    .option('--from-now <duration>', 'the new end counted from now, like P2D or PT12H')
    .addHelpText('after', EXAMPLES)
    .action((key: string | undefined, options: Options, command: Command) => {
      const update = extension(options);
      return atTemporal(
        terminal,
        async (temporal) => {
          const keys = await chosenFlows(temporal.client, key, options);
          if (key !== undefined) await requireOpen(temporal.client, key);
          const act = (workflowId: string) =>
            answered(temporal, () => temporal.flows.handle(workflowId).extendDeadline(update));
          const deed = { verb: `extend ${options.deadline} of`, done: 'extended', act };
          await actOnChosen(terminal, command, { keys, options, isOne: key !== undefined }, deed);
        },
        { finishes: true },
      );
    });
}

const EXAMPLES = `
Examples:
  lockerflow extend order-1042 --deadline issue.pickUp --from-now P2D
  lockerflow extend --phase Overdue --pick-up-point pup-central --deadline issue.pickUp --from-now P1D --dry-run`;

function extension({ deadline, until, fromNow }: Options): ExtendDeadline {
  const [roleName, stageName] = deadline.split('.');
  const role = roles.find((each) => each === roleName);
  const stage = stages.find((each) => each === stageName);
  if (!role || !stage)
    throw wrongUse(
      `--deadline ${deadline} is not a deadline; expected a role (${roles.join(', ')}), a dot and a stage (${stages.join(', ')})`,
    );
  if (until !== undefined && fromNow === undefined) return { role, stage, until };
  if (fromNow !== undefined && until === undefined) return { role, stage, fromNow };
  throw wrongUse('expected either --until or --from-now');
}
