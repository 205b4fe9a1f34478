// `answer`: answers a question that a process of a flow file has asked.
import type { Command } from 'commander';
import { answer } from '../../../processes/commands/answer.ts';
import { orThrow } from '../../../processes/outcome.ts';
import { wrongUse } from '../../../shared/terminal/exit-codes.ts';
import { plain, report, type Terminal } from '../../../shared/terminal/terminal.ts';
import { actingIn, atTemporal } from '../temporal.ts';

interface Options {
  readonly by: string;
  readonly question?: string;
  readonly why?: string;
}

export function addAnswer(program: Command, terminal: Terminal): void {
  program
    .command('answer')
    .description('answer a question that a process has asked; lockerflow inbox lists them')
    .argument('<key>', 'its business key')
    .argument(
      '[field=value...]',
      'fields of the answer; each value as the question asks for it: yes or no, a number or a text',
    )
    .requiredOption('--by <who>', 'who answers')
    .option('--question <id>', 'which question, where several are open')
    .option('--why <reason>', 'why; the history keeps it')
    .addHelpText('after', EXAMPLES)
    .action((key: string, fields: readonly string[], { question, ...who }: Options, command: Command) =>
      atTemporal(terminal, async (temporal) => {
        const input = { values: Object.fromEntries(fields.map(fieldOf)), ...(question && { question }) };
        const given = orThrow(await answer.do(actingIn(terminal, temporal, who), key, input));
        report(terminal, command, {
          words: `${plain(key)}: ${plain(answer.did(given))}`,
          data: { workflowId: key, ...given, by: who.by },
        });
      }),
    );
}

const EXAMPLES = `
Examples:
  lockerflow inbox desk
  lockerflow answer loan-1042 state=broken --by anna
  lockerflow answer repair-7 serial=SN-0001 work=board,screen doneOn=2026-01-05 --by ben`;

function fieldOf(pair: string): [string, string] {
  const at = pair.indexOf('=');
  if (at < 1) throw wrongUse(`${pair} says nothing; expected field=value, like state=broken`);
  return [pair.slice(0, at), pair.slice(at + 1)];
}
