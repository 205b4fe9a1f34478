// `claim`, `release` and `assign`: who is to answer a question that a process of a flow file has asked.
import type { Command } from 'commander';
import { assign, type Changed, claim, release } from '../../../processes/commands/task.ts';
import { type Outcome, orThrow } from '../../../processes/outcome.ts';
import { report } from '../../../runtime/terminal/report.ts';
import { plain } from '../../../runtime/terminal/table.ts';
import type { Terminal } from '../../../runtime/terminal/terminal.ts';
import { actingIn } from '../acting.ts';
import { atTemporal } from '../temporal.ts';

interface Options {
  readonly by: string;
  readonly question?: string;
  readonly to?: string;
  readonly of?: string;
  readonly why?: string;
}

export function addClaim(program: Command, terminal: Terminal): void {
  addTask(program, terminal, {
    command: claim,
    description: 'claim a question: nobody else may answer it then; lockerflow inbox lists them',
    examples: ['lockerflow claim loan-1042 --by anna', 'lockerflow inbox desk --holder anna'],
  });
}

export function addRelease(program: Command, terminal: Terminal): void {
  addTask(program, terminal, {
    command: release,
    description: 'release a question that you hold: everybody of the inbox may answer it again',
    examples: ['lockerflow release loan-1042 --by anna'],
  });
}

export function addAssign(program: Command, terminal: Terminal): void {
  addTask(program, terminal, {
    command: assign,
    description: 'give a question to a person, or to another inbox, whoever holds it now',
    examples: [
      'lockerflow assign loan-1042 --to ben --by anna --why "he knows the device"',
      'lockerflow assign loan-1042 --question check --of repairs --by anna',
    ],
    extra: (command) =>
      command
        .option('--to <who>', 'the person who is to hold it')
        .option('--of <inbox>', 'the inbox that it goes to; nobody holds it then'),
  });
}

interface Task {
  readonly command: typeof claim | typeof release | typeof assign;
  readonly description: string;
  readonly examples: readonly string[];
  readonly extra?: (command: Command) => Command;
}

function addTask(program: Command, terminal: Terminal, task: Task): void {
  const { command: chosen, description, examples, extra = (command) => command } = task;
  const { name } = chosen;
  const verb = program
    .command(name)
    .description(description)
    .argument('<key>', 'the business key of the process')
    .requiredOption('--by <who>', 'who does it')
    .option('--question <id>', 'which question, where several are open')
    .option('--why <reason>', 'why; the history keeps it');
  extra(verb)
    .addHelpText('after', ['', 'Examples:', ...examples.map((each) => `  ${each}`)].join('\n'))
    .action((key: string, { by, why, ...given }: Options, command: Command) =>
      atTemporal(terminal, async (temporal) => {
        const input = orThrow(chosen.read(given));
        const acting = actingIn(terminal, temporal, { by, ...(why !== undefined && { why }) });
        const outcome: Outcome<Changed> = await chosen.do(acting, key, input as never);
        const changed = orThrow(outcome);
        report(terminal, command, {
          words: `${plain(key)}: ${plain(chosen.did(changed))}`,
          data: { workflowId: key, ...changed },
        });
      }),
    );
}
