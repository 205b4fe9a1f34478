// `show`: one flow: its state, its events and its cost.
import type { Command } from 'commander';
import { hasEnded } from '../../../contract/wire/states.ts';
import { shellWord } from '../../../processes/comparison/disagreements.ts';
import { nowOf } from '../../../processes/flow-clock.ts';
import { formatAttempt } from '../../../processes/views/execution.ts';
import type { AnyProgress } from '../../../processes/views/progress.ts';
import {
  isCutShort,
  type ShownProcess,
  ShownProcesses,
  timelineOfProcess,
} from '../../../processes/views/shown-process.ts';
import { formatWithWho, type Timeline } from '../../../processes/views/timeline.ts';
import { plain, report, type Terminal, table, wantsJson } from '../../../shared/terminal/terminal.ts';
import { formatProgress } from '../format-progress.ts';
import { atTemporal } from '../temporal.ts';

export function addShow(program: Command, terminal: Terminal): void {
  program
    .command('show')
    .description(
      'show the state of a flow, what happened in it, and what it cost; also of a flow that has ended',
    )
    .argument('<key>', 'its business key')
    .option('--history', 'with --json: what happened in it and what it cost, in place of its state')
    .addHelpText('after', EXAMPLES)
    .action((key: string, { history }: { history?: true }, command: Command) =>
      atTemporal(terminal, async (temporal) => {
        const shown = await new ShownProcesses(temporal).read(key);
        if (wantsJson(command) && !history) return report(terminal, command, { words: '', data: shown });
        const timeline = await timelineOfProcess(temporal, shown);
        // What has not answered does not answer for its clock either.
        const now = shown.progress === null ? new Date() : await nowOf(temporal, key);
        report(terminal, command, { words: words(shown, timeline, now), data: timeline });
      }),
    );
}

const EXAMPLES = `
Examples:
  lockerflow show order-1042
  lockerflow show order-1042 --json | jq .progress.shipments
  lockerflow show order-1042 --history --json | jq .cost`;

/** What a flow leaves that was ended from outside: nothing was undone. */
function cutShortWords({ status, progress }: ShownProcess): string[] {
  const said = saidBy(progress);
  const shipments = said && 'shipments' in said ? said : null;
  const legs = Object.values(shipments?.shipments ?? {});
  const open = [...legs, ...(shipments?.unassigned ?? [])].filter(({ stateCode }) => !hasEnded(stateCode));
  const left = open.map(
    ({ shipmentUid, stateCode, pupUid, lockerName }) =>
      `  still booked as far as it knew: ${shipmentUid}, ${stateCode ?? 'Unknown'}, locker ${lockerName ?? 'unknown'} of ${pupUid ?? 'unknown'}`,
  );
  return [`${status}: it has stopped, and has undone nothing.`, ...left.map(plain)];
}

/** How a process of a flow file has ended, unless it is done: where it was then does not say so. */
function failureMessage({ status, failure }: ShownProcess): string[] {
  if (status === 'Cancelled') return ['  cancelled'];
  if (failure === null || status !== 'Failed') return [];
  const { code, message } = failure;
  return [`  failed: ${plain(message === code ? code : `${code}: ${message}`)}`];
}

/** The repair of a process that stands still, as commands to copy. */
function repairWords(key: string, said: AnyProgress | null): string[] {
  if (!said || !('state' in said) || !said.held) return [];
  const how = '--apply --by <name> --why <reason>';
  return [
    '  to repair it, correct the file, then:',
    '    npx lockerflow publish <file>',
    `    npx lockerflow migrate --key ${shellWord(plain(key))} ${how}`,
    `  or all of ${plain(said.flow)} that stand still: npx lockerflow migrate ${plain(said.flow)} --held ${how}`,
  ];
}

/** Null where it has neither shipments nor a chart, like OnboardAccount. */
const saidBy = (progress: unknown): AnyProgress | null =>
  typeof progress === 'object' && progress !== null && ('shipments' in progress || 'state' in progress)
    ? (progress as AnyProgress)
    : null;

function words(shown: ShownProcess, { entries, cost, runs }: Timeline, now: Date): string {
  const { key, progress, unanswered, trying } = shown;
  const said = saidBy(progress);
  const rows = entries.map((entry) => [entry.at?.slice(0, 23).replace('T', ' ') ?? '', formatWithWho(entry)]);
  return [
    plain(key),
    ...(isCutShort(shown) ? cutShortWords(shown) : []),
    ...trying.map((each) => `trying: ${plain(formatAttempt(each))}`),
    ...(said
      ? formatProgress(said, now)
      : [`its progress is not known: ${unanswered ?? 'it has no shipments'}`]),
    ...(said && 'state' in said ? failureMessage(shown) : []),
    ...repairWords(key, said),
    '',
    ...table(['happened (UTC)', ''], rows),
    '',
    `${cost.events} events, ${cost.actions} actions${runs > 1 ? `, ${runs} runs` : ''}`,
  ].join('\n');
}
