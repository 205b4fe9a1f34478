// `schedule`: pauses, resumes or runs a schedule of a flow file. `flows` shows them.
import type { Command } from 'commander';
import { scheduleCommands } from '../../processes/commands/schedule.ts';
import { orThrow } from '../../processes/outcome.ts';
import { report } from '../../shared/terminal/report.ts';
import type { Terminal } from '../../shared/terminal/terminal.ts';
import { type ActingOptions, addActingOptions, atTemporal, commandContextIn } from '../temporal.ts';

export function addSchedule(program: Command, terminal: Terminal): void {
  const schedule = program
    .command('schedule')
    .description(
      'pause and resume a schedule of a flow file, or run it now; lockerflow flows <Flow> shows them',
    )
    .addHelpText('after', EXAMPLES);
  for (const [name, description] of Object.entries(descriptions) as [keyof typeof descriptions, string][]) {
    const isDecision = scheduleCommands[name].why === 'needed';
    addActingOptions(
      schedule
        .command(name)
        .description(description)
        .argument('<Flow>', 'the flow file, by its name')
        .argument('<schedule>', 'the schedule, by its name in the file'),
      { needsPerson: isDecision, needsWhy: isDecision },
    ).action((flow: string, of: string, options: ActingOptions, command: Command) =>
      atTemporal(terminal, async (temporal) => {
        const target = { flow, schedule: of };
        const commandContext = commandContextIn(terminal, temporal, options);
        if (name === 'run') {
          const started = orThrow(await scheduleCommands.run.do(commandContext, target, {}));
          return report(terminal, command, {
            text: scheduleCommands.run.formatResult(started),
            data: { ...started },
          });
        }
        const now = orThrow(await scheduleCommands[name].do(commandContext, target, {}));
        report(terminal, command, { text: scheduleCommands[name].formatResult(now), data: { ...now } });
      }),
    );
  }
}

const descriptions = {
  pause: 'start nothing at its times, until it is resumed; publishing the file changes nothing of that',
  resume: 'start processes at its times again',
  run: 'start a process with its request now, also while it is paused',
} as const;

const EXAMPLES = `
Examples:
  lockerflow flows MonthlyReport
  lockerflow schedule pause MonthlyReport monthly --by anna --why "the desk is closed"
  lockerflow schedule run MonthlyReport monthly --by anna`;
