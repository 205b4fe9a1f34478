// `logs`: one life across the processes, from the log files of `npm start` or from any others.
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { CommandFailed } from '../../../shared/terminal/exit-codes.ts';
import { report } from '../../../shared/terminal/report.ts';
import { plain } from '../../../shared/terminal/table.ts';
import type { Terminal } from '../../../shared/terminal/terminal.ts';
import { type Life, type LoggedEvent, lifeIn } from './life-in-logs.ts';

export function addLogs(program: Command, terminal: Terminal): void {
  program
    .command('logs')
    .description(
      'show every log line of service, receiver, worker and callback sender about one flow or shipment',
    )
    .argument('<key>', "the flow's business key, a case number or a shipmentUid")
    .option('--file <files...>', 'these log files; without it, those of npm start')
    .addHelpText('after', MORE)
    .action(async (key: string, { file }: { file?: string[] }, command: Command) => {
      const files = file ?? (await filesOfStart(terminal.variables.LOCKERFLOW_HOME || '.lockerflow'));
      const life = await lifeIn(files, key).catch((cause: Error) => {
        throw new CommandFailed('wrongUse', `a log file cannot be read (${cause.message}); check --file`, {
          cause,
        });
      });
      if (life.events.length === 0)
        throw new CommandFailed(
          'notFound',
          `no line of ${files.join(', ')} names ${key}; check the key, or name other files with --file`,
        );
      report(terminal, command, { words: words(life), data: { key, ...life } });
    });
}

const MORE = `
The lines of the flow's shipments are shown too, also from before the flow started. npm start keeps its log files in
LOCKERFLOW_HOME, which is .lockerflow in the folder of the checkout if not set. Elsewhere the processes write their lines to
the standard output: collect them, or give files with them.

Examples:
  lockerflow logs order-1042
  lockerflow logs order-1042 --file service.log receiver.log worker.log`;

async function filesOfStart(home: string): Promise<string[]> {
  const folder = resolve(home);
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith('.log') && name !== 'temporal.log');
  if (files.length === 0)
    throw new CommandFailed(
      'wrongUse',
      `there are no log files in ${folder}; expected the folder of npm start (LOCKERFLOW_HOME), or --file`,
    );
  return files.sort().map((name) => join(folder, name));
}

const LEVELS: readonly (readonly [from: number, word: string])[] = [
  [50, 'error'],
  [40, 'warn'],
  [30, 'info'],
];
const NOT_SHOWN: ReadonlySet<string> = new Set(['time', 'level', 'part', 'msg', 'pid', 'hostname', 'err']);

const words = ({ events }: Life): string => events.map(lineOf).join('\n');

function lineOf(event: LoggedEvent): string {
  const { time, level, part, msg, err } = event;
  const [, word] = LEVELS.find(([from]) => level >= from) ?? [0, 'debug'];
  const fields = Object.entries(event)
    .filter(([name, value]) => !NOT_SHOWN.has(name) && !isEmpty(value))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const failure = errorWords(err);
  return plain(
    [
      new Date(time).toISOString(),
      part.padEnd(8),
      word.padEnd(5),
      failure === undefined ? msg : `${msg}: ${failure}`,
      ...fields,
    ].join('  '),
  );
}

const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);

function errorWords(err: unknown): string | undefined {
  if (typeof err !== 'object' || err === null || !('message' in err)) return undefined;
  return String(err.message).replaceAll(/\s*\n\s*/g, ' ');
}
