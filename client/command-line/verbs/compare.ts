// `compare`: what flows and the locker service disagree about, what that means, and the commands that repair it.
// Once, or as a schedule that the workers run.
import type { Command } from 'commander';
import { durationMs } from '../../../flows/language/duration.ts';
import type { AtTemporal } from '../../../processes/at-temporal.ts';
import { type LastCompared, shownComparison } from '../../../processes/views/comparison.ts';
import { instantOption } from '../../../processes/views/flow-query.ts';
import { comparedService } from '../../../shared/locker-api/compared-service.ts';
import { type Comparison, compare } from '../../../shared/routing/comparison/compare.ts';
import { type Disagreement, meaningOf, mendingOf } from '../../../shared/routing/comparison/disagreement.ts';
import {
  type ComparisonPlan,
  deleteComparison,
  ensureComparison,
  isComparisonPlanned,
  lastComparison,
  lookBackMs,
  usualComparison,
} from '../../../shared/routing/comparison/schedule.ts';
import { CommandFailed, wrongUse } from '../../../shared/terminal/exit-codes.ts';
import { report, wantsJson } from '../../../shared/terminal/report.ts';
import { plain } from '../../../shared/terminal/table.ts';
import type { Terminal } from '../../../shared/terminal/terminal.ts';
import { atLockerService, peerIn, SERVICE_SETTINGS } from '../locker-service.ts';
import { atTemporal } from '../temporal.ts';
import { wholeNumber } from '../whole-number.ts';

interface Options {
  readonly since?: string;
  readonly perSecond: number;
  readonly settle: string;
  readonly every?: string;
  readonly last?: true;
}

const USUAL_LOOK_BACK = `PT${usualComparison.endedWithinMs / 3_600_000}H`;
const USUAL_SETTLE = `PT${usualComparison.settleMs / 1_000}S`;

export function addCompare(program: Command, terminal: Terminal): void {
  program
    .command('compare')
    .description(
      'compare flows (open ones, and those that ended lately) with the locker service, and list each difference, ' +
        'its meaning, and the command to repair it. It changes nothing. ' +
        'Run it first after a restore of either database',
    )
    .option(
      '--since <instant or duration>',
      `also flows that ended since then, like 2031-05-01T12:00:00Z, or P2D; after a restore, since the point that was restored. Default: ${USUAL_LOOK_BACK}`,
    )
    .option(
      '--per-second <number>',
      'questions to the service and to flows in a second, 1 to 1000',
      wholeNumber(1, 1_000),
      usualComparison.perSecond,
    )
    .option(
      '--settle <duration>',
      'wait this long, then check each difference again, so that work in progress is not reported',
      USUAL_SETTLE,
    )
    .option(
      '--every <duration>',
      'make a schedule: the workers compare that often, and log each disagreement as a warning; "never" ends it',
    )
    .option('--last', 'show what the schedule found last')
    .addHelpText('after', EXAMPLES)
    .action((options: Options, command: Command) => {
      if (options.every !== undefined && options.last)
        throw wrongUse('--every and --last are both given; expected one of them');
      return atTemporal(terminal, async (temporal) => {
        if (options.every !== undefined) return await plan(temporal, terminal, command, options);
        tellFound(
          terminal,
          command,
          options.last ? await last(temporal) : await now(temporal, terminal, options),
        );
      });
    });
}

/** Throws CommandFailed where there is none, or where it is not whole. */
function tellFound(terminal: Terminal, command: Command, compared: LastCompared): void {
  if (wantsJson(command) || compared.comparison) tell(terminal, command, compared);
  if (!compared.comparison) throw noComparison(compared);
  const { unanswered, flows } = compared.comparison;
  if (unanswered.length > 0) throw unansweredBy(unanswered.length, flows);
}

const unansweredBy = (unanswered: number, flows: number) =>
  new CommandFailed(
    'failed',
    `${unanswered} of ${unanswered + flows} flows did not answer and were not compared; check that a worker runs, then try again`,
  );

const EXAMPLES = `
Examples:
  lockerflow compare
  lockerflow compare --since 2031-05-01T12:00:00Z --json
  lockerflow compare --every P1D
  lockerflow compare --last
${SERVICE_SETTINGS}`;

async function now(temporal: AtTemporal, terminal: Terminal, options: Options): Promise<LastCompared> {
  const { client, taskQueue } = temporal;
  const endedSince = sinceOf(options.since);
  const settleMs = lengthOf('--settle', options.settle);
  const peer = peerIn(terminal);
  const comparison = await atLockerService(terminal, (api) => {
    const service = comparedService({
      peer,
      call: (operation, request) => api.call(operation, request, { signal: terminal.interrupted }),
    });
    const { perSecond } = options;
    const signal = terminal.interrupted;
    return compare(client, service, { taskQueue, endedSince, perSecond, settleMs, signal });
  });
  return { comparison, isPlanned: await isComparisonPlanned(client, taskQueue) };
}

function sinceOf(since: string = USUAL_LOOK_BACK): Date {
  const length = durationMs(since);
  return length === null ? new Date(instantOption(since, '--since')) : new Date(Date.now() - length);
}

function lengthOf(option: string, text: string): number {
  const length = durationMs(text);
  if (length === null) throw wrongUse(`${option}: ${text} is not a duration; expected one like P1D or PT5S`);
  return length;
}

async function plan(
  { client, taskQueue }: AtTemporal,
  terminal: Terminal,
  command: Command,
  { every = '', since, perSecond, settle }: Options,
): Promise<void> {
  if (every === 'never') {
    const wasThere = await deleteComparison(client, taskQueue);
    const words = wasThere ? 'the schedule is deleted' : 'there was no schedule';
    return report(terminal, command, { words, data: { every: null, wasThere } });
  }
  const everyMs = lengthOf('--every', every);
  const given = since === undefined ? null : durationMs(since);
  if (since !== undefined && given === null)
    throw wrongUse(`--since: ${since} is not a duration; expected one like P2D with --every`);
  const planned: ComparisonPlan = {
    taskQueue,
    everyMs,
    input: {
      endedWithinMs: given ?? lookBackMs(everyMs),
      perSecond,
      settleMs: lengthOf('--settle', settle),
    },
  };
  const scheduleId = await ensureComparison(client, planned);
  const words = `${scheduleId}: every ${every}; lockerflow compare --last shows what it found`;
  report(terminal, command, { words, data: { scheduleId, every } });
}

async function last({ client, taskQueue }: AtTemporal): Promise<LastCompared> {
  const found = await lastComparison(client, taskQueue);
  return { isPlanned: found !== 'noSchedule', comparison: typeof found === 'string' ? null : found };
}

const noComparison = ({ isPlanned }: LastCompared) =>
  new CommandFailed(
    'notFound',
    isPlanned
      ? 'the first comparison has not run yet; the Web UI shows the next one under Schedules'
      : 'no comparison is scheduled; make a schedule with lockerflow compare --every P1D',
  );

function tell(terminal: Terminal, command: Command, compared: LastCompared): void {
  const { comparison } = compared;
  report(terminal, command, {
    words: comparison ? comparisonWords(comparison) : '',
    data: shownComparison(compared),
  });
}

function comparisonWords({ disagreements, ...rest }: Comparison): string {
  const { flows, shipments, endedSince, comparedAt, isComplete } = rest;
  const count = disagreements.length === 0 ? 'no' : String(disagreements.length);
  const lines = [
    ...disagreements.flatMap((found) => [...wordsOf(found), '']),
    `${count} ${disagreements.length === 1 ? 'disagreement' : 'disagreements'} at ${comparedAt}: ${flows} flows, open or ended since ${endedSince}; ${shipments} active shipments`,
    ...(isComplete
      ? []
      : ['the service has more active shipments than one comparison reads: the others were not compared']),
  ];
  return lines.map(plain).join('\n');
}

const commandLine = (command: string) => `  > ${command.replace(/^lockerflow/, 'npx lockerflow')}`;

function wordsOf(found: Disagreement): string[] {
  const { kind, workflowId, role, shipmentUid, flowState, serviceState, pupUid, lockerName, lockerUid } =
    found;
  const locker = lockerName && `locker ${lockerName} of ${pupUid}${lockerUid ? ` (${lockerUid})` : ''}`;
  const states = [flowState && `flow: ${flowState}`, `service: ${serviceState ?? 'no such shipment'}`].filter(
    Boolean,
  );
  const what = [workflowId ?? 'no flow', role, shipmentUid].filter(Boolean).join(' ');
  return [
    `${kind}: ${[what, ...states, locker].filter(Boolean).join(', ')}`,
    `  ${meaningOf(found)}`,
    ...mendingOf(found).map(commandLine),
  ];
}
