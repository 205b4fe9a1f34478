// `show`: one flow: its state, its events and its cost.

import type { Command } from 'commander';
import { hasEnded } from '../../../contract/wire/states.ts';
import { nowOf } from '../../../processes/flow-clock.ts';
import { cutShort, tryingWords } from '../../../processes/views/execution.ts';
import type { Shown } from '../../../processes/views/progress.ts';
import { type ShownProcess, shownProcess } from '../../../processes/views/shown-process.ts';
import { report } from '../../../runtime/terminal/report.ts';
import { plain, table } from '../../../runtime/terminal/table.ts';
import type { Terminal } from '../../../runtime/terminal/terminal.ts';
import { progressWords } from '../progress-words.ts';
import { atTemporal } from '../temporal.ts';

export function addShow(program: Command, terminal: Terminal): void {
  program
    .command('show')
    .description(
      'show the state of a flow, what happened in it, and what it cost; also of a flow that has ended',
    )
    .argument('<key>', 'its business key')
    .addHelpText('after', EXAMPLES)
    .action((workflowId: string, _options, command: Command) =>
      atTemporal(terminal, async (temporal) => {
        const shown = await shownProcess(temporal, workflowId);
        // What has not answered does not answer for its clock either.
        const now = shown.progress ? await nowOf(temporal, workflowId) : new Date();
        report(terminal, command, { words: words(shown, now), data: shown });
      }),
    );
}

const EXAMPLES = `
Examples:
  lockerflow show order-1042
  lockerflow show order-1042 --json | jq .progress.shipments`;

/** What a flow leaves that was ended from outside: nothing was undone. */
function cutShortWords(cut: string, progress: Shown | null): string[] {
  const shipments = progress && 'shipments' in progress ? progress : null;
  const legs = Object.values(shipments?.shipments ?? {});
  const open = [...legs, ...(shipments?.unassigned ?? [])].filter(({ stateCode }) => !hasEnded(stateCode));
  const left = open.map(
    ({ shipmentUid, stateCode, pupUid, lockerName }) =>
      `  still booked as far as it knew: ${shipmentUid}, ${stateCode ?? 'Unknown'}, locker ${lockerName ?? 'unknown'} of ${pupUid ?? 'unknown'}`,
  );
  return [`${cut}: it has stopped, and has undone nothing.`, ...left.map(plain)];
}

function words(shown: ShownProcess, now: Date): string {
  const { workflowId, progress, unanswered, trying, entries, cost, runs } = shown;
  const cut = cutShort(shown);
  const rows = entries.map(({ at, what }) => [at?.slice(0, 23).replace('T', ' ') ?? '', what]);
  return [
    plain(workflowId),
    ...(cut === null ? [] : cutShortWords(cut, progress)),
    ...trying.map((each) => `trying: ${plain(tryingWords(each))}`),
    ...(progress ? progressWords(progress, now) : [`its progress is not told: ${unanswered}`]),
    '',
    ...table(['happened (UTC)', ''], rows),
    '',
    `${cost.events} events, ${cost.actions} actions${runs > 1 ? `, ${runs} runs` : ''}`,
  ].join('\n');
}
