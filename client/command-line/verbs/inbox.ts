// `inbox`: the questions that wait for people, oldest first; with --all everything that waits for a person.
import type { Command } from 'commander';
import type { AtTemporal } from '../../../processes/at-temporal.ts';
import { ServiceClock } from '../../../processes/service-clock.ts';
import { Inbox } from '../../../processes/views/inbox/inbox.ts';
import type { InboxView } from '../../../processes/views/inbox/inbox-entry.ts';
import { USUAL_LATE_MS } from '../../../processes/views/inbox/late-callbacks.ts';
import { openQuestions, type Question } from '../../../processes/views/questions.ts';
import { CommandFailed, wrongUse } from '../../../runtime/terminal/exit-codes.ts';
import { report } from '../../../runtime/terminal/report.ts';
import { plain, table } from '../../../runtime/terminal/table.ts';
import type { Terminal } from '../../../runtime/terminal/terminal.ts';
import type { QuestionField } from '../../flow-files/flow-file-handle.ts';
import { atLockerService, peerIn, SERVICE_SETTINGS } from '../locker-service.ts';
import { atTemporal } from '../temporal.ts';

export function addInbox(program: Command, terminal: Terminal): void {
  program
    .command('inbox')
    .description('list the questions that processes have asked and nobody has answered yet, oldest first')
    .argument('[name]', 'only this inbox, like desk')
    .option(
      '--all',
      'list everything that waits for a person: also decisions, items left in lockers, parked callbacks, and what ' +
        'flows and the locker service disagree about',
    )
    .addHelpText('after', EXAMPLES)
    .action((name: string | undefined, { all }: { all?: true }, command: Command) => {
      if (all && name !== undefined) throw wrongUse('a name and --all are both given; expected one of them');
      return atTemporal(terminal, (temporal) =>
        all ? tellAll(temporal, terminal, command) : tellQuestions(temporal, terminal, command, name),
      );
    });
}

const EXAMPLES = `
Examples:
  lockerflow inbox
  lockerflow inbox desk --json
  lockerflow inbox --all
${SERVICE_SETTINGS}`;

async function tellQuestions(
  temporal: AtTemporal,
  terminal: Terminal,
  command: Command,
  name: string | undefined,
): Promise<void> {
  const asked = await openQuestions(temporal, name);
  report(terminal, command, { words: questionWords(asked.items), data: asked });
  if (asked.unasked > 0)
    throw new CommandFailed(
      'failed',
      `${asked.unasked} flows did not answer; check that a worker runs, then try again`,
    );
}

function questionWords(items: readonly Question[]): string {
  if (items.length === 0) return 'no open questions';
  const rows = items.map(({ key, of, question, text, fields, askedAt, until }) => [
    key,
    ...[of, question, text],
    Object.entries(fields).map(fieldWords).join(', '),
    minuteOf(askedAt),
    until === null ? '' : minuteOf(until),
  ]);
  return table(['key', 'of', 'id', 'question', 'answer', 'asked (UTC)', 'until (UTC)'], rows).join('\n');
}

const minuteOf = (instant: string): string => instant.slice(0, 16).replace('T', ' ');

function fieldWords([name, field]: [string, QuestionField]): string {
  const { type = 'text', choice, many, optional } = field;
  const kinds = { text: field.pattern ?? 'text', number: 'number', yesNo: 'yes|no', date: 'YYYY-MM-DD' };
  const kind = choice ? `${choice.join('|')}${many ? ',…' : ''}` : kinds[type];
  const fallback = field.default == null ? '' : ` (${String(field.default)} unless given)`;
  return `${name}=${kind}${optional ? ' (optional)' : ''}${fallback}`;
}

async function tellAll(temporal: AtTemporal, terminal: Terminal, command: Command): Promise<void> {
  const inbox = await atLockerService(terminal, (service) => {
    const parts = { ...temporal, service, peer: peerIn(terminal), callbackLateMs: USUAL_LATE_MS };
    return new Inbox({ ...parts, serviceClock: new ServiceClock(service) }, () => undefined).readOnce();
  });
  report(terminal, command, { words: inboxWords(inbox), data: inbox });
  if (inbox.unread.length > 0)
    throw new CommandFailed('failed', `not all could be read: ${inbox.unread.map(unreadWords).join('; ')}`);
}

const unreadWords = ({ what, why }: InboxView['unread'][number]): string => `${what}: ${why}`;

function inboxWords({ entries }: InboxView): string {
  if (entries.length === 0) return 'nothing waits for a person';
  const lines = entries.flatMap(({ title, key, shipmentUid, since, why, ifNothing, toDo }) => [
    [since && minuteOf(since), title, key ?? shipmentUid].filter(Boolean).join('  '),
    ...[why, `If nobody does anything: ${ifNothing}`, toDo].map((each) => `  ${each}`),
    '',
  ]);
  return lines.slice(0, -1).map(plain).join('\n');
}
