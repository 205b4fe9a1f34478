// `inbox`: the questions that wait for people, oldest first.
import type { Command } from 'commander';
import { openQuestions, type WaitingQuestion } from '../../../processes/views/open-questions.ts';
import { CommandFailed } from '../../../runtime/terminal/exit-codes.ts';
import { wantsJson } from '../../../runtime/terminal/report.ts';
import { table } from '../../../runtime/terminal/table.ts';
import type { Terminal } from '../../../runtime/terminal/terminal.ts';
import type { QuestionField } from '../../flow-files/flow-file-handle.ts';
import { atTemporal } from '../temporal.ts';

export function addInbox(program: Command, terminal: Terminal): void {
  program
    .command('inbox')
    .description('list the questions that processes have asked and nobody has answered yet, oldest first')
    .argument('[name]', 'only this inbox, like desk')
    .addHelpText('after', EXAMPLES)
    .action((name: string | undefined, _options, command: Command) =>
      atTemporal(terminal, async (temporal) => {
        const { waiting, unasked } = await openQuestions(temporal, { name });
        tell(terminal, command, waiting);
        if (unasked > 0)
          throw new CommandFailed(
            'failed',
            `${unasked} flows did not answer; check that a worker runs, then try again`,
          );
      }),
    );
}

const EXAMPLES = `
Examples:
  lockerflow inbox
  lockerflow inbox desk --json`;

function tell(terminal: Terminal, command: Command, waiting: readonly WaitingQuestion[]): void {
  if (wantsJson(command)) {
    for (const question of waiting) terminal.write(`${JSON.stringify(question)}\n`);
    return;
  }
  if (waiting.length === 0) return void terminal.write('no open questions\n');
  const rows = waiting.map(({ workflowId, id, of, question, fields, askedAt, until }) => [
    workflowId,
    ...[of, id, question],
    Object.entries(fields).map(fieldWords).join(', '),
    minuteOf(askedAt),
    until === null ? '' : minuteOf(until),
  ]);
  const lines = table(['key', 'of', 'id', 'question', 'answer', 'asked (UTC)', 'until (UTC)'], rows);
  terminal.write(`${lines.join('\n')}\n`);
}

const minuteOf = (instant: string): string => instant.slice(0, 16).replace('T', ' ');

function fieldWords([name, field]: [string, QuestionField]): string {
  const { type = 'text', choice, many, optional } = field;
  const kinds = { text: field.pattern ?? 'text', number: 'number', yesNo: 'yes|no', date: 'YYYY-MM-DD' };
  const kind = choice ? `${choice.join('|')}${many ? ',…' : ''}` : kinds[type];
  const fallback = field.default == null ? '' : ` (${String(field.default)} unless given)`;
  return `${name}=${kind}${optional ? ' (optional)' : ''}${fallback}`;
}
