// `show`: one flow: its state, its events and its cost.
import type { Command } from 'commander';
import { report } from '../../../terminal/report.ts';
import { plain, table } from '../../../terminal/table.ts';
import type { Terminal } from '../../../terminal/terminal.ts';
import { failureWords } from '../failure-words.ts';
import { decoderOf, runsOf } from '../history.ts';
import { progressWords, type Shown } from '../progress-words.ts';
import { type AtTemporal, answered, atTemporal } from '../temporal.ts';
import { type Timeline, timelineOf } from '../timeline.ts';

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
        const { progress, unanswered } = await standing(temporal, workflowId);
        const timeline = await timelineOf(runs, decoderOf(client), roleIn(progress));
        const data = { workflowId, progress, unanswered, ...timeline };
        report(terminal, command, { words: words(workflowId, { progress, unanswered }, timeline), data });
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

interface Standing {
  readonly progress: Shown | null;
  /** Why no worker has answered. */
  readonly unanswered: string | null;
}

/** A missing worker, or one that fails on the process, must not hide the history. */
async function standing(temporal: AtTemporal, workflowId: string): Promise<Standing> {
  try {
    const progress: Shown = await answered(temporal, () => temporal.flows.handle(workflowId).progress());
    // OnboardAccount has no shipments and a different answer.
    if ('shipments' in progress || 'state' in progress) return { progress, unanswered: null };
    return { progress: null, unanswered: 'it has no shipments' };
  } catch (error) {
    return { progress: null, unanswered: failureWords(error).words };
  }
}

function words(workflowId: string, { progress, unanswered }: Standing, timeline: Timeline): string {
  const { entries, cost, runs } = timeline;
  const rows = entries.map(({ at, what }) => [at?.slice(0, 23).replace('T', ' ') ?? '', what]);
  return [
    plain(workflowId),
    ...(progress ? progressWords(progress) : [`its progress is not told: ${unanswered}`]),
    '',
    ...table(['happened (UTC)', ''], rows),
    '',
    `${cost.events} events, ${cost.actions} actions${runs > 1 ? `, ${runs} runs` : ''}`,
  ].join('\n');
}
