// `batch`: the batches that run or have run, migrations among them. The verbs of commands start one with --detach.
import type { Command as Verb } from 'commander';
import type { ControlName } from '../../contract/flows/batches.ts';
import { controlBatch, retryFailed } from '../../processes/batches/control-batch.ts';
import { type BatchView, listBatches, readBatch } from '../../processes/batches/read-batches.ts';
import { type OutcomeView, readOutcomes } from '../../processes/batches/read-outcomes.ts';
import { undoBatch } from '../../processes/batches/undo-batch.ts';
import type { CommandContext, TemporalContext } from '../../processes/temporal-context.ts';
import { ProcessFailures } from '../../processes/views/failures.ts';
import { ProcessSummaries } from '../../processes/views/summaries.ts';
import { CommandFailed } from '../../shared/terminal/exit-codes.ts';
import { report } from '../../shared/terminal/report.ts';
import type { Terminal } from '../../shared/terminal/terminal.ts';
import { type ActingOptions, addActingOptions, atTemporal, commandContextIn } from '../temporal.ts';

export function addBatch(program: Verb, terminal: Terminal): void {
  const batch = program
    .command('batch')
    .description('commands for many processes that go on by themselves, and migrations')
    .addHelpText('after', EXAMPLES);
  batch
    .command('list')
    .description('those that run, and the last ones that have ended')
    .action((_: object, self: Verb) =>
      atTemporal(terminal, async (temporal) => {
        const batches = await listBatches(temporal);
        const text = batches.length > 0 ? batches.map((each) => formatBatch(each)) : 'no batch has run yet';
        report(terminal, self, { text, data: batches });
      }),
    );
  batch
    .command('show')
    .description('where it is, and each process that was refused, did not answer, or has failed again since')
    .argument('<id>', ID)
    .option('--all', 'each process, also those that are done')
    .option('--wait', 'until it has ended')
    .action((id: string, options: { readonly all?: true; readonly wait?: true }, self: Verb) =>
      atTemporal(terminal, async (temporal) => {
        const view = options.wait ? await untilEnded(temporal, id) : await readBatch(temporal, id);
        const all = await outcomesOf(temporal, id);
        const outcomes = options.all ? all : all.filter(isToSee);
        report(terminal, self, {
          text: [formatBatch(view, all), ...outcomes.map(({ key, words }) => `  ${key}: ${words}`)],
          data: { ...view, outcomes },
        });
        const { closedAt, status } = view;
        const hasFailed = status === null || status.refused + status.unknown > 0;
        if (closedAt !== null && (hasFailed || status.phase !== 'done'))
          throw new CommandFailed('failed', `not all of ${id} is done`);
      }),
    );
  for (const [what, meaning] of Object.entries(meanings) as [ControlName, string][])
    addControl(batch, terminal, what, meaning, async (commandContext, id) => {
      await controlBatch(commandContext, id, what);
      return id;
    });
  addControl(
    batch,
    terminal,
    'retry',
    'try again what was refused or did not answer, once it has ended',
    async (commandContext, id) => {
      await retryFailed(commandContext, id);
      return id;
    },
  );
  addControl(
    batch,
    terminal,
    'undo',
    'take back what it extended or shortened, within ten minutes after its end: another batch does it',
    undoBatch,
  );
}

const ID = 'as it was started, or as list has it';

const meanings: Readonly<Record<ControlName, string>> = {
  pause: 'pause it: processes that are under way are done to their end',
  resume: 'let it go on, also a migration that has stopped by itself',
  cancel: 'cancel it: it acts on no further process, and what is done stays',
};

function addControl(
  batch: Verb,
  terminal: Terminal,
  name: string,
  meaning: string,
  /** Gives the id of the batch that is shown then. */
  act: (commandContext: CommandContext, id: string) => Promise<string>,
): void {
  const verb = batch.command(name).description(meaning).argument('<id>', ID);
  addActingOptions(verb, { needsPerson: true }).action((id: string, options: ActingOptions, self: Verb) =>
    atTemporal(
      terminal,
      async (temporal) => {
        const shown = await act(commandContextIn(terminal, temporal, options), id);
        const view = await readBatch(temporal, shown);
        report(terminal, self, { text: formatBatch(view), data: view });
      },
      { finishes: true },
    ),
  );
}

const LOOK_EVERY_MS = 1_000;

async function untilEnded(temporal: TemporalContext, id: string): Promise<BatchView> {
  for (;;) {
    const view = await readBatch(temporal, id);
    if (view.closedAt !== null) return view;
    await new Promise((later) => setTimeout(later, LOOK_EVERY_MS));
  }
}

// A page of what has become of each.
const PAGE = 500;

/** It was not done, or came to nothing since. */
const isToSee = ({ outcome, now }: OutcomeView): boolean => outcome !== 'done' || now?.isBad === true;

async function outcomesOf(temporal: TemporalContext, id: string): Promise<OutcomeView[]> {
  const all: OutcomeView[] = [];
  const readers = {
    summaries: new ProcessSummaries(temporal),
    failures: new ProcessFailures(temporal),
    nameOf: (pupUid: string) => Promise.resolve(pupUid),
  };
  for (let from: number | null = 0; from !== null; ) {
    const page = await readOutcomes(temporal, id, { from, size: PAGE }, readers);
    all.push(...page.outcomes);
    from = page.next;
  }
  return all;
}

/** @param outcomes what the processes do since then, where it is read */
export function formatBatch(
  { id, command, by, why, startedAt, status }: BatchView,
  outcomes: readonly Pick<OutcomeView, 'now'>[] = [],
): string {
  const who = [by && `by ${by}`, why].filter(Boolean).join(': ');
  const began = `since ${startedAt.slice(0, 16)}Z`;
  if (status === null) return `${id}: ${command}, not known: no worker answers; ${began} ${who}`;
  const { phase, stopped, total, done, refused, unknown } = status;
  const since = outcomes.flatMap(({ now }) => now?.short ?? []);
  const counts = [
    total === null ? `${done} done` : `${done} of ${total} done`,
    refused > 0 && `${refused} refused`,
    unknown > 0 && `${unknown} without an answer`,
    ...[...new Set(since)].map((short) => `${since.filter((each) => each === short).length} ${short}`),
  ].filter(Boolean);
  return `${id}: ${command}, ${phase}${stopped ? ` (${stopped})` : ''}, ${counts.join(', ')}; ${began} ${who}`;
}

const EXAMPLES = `
Examples:
  lockerflow extend --phase Overdue --next --extend-by P1D --detach --yes --by anna --why "closed on Monday"
  lockerflow batch list
  lockerflow batch show 5f0c… --wait
  lockerflow batch retry 5f0c… --by anna
  lockerflow batch undo 5f0c… --by anna --why "it was the wrong wall"`;
