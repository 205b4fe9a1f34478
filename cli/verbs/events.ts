// `events`: the events by business data that wait for a process, and those that nobody took.
import type { Command } from 'commander';
import { type QueuedEventsPage, readQueuedEvents } from '../../processes/views/queued-events.ts';
import { report } from '../../shared/terminal/report.ts';
import { table } from '../../shared/terminal/table.ts';
import type { Terminal } from '../../shared/terminal/terminal.ts';
import { utc } from '../moments.ts';
import { pairIn, wholeNumber } from '../options.ts';
import { atTemporal } from '../temporal.ts';

interface Options {
  readonly where?: string;
  readonly limit: number;
}

export function addEvents(program: Command, terminal: Terminal): void {
  const events = program
    .command('events')
    .description('events by business data (lockerflow event TYPE --where …) in their queues')
    .addHelpText('after', EXAMPLES);
  events
    .command('list', { isDefault: true })
    .description('list those that wait for a process, and those that nobody took, newest first')
    .option('--where <name=value>', 'only those for this key and value')
    .option('--limit <number>', 'how many at most, 1 to 200', wholeNumber(1, 200), 50)
    .action(({ where, limit }: Options, command: Command) =>
      atTemporal(terminal, async (temporal) => {
        const page = await readQueuedEvents(temporal, {
          size: limit,
          ...(where !== undefined && {
            where: Object.fromEntries([
              pairIn(where, 'a name and a value, such as device=laptop-7', '--where'),
            ]),
          }),
        });
        report(terminal, command, { text: formatPage(page), data: page });
      }),
    );
}

const EXAMPLES = `
Examples:
  lockerflow events list
  lockerflow events list --where device=laptop-7`;

function formatPage({ events, isComplete }: QueuedEventsPage): string[] {
  const more = isComplete ? [] : ['', 'there may be more: give --where, or a higher --limit'];
  if (events.length === 0) return ['no event waits', ...more];
  const rows = events.map(({ type, id, where, sentAt, until, takenBy, state }) => [
    type,
    Object.entries(where)
      .map(([key, value]) => `${key}=${value}`)
      .join(' '),
    id,
    utc(sentAt),
    `${state === 'waits' ? 'waits until' : 'waited until'} ${utc(until)}`,
    takenBy.join(', ') || 'nobody',
  ]);
  return [...table(['event', 'for', 'id', 'sent (UTC)', '', 'taken by'], rows), ...more];
}
