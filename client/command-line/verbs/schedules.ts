// `schedules`: when flow files start processes by themselves, and what came of the last times; pauses them, and runs them now.
import type { Command } from 'commander';
import { CommandFailed } from '../../../runtime/terminal/exit-codes.ts';
import { report } from '../../../runtime/terminal/report.ts';
import { table } from '../../../runtime/terminal/table.ts';
import type { Terminal } from '../../../runtime/terminal/terminal.ts';
import {
  type FlowSchedule,
  flowSchedules,
  pauseSchedule,
  resumeSchedule,
  runSchedule,
  type ScheduleName,
  scheduleAt,
} from '../../flow-files/schedules.ts';
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
      atTemporal(terminal, async ({ client }) => {
        const found = await flowSchedules(client, flow);
        report(terminal, command, { words: wordsOf(found), data: { schedules: found } });
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
  readonly did: string;
}

const acts: readonly Act[] = [
  { name: 'pause', description: 'start none until it is resumed', did: 'is paused' },
  { name: 'resume', description: 'start at its times again', did: 'starts at its times again' },
  { name: 'run', description: 'start one now, beside its times', did: 'is started now' },
];

interface ActOptions {
  readonly by: string;
  readonly why: string;
}

function addAct(schedules: Command, terminal: Terminal, { name, description, did }: Act): void {
  schedules
    .command(name)
    .description(description)
    .argument('<schedule>', 'as listed: DeviceReport/weekly')
    .requiredOption('--by <who>', 'who asks for it; the schedule keeps it')
    .requiredOption('--why <reason>', 'why')
    .action((given: string, { by, why }: ActOptions, command: Command) =>
      atTemporal(terminal, async ({ client }) => {
        const schedule = given as ScheduleName;
        if (!(await scheduleAt(client, schedule))) {
          const known = (await flowSchedules(client)).map((each) => each.name).join(', ');
          const message = `there is no schedule ${given}; expected one of ${known || 'none: no flow file has one'}`;
          throw new CommandFailed('notFound', message);
        }
        const note = `${by}: ${why}`;
        if (name === 'pause') await pauseSchedule(client, schedule, note);
        else if (name === 'resume') await resumeSchedule(client, schedule, note);
        else await runSchedule(client, schedule);
        report(terminal, command, { words: `${given} ${did}`, data: { schedule: given, done: name } });
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
