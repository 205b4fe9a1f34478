// `clock`: shows and moves the clock of a tenant in staging, and of the flows that go by it.
import type { Command } from 'commander';
import {
  ClockNotAtRest,
  type ClockShown,
  type DueByClock,
  SandboxClocks,
} from '../../client/sandbox-clock.ts';
import { durationMs } from '../../flows/language/duration.ts';
import { escapeControlCharacters } from '../../shared/terminal/escape-control-characters.ts';
import { CommandFailed, wrongUse } from '../../shared/terminal/exit-codes.ts';
import { report, wantsJson } from '../../shared/terminal/report.ts';
import { table } from '../../shared/terminal/table.ts';
import type { Terminal } from '../../shared/terminal/terminal.ts';
import { atLockerService, atTemporal, SERVICE_SETTINGS } from '../temporal.ts';

export function addClock(program: Command, terminal: Terminal): void {
  const clock = program
    .command('clock')
    .description(
      'show and move the clock of a staging service, and of the flows started with --set clock=sandbox',
    )
    .addHelpText('after', EXAMPLES);
  clock
    .command('show')
    .description('show the time, and what is due next')
    .addHelpText('after', SERVICE_SETTINGS)
    .action((_: object, command: Command) =>
      withClocks(terminal, async (clocks) => {
        const status = await clocks.show();
        report(terminal, command, { text: clockLines(status), data: status });
      }),
    );
  clock
    .command('advance')
    .description(
      'move the clock ahead; everything that falls due on the way happens, each thing at its own time',
    )
    .argument('<duration>', 'by how much, like P3D or PT2H30M')
    .addHelpText('after', SERVICE_SETTINGS)
    .action((duration: string, _: object, command: Command) => {
      const milliseconds = durationMs(duration);
      if (milliseconds === null)
        throw wrongUse(`${duration} is not a duration; expected one longer than zero, like P3D or PT2H30M`);
      return withClocks(terminal, (clocks) => advance(clocks, Math.ceil(milliseconds), terminal, command));
    });
}

const EXAMPLES = `
Examples:
  lockerflow start Issue --key order-1042 --set clock=sandbox --set deadlines.issue.pickUp=P3D …
  lockerflow clock show
  lockerflow clock advance P3D
${SERVICE_SETTINGS}`;

const withClocks = (terminal: Terminal, use: (clocks: SandboxClocks) => Promise<void>): Promise<void> =>
  atTemporal(terminal, ({ client }) =>
    atLockerService(terminal, (api) => use(new SandboxClocks(client, (change) => api.sandboxClock(change)))),
  );

async function advance(
  clocks: SandboxClocks,
  milliseconds: number,
  terminal: Terminal,
  command: Command,
): Promise<void> {
  const stops: DueByClock[] = [];
  const onStop = (due: DueByClock) => {
    stops.push(due);
    if (!wantsJson(command)) terminal.write(`${lineOf(due)}\n`);
  };
  try {
    const status = await clocks.advance(milliseconds, { onStop, signal: terminal.interrupted });
    report(terminal, command, { text: clockLines(status), data: { ...status, stops } });
  } catch (cause) {
    if (cause instanceof ClockNotAtRest) throw new CommandFailed('failed', cause.message, { cause });
    throw cause;
  }
}

const minute = (instant: string): string => `${instant.slice(0, 16).replace('T', ' ')} UTC`;

const lineOf = ({ flow, what, at }: DueByClock): string =>
  escapeControlCharacters(`${minute(at)}  ${flow ?? 'the service'}  ${what}`);

const DAY_MS = 86_400_000;

function clockLines({ now, aheadMs, due, flows, failing, outOfReach }: ClockShown): string[] {
  const days = Math.round((aheadMs / DAY_MS) * 100) / 100;
  const ahead = aheadMs === 0 ? 'the real time' : `${days} days ahead of the real time`;
  return [
    `the clock shows ${minute(now)}, ${ahead}; ${flows.length} ${flows.length === 1 ? 'flow goes' : 'flows go'} by it`,
    ...(due.length === 0
      ? ['nothing is due']
      : table(
          ['DUE', 'OF', 'WHAT'],
          due.map(({ at, flow, what }) => [minute(at), flow ?? 'the service', what]),
        )),
    ...failing.map(({ flow, why }) =>
      escapeControlCharacters(`neither asked nor moved: ${flow}, because a worker fails at it: ${why}`),
    ),
    ...(outOfReach.length === 0
      ? []
      : [`not moved, because they are in another namespace of Temporal: ${outOfReach.join(', ')}`]),
  ];
}
