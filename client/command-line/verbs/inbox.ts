// `inbox`: the questions that wait for people, oldest first.
import type { Command } from 'commander';
import { MORE_VALUES } from '../../../contract/flows/search-attributes.ts';
import { CommandFailed } from '../../../terminal/exit-codes.ts';
import { wantsJson } from '../../../terminal/report.ts';
import { table } from '../../../terminal/table.ts';
import type { Terminal } from '../../../terminal/terminal.ts';
import type { OpenQuestion, QuestionField } from '../../flow-files/flow-file-handle.ts';
import { eachAtOnce } from '../at-once.ts';
import { quoted } from '../flow-query.ts';
import { everyFound, type FoundFlow } from '../found-flows.ts';
import { type AtTemporal, answered, atTemporal } from '../temporal.ts';

interface Waiting extends OpenQuestion {
  readonly workflowId: string;
  readonly flow: string;
}

export function addInbox(program: Command, terminal: Terminal): void {
  program
    .command('inbox')
    .description('list the questions that processes have asked and nobody has answered yet, oldest first')
    .argument('[name]', 'only those that are asked of this one, like desk')
    .addHelpText('after', EXAMPLES)
    .action((name: string | undefined, _options, command: Command) =>
      atTemporal(terminal, async (temporal) => {
        const { waiting, unasked } = await waitingFor(temporal, name);
        tell(terminal, command, waiting);
        if (unasked > 0)
          throw new CommandFailed('failed', `${unasked} flows did not answer; is a worker running?`);
      }),
    );
}

async function waitingFor(temporal: AtTemporal, name: string | undefined) {
  const asked =
    name === undefined
      ? 'LockerInbox IS NOT NULL'
      : `LockerInbox IN (${quoted(name)}, ${quoted(MORE_VALUES)})`;
  const found = everyFound(temporal.client, `${asked} AND ExecutionStatus = 'Running'`);
  const waiting: Waiting[] = [];
  let unasked = 0;
  for await (const { item, outcome } of eachAtOnce(found, (each) => questionsOf(temporal, each))) {
    if (outcome.done) waiting.push(...outcome.value.map((each) => ({ ...each, ...keyOf(item) })));
    else unasked += 1;
  }
  return { waiting: waiting.filter(({ of }) => name === undefined || of === name), unasked };
}

const keyOf = ({ workflowId, flow }: FoundFlow) => ({ workflowId, flow });

async function questionsOf(
  temporal: AtTemporal,
  { workflowId }: FoundFlow,
): Promise<readonly OpenQuestion[]> {
  const { questions = [] } = await answered(temporal, () => temporal.flows.fileHandle(workflowId).progress());
  return questions;
}

const EXAMPLES = `
Examples:
  lockerflow inbox
  lockerflow inbox desk --json`;

function tell(terminal: Terminal, command: Command, waiting: readonly Waiting[]): void {
  const sorted = waiting.toSorted((one, other) => one.askedAt.localeCompare(other.askedAt));
  if (wantsJson(command)) {
    for (const question of sorted) terminal.write(`${JSON.stringify(question)}\n`);
    return;
  }
  if (sorted.length === 0) return void terminal.write('nobody is asked anything\n');
  const rows = sorted.map(({ workflowId, id, of, question, fields, askedAt, until }) => [
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

function fieldWords([name, { type = 'text', choice, optional }]: [string, QuestionField]): string {
  const kind = choice ? choice.join('|') : { text: 'text', number: 'number', yesNo: 'yes|no' }[type];
  return `${name}=${kind}${optional ? ' (optional)' : ''}`;
}
