// `inbox`: the questions that wait for people, the most urgent first; with --all everything that waits for a person.
import type { Command } from 'commander';
import type { QuestionField } from '../../client/flow-files/flow-file-handle.ts';
import { DEFAULT_PRIORITY } from '../../flows/language/machine/tasks.ts';
import { ServiceClock } from '../../processes/flow-clock.ts';
import { Inbox } from '../../processes/inbox/inbox.ts';
import type { WorkView } from '../../processes/inbox/inbox-entry.ts';
import { workOf } from '../../processes/inbox/work.ts';
import type { TemporalContext } from '../../processes/temporal-context.ts';
import { onTaskQueue } from '../../processes/views/flow-query.ts';
import { needsPerson, reportsProblems } from '../../processes/views/needs-person.ts';
import { openQuestions, type Question, type QuestionsWanted } from '../../processes/views/questions.ts';
import { CommandFailed, wrongUse } from '../../shared/terminal/exit-codes.ts';
import { report } from '../../shared/terminal/report.ts';
import { table } from '../../shared/terminal/table.ts';
import type { Terminal } from '../../shared/terminal/terminal.ts';
import { formatInbox } from '../format-inbox.ts';
import { utcMinute } from '../moments.ts';
import { atLockerService, atTemporal, SERVICE_SETTINGS } from '../temporal.ts';

interface Options {
  readonly all?: true;
  readonly holder?: string;
}

export function addInbox(program: Command, terminal: Terminal): void {
  program
    .command('inbox')
    .description(
      'list the questions that processes have asked and nobody has answered yet: the highest priority first, then what is due, then the oldest',
    )
    .argument('[name]', 'only this inbox, like desk')
    .option('--holder <who>', 'only those that this person holds')
    .option(
      '--all',
      'list everything that waits for a person: also decisions, items left in lockers, unmatched callbacks, and what ' +
        'flows and the locker service disagree about',
    )
    .addHelpText('after', EXAMPLES)
    .action((name: string | undefined, { all, holder }: Options, command: Command) => {
      if (all && name !== undefined) throw wrongUse('a name and --all are both given; expected one of them');
      return atTemporal(terminal, (temporal) =>
        all
          ? printAll(temporal, terminal, command)
          : printQuestions(temporal, terminal, command, { name, holder }),
      );
    });
}

const EXAMPLES = `
Examples:
  lockerflow inbox
  lockerflow inbox desk --json
  lockerflow inbox --holder anna
  lockerflow inbox --all
${SERVICE_SETTINGS}`;

async function printQuestions(
  temporal: TemporalContext,
  terminal: Terminal,
  command: Command,
  wanted: QuestionsWanted,
): Promise<void> {
  const questions = await openQuestions(temporal, wanted);
  const isWhole = wanted.name === undefined && wanted.holder === undefined;
  const others = isWhole ? await waitsForDecisions(temporal) : 0;
  const lines = [
    ...formatQuestions(questions.items),
    ...(others > 0 ? ['', formatDecisionCount(others)] : []),
  ];
  report(terminal, command, { text: lines, data: questions });
  if (questions.unasked > 0)
    throw new CommandFailed(
      'failed',
      `${questions.unasked} flows did not answer; check that a worker runs, then try again`,
    );
}

/** How many processes stand still until a person decides: they have not asked a question. */
async function waitsForDecisions({ client, taskQueue }: TemporalContext): Promise<number> {
  const inNeed = needsPerson(await reportsProblems(client));
  const query = `${onTaskQueue(taskQueue)} AND ExecutionStatus = 'Running' AND ${inNeed}`;
  return (await client.workflow.count(query)).count;
}

const formatDecisionCount = (count: number): string =>
  `${count === 1 ? '1 process needs a decision' : `${count} processes need decisions`}: lockerflow inbox --all`;

function formatQuestions(items: readonly Question[]): string[] {
  if (items.length === 0) return ['no open questions'];
  const rows = items.map(
    ({ key, of, question, text, note, fields, askedAt, until, holder, priority, due }) => [
      key,
      ...[of, question, note === undefined ? text : `${text} (${note})`],
      Object.entries(fields).map(formatField).join(', '),
      ...[holder ?? '', priority === DEFAULT_PRIORITY ? '' : String(priority)],
      utcMinute(askedAt),
      due === null ? '' : utcMinute(due),
      until === null ? '' : utcMinute(until),
    ],
  );
  const head = ['key', 'of', 'id', 'question', 'answer', 'held by', 'priority'];
  return table(...withoutEmpty([...head, 'asked (UTC)', 'due (UTC)', 'until (UTC)'], rows));
}

/** Most questions are held by nobody and have no priority of their own. */
function withoutEmpty(head: readonly string[], rows: readonly (readonly string[])[]): [string[], string[][]] {
  const used = head.map((name, index) => !optional.has(name) || rows.some((row) => row[index] !== ''));
  const visible = (cells: readonly string[]) => cells.filter((_, index) => used[index]);
  return [visible(head), rows.map(visible)];
}

const optional: ReadonlySet<string> = new Set(['held by', 'priority', 'due (UTC)']);

function formatField([name, field]: [string, QuestionField]): string {
  const { type = 'text', choice, many, optional } = field;
  const kinds = { text: 'text', number: 'number', yesNo: 'yes|no', date: 'YYYY-MM-DD' };
  const kind = choice ? `${choice.join('|')}${many ? ',…' : ''}` : kinds[type];
  const fallback = field.default == null ? '' : ` (${String(field.default)} unless given)`;
  return `${name}=${kind}${optional ? ' (optional)' : ''}${fallback}`;
}

async function printAll(temporal: TemporalContext, terminal: Terminal, command: Command): Promise<void> {
  const inbox = await atLockerService(terminal, (service) => {
    const parts = { ...temporal, service, serviceClock: new ServiceClock(service) };
    return new Inbox(parts).read();
  }).then((view) => workOf(view));
  report(terminal, command, { text: formatInbox(inbox), data: inbox });
  if (inbox.unread.length > 0)
    throw new CommandFailed('failed', `not all could be read: ${inbox.unread.map(formatUnread).join('; ')}`);
}

const formatUnread = ({ what, why }: WorkView['unread'][number]): string => `${what}: ${why}`;
