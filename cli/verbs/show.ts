// `show` and `watch`: one process, and one as it changes.
import type { Command } from 'commander';
import type { FlowHandle } from '../../client/flow-handle.ts';
import { queried } from '../../client/queried.ts';
import type { ProcessProgress } from '../../contract/flows/flow-answers.ts';
import { hasEnded } from '../../contract/wire/states.ts';
import { withCode } from '../../flows/language/with-code.ts';
import { nowOf } from '../../processes/flow-clock.ts';
import { commandErrorOf } from '../../processes/outcome.ts';
import type { TemporalContext } from '../../processes/temporal-context.ts';
import { type CaseHistory, historyOfCase } from '../../processes/views/case-history.ts';
import { formatAttempt } from '../../processes/views/execution.ts';
import type { HappenedRow } from '../../processes/views/happened.ts';
import { formatStatePaths, shipmentsIn, wholeBooking } from '../../processes/views/progress.ts';
import { isCutShort, ProcessReader, type ShownProcess } from '../../processes/views/shown-process.ts';
import { escapeControlCharacters } from '../../shared/terminal/escape-control-characters.ts';
import { CommandFailed } from '../../shared/terminal/exit-codes.ts';
import { report, wantsJson } from '../../shared/terminal/report.ts';
import { table } from '../../shared/terminal/table.ts';
import { shellWord, type Terminal } from '../../shared/terminal/terminal.ts';
import { formatAwaited, formatProgress, formatStatus } from '../format-progress.ts';
import { atTemporal } from '../temporal.ts';

export function addShow(program: Command, terminal: Terminal): void {
  program
    .command('show')
    .description(
      'show the state of a flow, what happened in it, and what it cost; also of a flow that has ended',
    )
    .argument('<key>', 'its business key')
    .option('--history', 'with --json: what happened in it and what it cost, in place of its state')
    .addHelpText('after', SHOW_EXAMPLES)
    .action((key: string, { history }: { history?: true }, command: Command) =>
      atTemporal(terminal, async (temporal) => {
        const reader = new ProcessReader(temporal);
        const snapshot = await reader.read(key);
        if (wantsJson(command) && !history) return report(terminal, command, { text: '', data: snapshot });
        const happened = await historyOfCase(temporal, reader, snapshot);
        // What has not answered does not answer for its clock either.
        const now = snapshot.progress === null ? new Date() : await nowOf(temporal, key);
        const shown = wantsJson(command) ? snapshot : await withContext(temporal, snapshot);
        report(terminal, command, { text: formatShown(shown, happened, now), data: happened });
      }),
    );
}

/** With what a process of a flow file keeps in its `context`: it says that only where it is asked, and `--json` is what the API answers. */
async function withContext({ client }: TemporalContext, snapshot: ShownProcess): Promise<ShownProcess> {
  const { key, runId, progress } = snapshot;
  if (!progress || wholeBooking(progress)) return snapshot;
  const handle = client.workflow.getHandle(key, runId);
  const ask = () => handle.query<ProcessProgress, [object]>('progress', { context: true });
  const { context } = await queried({ client }, ask).catch((error: unknown) => {
    // It has answered just before, and does not any more: what it said then is shown.
    if (commandErrorOf(error) === undefined) throw error;
    return progress;
  });
  return context === undefined ? snapshot : { ...snapshot, progress: { ...progress, context } };
}

const SHOW_EXAMPLES = `
Examples:
  lockerflow show order-1042
  lockerflow show order-1042 --json | jq .progress.shipments
  lockerflow show order-1042 --history --json | jq .cost`;

/** What a flow leaves that was ended from outside: nothing was undone. */
function cutShortLines({ status, progress }: ShownProcess): string[] {
  const open = shipmentsIn(progress ?? { bookings: [] }).filter(
    ({ shipment }) => !hasEnded(shipment.stateCode),
  );
  const left = open.map(
    ({ shipment: { shipmentUid, stateCode, pupUid, lockerName } }) =>
      `  still booked as far as it knew: ${shipmentUid}, ${stateCode ?? 'Unknown'}, locker ${lockerName ?? 'unknown'} of ${pupUid ?? 'unknown'}`,
  );
  return [`${status}: it has stopped, and has undone nothing.`, ...left];
}

/** How a process has ended, unless it is done: where it stood then does not say so. */
function failureMessage({ status, failure }: ShownProcess): string[] {
  if (status === 'Cancelled') return ['  cancelled'];
  if (failure === null || status !== 'Failed') return [];
  const { code, message } = failure;
  return [`  failed: ${withCode(code, message)}`];
}

/** The repair of a process that stands still, as commands to copy. */
function repairLines(key: string, progress: ProcessProgress | null): string[] {
  if (!progress?.halted) return [];
  const who = '--by <name> --why <reason>';
  const how = `--apply ${who}`;
  const typedKey = shellWord(escapeControlCharacters(key));
  return [
    '  to repair it, correct the file, then:',
    '    npx lockerflow publish <file>',
    `    npx lockerflow migrate --key ${typedKey} ${how}`,
    `  or all of ${progress.flow} that stand still: npx lockerflow migrate ${progress.flow} --halted ${how}`,
    '  to go on without the event, or to end it:',
    ...['drop-event', 'give-up'].map((verb) => `    npx lockerflow ${verb} ${typedKey} ${who}`),
  ];
}

function formatShown(
  snapshot: ShownProcess,
  { happened, unread, cost, runs }: CaseHistory,
  now: Date,
): string[] {
  const { key, progress, unanswered, trying } = snapshot;
  return [
    key,
    ...(isCutShort(snapshot) ? cutShortLines(snapshot) : []),
    ...trying.map((each) => `trying: ${formatAttempt(each)}`),
    ...(progress ? formatProgress(progress, now) : [`its progress is not known: ${unanswered}`]),
    ...failureMessage(snapshot),
    ...repairLines(key, progress),
    '',
    ...table(['happened (UTC)', ''], happened.flatMap(rowsOf)),
    ...unread.map(({ what, why }) => `what happened in ${what} could not be read: ${why}`),
    '',
    `${cost.events} events, ${cost.actions} actions${runs > 1 ? `, ${runs} runs` : ''}`,
  ];
}

/** What the process did then stands below. */
function rowsOf({ at, words, did, by, why, of }: HappenedRow): string[][] {
  const text = of ? `${of.title}: ${words}` : words;
  const who = [by && `by ${by}`, why && `because ${why}`].filter(Boolean).join(', ');
  const first = [at?.slice(0, 23).replace('T', ' ') ?? '', who ? `${text} (${who})` : text];
  return [first, ...did.map((each) => ['', `  ${each}`])];
}

export function addWatch(program: Command, terminal: Terminal): void {
  program
    .command('watch')
    .description('follow a flow to its end: a line for each change')
    .argument('<key>', 'its business key')
    .addHelpText('after', WATCH_EXAMPLES)
    .action((workflowId: string, _options, command: Command) =>
      atTemporal(terminal, async ({ flows }) => {
        const handle = flows.handle<'Issue'>(workflowId);
        const last = await eachChange(terminal, handle, wantsJson(command));
        const { outcome = 'Done' } = (await handle.result()) ?? {};
        // The result of a flow file may have any field.
        if (last && wholeBooking(last) && outcome !== 'Done')
          throw new CommandFailed('endedOtherwise', `${workflowId} has ended as ${outcome}`);
      }),
    );
}

const WATCH_EXAMPLES = `
Examples:
  lockerflow watch order-1042
  lockerflow watch order-1042 --json | jq -c .shipments`;

type Followed = Pick<FlowHandle<unknown, ProcessProgress>, 'workflowId' | 'follow'>;

async function eachChange({ write, interrupted }: Terminal, handle: Followed, json: boolean) {
  let last: ProcessProgress | null = null;
  for await (last of handle.follow({ signal: interrupted }))
    write(`${json ? JSON.stringify(last) : inOneLine(last)}\n`);
  return last as ProcessProgress | null;
}

function inOneLine(progress: ProcessProgress): string {
  const { waitingFor, bookings, state } = progress;
  const whole = wholeBooking(progress);
  const legs = shipmentsIn(progress).map(({ booking, role, shipment }) => {
    const of = bookings.length > 1 ? `${booking.id}: ` : '';
    return `${of}${role ?? 'unknown'} ${shipment.stateCode ?? 'Unknown'}`;
  });
  const last = whole?.reportHistory.at(-1)?.receivedAt;
  const [wait] = waitingFor;
  return escapeControlCharacters(
    [
      last ?? new Date().toISOString(),
      formatStatus(progress),
      whole ? '' : formatStatePaths(state),
      legs.join(', '),
      wait && `waiting for: ${formatAwaited(wait, progress)}`,
    ]
      .filter(Boolean)
      .join('  '),
  );
}
