// `answer`: answers a question that a process of a flow file has asked.
import type { Command } from 'commander';
import { CommandFailed, wrongUse } from '../../../runtime/terminal/exit-codes.ts';
import { report } from '../../../runtime/terminal/report.ts';
import { plain } from '../../../runtime/terminal/table.ts';
import type { Terminal } from '../../../runtime/terminal/terminal.ts';
import type { OpenQuestion } from '../../flow-files/flow-file-handle.ts';
import { requireOpen } from '../open-flow.ts';
import { answered, atTemporal } from '../temporal.ts';

interface Options {
  readonly by: string;
  readonly question?: string;
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
    .addHelpText('after', EXAMPLES)
    .action((key: string, fields: readonly string[], { by, question }: Options, command: Command) =>
      atTemporal(terminal, async (temporal) => {
        await requireOpen(temporal.client, key);
        const handle = temporal.flows.fileHandle(key);
        const { questions = [] } = await answered(temporal, () => handle.progress());
        const asked = chosen(key, questions, question);
        const values = Object.fromEntries(fields.map((pair) => fieldOf(pair, asked)));
        await answered(temporal, () => handle.answer({ question: asked.id, values, by }));
        report(terminal, command, {
          words: `${plain(key)}: ${plain(asked.id)} is answered`,
          data: { workflowId: key, question: asked.id, values, by },
        });
      }),
    );
}

const EXAMPLES = `
Examples:
  lockerflow inbox desk
  lockerflow answer loan-1042 state=broken --by anna`;

function chosen(key: string, questions: readonly OpenQuestion[], id: string | undefined): OpenQuestion {
  const ids = questions.map((each) => each.id).join(', ');
  const found = questions.filter((each) => id === undefined || each.id === id);
  const [question, another] = found;
  if (question && !another) return question;
  if (questions.length === 0)
    throw new CommandFailed('failed', `${key} asks nothing now; lockerflow inbox lists the open questions`);
  throw wrongUse(
    id === undefined
      ? `several questions are open; expected --question, one of ${ids}`
      : `--question ${id} is not open; expected ${ids}`,
  );
}

/**
 * In the type of the field. A text that does not fit is sent unchanged; the process refuses it and says what it
 * expected.
 */
function fieldOf(pair: string, { fields }: OpenQuestion): [string, string | number | boolean] {
  const at = pair.indexOf('=');
  if (at < 1)
    throw wrongUse(
      `${pair} says nothing; expected field=value, with a field of ${Object.keys(fields).join(', ')}`,
    );
  const [name, text] = [pair.slice(0, at), pair.slice(at + 1)];
  const { type } = Object.hasOwn(fields, name) ? (fields[name] ?? {}) : {};
  if (type === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return [name, Number(text)];
  if (type === 'yesNo' && /^(?:yes|no|true|false)$/i.test(text)) return [name, /^(?:yes|true)$/i.test(text)];
  return [name, text];
}
