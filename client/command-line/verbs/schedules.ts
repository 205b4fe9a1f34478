// `schedules`: when flow files start processes by themselves, and what came of the last times; pauses them, and runs them now.
import type { Command } from 'commander';
import { scheduleCommands } from '../../../processes/commands/schedule.ts';
import { orThrow } from '../../../processes/outcome.ts';
import { type FlowSchedule, readSchedules } from '../../../processes/schedules.ts';
import { report } from '../../../shared/terminal/report.ts';
import { table } from '../../../shared/terminal/table.ts';
import type { Terminal } from '../../../shared/terminal/terminal.ts';
import { actingIn } from '../acting.ts';
import { atTemporal } from '../temporal.ts';

export function addSchedules(program: Command, terminal: Terminal): void {
  const schedules = program
    .command('schedules')
    .description('when published flow files start processes by themselves')
    .addHelpText('after', EXAMPLES);
  schedules
    .command('list', { isDefault: true })
    .description('list the schedules, with their next and last starts')
    .argument('[Flow]', 'only those of one flow file')
    .action((flow: string | undefined, _options: object, command: Command) =>
      atTemporal(terminal, async (temporal) => {
        const found = await readSchedules(temporal, flow);
        report(terminal, command, { words: wordsOf(found.items), data: found });
      }),
    );
  for (const act of acts) addAct(schedules, terminal, act);
}

const EXAMPLES = `
Examples:
  lockerflow schedules
  lockerflow schedules pause DeviceReport/weekly --by anna --why "the desk is closed"
  lockerflow schedules run DeviceReport/weekly --by anna --why "wanted today"`;

interface Act {
  readonly name: 'pause' | 'resume' | 'run';
  readonly description: string;
}

const acts: readonly Act[] = [
  { name: 'pause', description: 'start none until it is resumed' },
  { name: 'resume', description: 'start at its times again' },
  { name: 'run', description: 'start one now, beside its times' },
];

interface ActOptions {
  readonly by: string;
  readonly why: string;
}

function addAct(schedules: Command, terminal: Terminal, { name, description }: Act): void {
  schedules
    .command(name)
    .description(description)
    .argument('<schedule>', 'as listed: DeviceReport/weekly')
    .requiredOption('--by <who>', 'who asks for it; the schedule keeps it')
    .requiredOption('--why <reason>', 'why')
    .action((given: string, { by, why }: ActOptions, command: Command) =>
      atTemporal(terminal, async (temporal) => {
        const acting = { ...actingIn(terminal, temporal), by, why };
        const schedule = orThrow(await scheduleCommands[name].do(acting, given, {}));
        report(terminal, command, { words: scheduleCommands[name].did(schedule), data: schedule });
      }),
    );
}

function wordsOf(found: readonly FlowSchedule[]): string {
  if (found.length === 0) return 'no flow file has a schedule';
  const rows = found.map(({ name, cron, zone, isPaused, note, next, last }) => [
    name,
    `${cron} ${zone}`,
    isPaused ? `paused${note === null ? '' : ` by ${note}`}` : (next[0] ?? 'never again'),
    last.at(-1)?.key ?? 'none yet',
  ]);
  return table(['schedule', 'when', 'next', 'last process'], rows).join('\n');
}
