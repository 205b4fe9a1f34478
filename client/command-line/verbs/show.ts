// `show`: one flow: its state, its events and its cost.

import type { Command } from 'commander';
import type { Progress } from '../../../contract/flows/flow-messages.ts';
import { hasEnded } from '../../../contract/wire/states.ts';
import { type AtTemporal, answered } from '../../../processes/at-temporal.ts';
import { nowOf } from '../../../processes/flow-clock.ts';
import { cutShort, type Execution, executionOf, tryingWords } from '../../../processes/views/execution.ts';
import { decoderOf, runsOf } from '../../../processes/views/history.ts';
import type { Shown } from '../../../processes/views/progress.ts';
import { type Timeline, timelineOf } from '../../../processes/views/timeline.ts';
import { report } from '../../../runtime/terminal/report.ts';
import { plain, table } from '../../../runtime/terminal/table.ts';
import type { Terminal } from '../../../runtime/terminal/terminal.ts';
import { failureWords } from '../failure-words.ts';
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
        const { client } = temporal;
        // First, because it fails if no flow has that key.
        const runs = await runsOf(client, workflowId);
        const execution = await executionOf(client, workflowId);
        const { progress, unanswered } = await askProgress(temporal, workflowId, cutShort(execution));
        // What has not answered does not answer for its clock either.
        const now = progress ? await nowOf(temporal, workflowId) : new Date();
        const timeline = await timelineOf(runs, decoderOf(client), roleIn(progress));
        const data = { workflowId, ...execution, progress, unanswered, ...timeline };
        report(terminal, command, {
          words: words(workflowId, { progress, unanswered, now }, execution, timeline),
          data,
        });
      }),
    );
}

const EXAMPLES = `
Examples:
  lockerflow show order-1042
  lockerflow show order-1042 --json | jq .progress.shipments`;

const roleIn = (progress: Shown | null) => (shipmentUid: string) =>
  Object.entries(progress && 'shipments' in progress ? progress.shipments : {}).find(
    ([, leg]) => leg.shipmentUid === shipmentUid,
  )?.[0];

interface AskedProgress {
  readonly progress: Shown | null;
  /** Why no worker has answered. */
  readonly unanswered: string | null;
}

/** A missing worker, or one that fails on the process, must not hide the history. */
async function askProgress(
  temporal: AtTemporal,
  workflowId: string,
  cut: string | null,
): Promise<AskedProgress> {
  try {
    const progress: Shown = await answered(temporal, () => temporal.flows.handle(workflowId).progress());
    // OnboardAccount has no shipments and a different answer.
    if ('shipments' in progress)
      return { progress: cut === null ? progress : withoutFuture(progress), unanswered: null };
    if ('state' in progress) return { progress, unanswered: null };
    return { progress: null, unanswered: 'it has no shipments' };
  } catch (error) {
    return { progress: null, unanswered: failureWords(error).words };
  }
}

/** It awaits nothing and does nothing any more: what it answers is how it stood. */
function withoutFuture(progress: Progress): Progress {
  return { ...progress, phase: null, outcome: null, activity: 'Ended', awaits: [], deadlines: [] };
}

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

function words(
  workflowId: string,
  { progress, unanswered, now }: AskedProgress & { readonly now: Date },
  execution: Execution,
  timeline: Timeline,
): string {
  const { entries, cost, runs } = timeline;
  const cut = cutShort(execution);
  const rows = entries.map(({ at, what }) => [at?.slice(0, 23).replace('T', ' ') ?? '', what]);
  return [
    plain(workflowId),
    ...(cut === null ? [] : cutShortWords(cut, progress)),
    ...execution.trying.map((each) => `trying: ${plain(tryingWords(each))}`),
    ...(progress ? progressWords(progress, now) : [`its progress is not told: ${unanswered}`]),
    '',
    ...table(['happened (UTC)', ''], rows),
    '',
    `${cost.events} events, ${cost.actions} actions${runs > 1 ? `, ${runs} runs` : ''}`,
  ].join('\n');
}
