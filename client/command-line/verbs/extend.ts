// `extend`: sets a new deadline for one flow, or for all flows of a query.
import type { Command } from 'commander';
import { roles, stages } from '../../../contract/flows/flow-input.ts';
import { durationMs } from '../../../flow-files/duration.ts';
import { nearestOf } from '../../../flow-files/nearest-names.ts';
import { type ExtendInput, extend } from '../../../processes/commands/extend.ts';
import { wrongUse } from '../../../runtime/terminal/exit-codes.ts';
import type { Terminal } from '../../../runtime/terminal/terminal.ts';
import { type ActingOptions, actingIn, addActingOptions } from '../acting.ts';
import { actOnChosen, addChoiceOptions, type ChoiceOptions, chosenFlows } from '../chosen-flows.ts';
import { atTemporal } from '../temporal.ts';

interface Options extends ChoiceOptions, ActingOptions {
  readonly deadline?: string;
  readonly timer?: string;
  readonly next?: boolean;
  readonly until?: string;
  readonly fromNow?: string;
}

export function addExtend(program: Command, terminal: Terminal): void {
  addActingOptions(
    addChoiceOptions(
      program
        .command('extend')
        .description('move a deadline, or add one, for one flow or for all that a query finds'),
    ),
  )
    .option('--deadline <role.stage>', 'the deadline, like issue.pickUp')
    .option('--timer <id>', 'of a flow file: an `after` that runs, by its id in `awaits` (show --json)')
    .option('--next', 'the deadline or `after` that ends first, of those that run')
    .option('--until <instant>', 'the new end, like 2031-05-01T12:00:00Z')
    .option('--from-now <duration>', 'the new end counted from now, like P2D or PT12H')
    .addHelpText('after', EXAMPLES)
    .action((key: string | undefined, options: Options, command: Command) => {
      const input = extension(options);
      return atTemporal(
        terminal,
        async (temporal) => {
          const keys = await chosenFlows(temporal.client, key, options);
          await actOnChosen(
            terminal,
            command,
            { keys, options, isOne: key !== undefined },
            {
              ...{ command: extend, input, acting: actingIn(terminal, temporal, options) },
              ...{
                verb: `extend ${options.next ? 'the next deadline' : (options.deadline ?? options.timer)} of`,
                done: 'extended',
              },
            },
          );
        },
        { finishes: true },
      );
    });
}

const EXAMPLES = `
Examples:
  lockerflow extend order-1042 --deadline issue.pickUp --from-now P2D
  lockerflow extend check-7 --timer after.P2D --from-now P4D
  lockerflow extend --phase Overdue --next --from-now P1D --dry-run
  lockerflow extend --phase Overdue --pick-up-point pup-central --deadline issue.pickUp --from-now P1D --dry-run`;

function extension(options: Options): ExtendInput {
  const { deadline, timer, next, until, fromNow } = options;
  if ([deadline, timer, next].filter((each) => each !== undefined).length !== 1)
    throw wrongUse('give one of --deadline, --timer and --next, and no other of them');
  if (fromNow !== undefined && durationMs(fromNow) === null)
    throw wrongUse(`--from-now ${fromNow} is not a duration; expected one like P2D or PT12H`);
  if (until !== undefined && Number.isNaN(Date.parse(until)))
    throw wrongUse(`--until ${until} is not an instant; expected one like 2031-05-01T12:00:00Z`);
  if ((until === undefined) === (fromNow === undefined))
    throw wrongUse('give one of --until and --from-now, and not both');
  return {
    ...whichOf(options),
    ...(until === undefined ? { fromNow } : { until }),
  };
}

function whichOf({ deadline, timer, next }: Options): Partial<ExtendInput> {
  if (next) return { next };
  return deadline === undefined ? { timer } : deadlineOf(deadline);
}

function deadlineOf(deadline: string): Pick<ExtendInput, 'role' | 'stage'> {
  const [roleName, stageName] = deadline.split('.');
  const role = roles.find((each) => each === roleName);
  const stage = stages.find((each) => each === stageName);
  if (role && stage) return { role, stage };
  const near = nearestOf(
    deadline,
    roles.flatMap((each) => stages.map((one) => `${each}.${one}`)),
  );
  throw wrongUse(
    `--deadline ${deadline} is not a deadline; ${near ? `did you mean ${near}? ` : ''}expected a role (${roles.join(', ')}), a dot and a stage (${stages.join(', ')})`,
  );
}
