// `log`: what happened in all processes since a moment, for whoever takes over the shift.
import type { Command } from 'commander';
import { formatAttribution } from '../../contract/flows/attribution.ts';
import { type LogPage, type LogWanted, readLog, readsAll } from '../../processes/log/log.ts';
import { byKind, type LogEntry } from '../../processes/log/log-entries.ts';
import { CommandFailed } from '../../shared/terminal/exit-codes.ts';
import { report } from '../../shared/terminal/report.ts';
import { table } from '../../shared/terminal/table.ts';
import type { Terminal } from '../../shared/terminal/terminal.ts';
import { formatMoment, inTimeOfTerminal, momentIn, zoneOfTerminal } from '../moments.ts';
import { atTemporal, commandContextIn } from '../temporal.ts';

interface Options {
  readonly since: string;
  readonly until?: string;
  readonly by?: string;
}

export function addLog(program: Command, terminal: Terminal): void {
  program
    .command('log')
    .description(
      'list what happened since a moment: who did what to which process and why, notes, what failed or is late, and what happened at the walls',
    )
    .requiredOption(
      '--since <moment>',
      'from then on: 22:00 is the last 22:00 that was, in your time; 8h and 30min count back from now',
    )
    .option('--until <moment>', 'only what happened before then')
    .option('--by <who>', 'only what this person did, or what was done for this person')
    .addHelpText('after', EXAMPLES)
    .action(({ since, until, by }: Options, command: Command) => {
      const wanted = {
        since: momentIn(since, '--since').toISOString(),
        ...(until !== undefined && { until: momentIn(until, '--until').toISOString() }),
        by,
      };
      return atTemporal(terminal, async (temporal) => {
        const log = await readAll(commandContextIn(terminal, temporal), wanted);
        report(terminal, command, {
          text: formatLog(log, wanted.since),
          data: { ...wanted, ...log },
        });
        requireAll(log);
      });
    });
}

const EXAMPLES = `
Examples:
  lockerflow log --since 22:00
  lockerflow log --since 8h --by noor
  lockerflow log --since 2026-11-27 --json
  lockerflow log --since "2026-11-27 22:00" --until "2026-11-28 06:00"`;

const PAGE = 50;
/** More takes minutes to read. */
const MAX_PROCESSES = 1_000;

interface Log extends Omit<LogPage, 'next'> {
  readonly isComplete: boolean;
}

async function readAll(
  temporal: Parameters<typeof readLog>[0],
  wanted: Omit<LogWanted, 'size' | 'cursor'>,
): Promise<Log> {
  const entries: LogEntry[] = [];
  const unread: LogPage['unread'] = [];
  const walls: Pick<LogPage, 'atWalls' | 'wallsUnread'> = { atWalls: [], wallsUnread: [] };
  let cursor: string | undefined;
  for (let read = 0; read < MAX_PROCESSES; read += PAGE) {
    const page = await readLog(temporal, { ...wanted, cursor, size: PAGE }, readsAll);
    entries.push(...page.entries);
    unread.push(...page.unread);
    walls.atWalls.push(...page.atWalls);
    walls.wallsUnread.push(...page.wallsUnread);
    cursor = page.next ?? undefined;
    if (cursor === undefined) break;
  }
  const newestFirst = entries.toSorted((one, other) => other.at.localeCompare(one.at));
  return { entries: newestFirst, ...walls, unread, isComplete: cursor === undefined };
}

function requireAll({ unread, isComplete }: Log): void {
  const missing = [
    ...unread.map(({ key, why }) => `${key} could not be read: ${why}`),
    ...(isComplete
      ? []
      : [`only the first ${MAX_PROCESSES} processes were read; choose a later --since, or --by`]),
  ];
  if (missing.length > 0) throw new CommandFailed('failed', `this is not all: ${missing.join('; ')}`);
}

const titles: Readonly<Record<LogEntry['kind'], string>> = {
  command: 'What people did',
  failure: 'What failed by itself',
  late: 'Came to be late, at least',
  note: 'Notes',
};

function formatLog({ entries, atWalls, wallsUnread }: Log, since: string): string[] {
  const missing = wallsUnread.map((what) => `At the walls this could not be read: ${what}`);
  if (entries.length === 0 && atWalls.length === 0)
    return [`nothing happened since ${formatMoment(since)} (${zoneOfTerminal()})`, ...missing];
  const groups = Object.entries(byKind(entries)).flatMap(([kind, its]) =>
    its.length === 0
      ? []
      : ['', `${titles[kind as LogEntry['kind']]} (${its.length})`, ...table(HEAD, its.map(rowOf))],
  );
  const walls = atWalls.map(({ at, by, words, why }) => [
    formatMoment(at),
    by ?? '',
    inTimeOfTerminal(words),
    why ?? '',
  ]);
  const wallLines =
    walls.length === 0 ? [] : ['', `At the walls (${walls.length})`, ...table(WALL_HEAD, walls)];
  return [...groups, ...wallLines, ...missing].filter((line, index) => line !== '' || index > 0);
}

const WHEN = `when (${zoneOfTerminal()})`;

const WALL_HEAD = [WHEN, 'who', 'what', 'why'];

const HEAD = [WHEN, 'who', 'process', 'flow', 'what', 'why'];

function rowOf({ at, by, onBehalfOf, key, flowName, words, did, why, saysWhy }: LogEntry): string[] {
  const who = by === null ? '' : formatAttribution({ by, onBehalfOf: onBehalfOf ?? undefined });
  const what = inTimeOfTerminal([words, ...did].join(' '));
  return [formatMoment(at), who, key, flowName, what, saysWhy ? '' : (why ?? '')];
}
