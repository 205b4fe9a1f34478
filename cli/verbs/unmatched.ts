// `unmatched`: lists, shows, claims and drops callbacks without a flow, and messages of unknown types.
import { Option, type Command as Verb } from 'commander';
import { queried } from '../../client/queried.ts';
import type { KeptCallback, Unmatched } from '../../contract/flows/unmatched-callback.ts';
import { shortened } from '../../contract/wire/format-issue.ts';
import { claimUnmatched } from '../../processes/commands/claim-unmatched.ts';
import type { Command } from '../../processes/commands/command.ts';
import { drop } from '../../processes/commands/end.ts';
import { orThrow } from '../../processes/outcome.ts';
import { countedPage } from '../../processes/views/found-flows.ts';
import {
  atUnmatched,
  type UnmatchedFilter,
  type UnmatchedRow,
  unmatchedIdOf,
  unmatchedQuery,
  unmatchedRows,
} from '../../processes/views/unmatched.ts';
import { report } from '../../shared/terminal/report.ts';
import { table } from '../../shared/terminal/table.ts';
import type { Terminal } from '../../shared/terminal/terminal.ts';
import { utc } from '../moments.ts';
import { wholeNumber } from '../options.ts';
import { atTemporal, commandContextIn } from '../temporal.ts';

export function addUnmatched(program: Verb, terminal: Terminal): void {
  const unmatched = program
    .command('unmatched')
    .description('callbacks that no flow waits for, and messages of types that lockerflow does not know')
    .addHelpText('after', EXAMPLES);
  addList(unmatched, terminal);
  addShow(unmatched, terminal);
  const claim = unmatched
    .command('claim')
    .description('give the reports of a shipment to a running flow')
    .requiredOption('--to <key>', 'the business key of the flow');
  addDecision(claim, terminal, claimUnmatched, 'claimed');
  addDecision(
    unmatched.command('drop').description('delete the entry: no flow needs it'),
    terminal,
    drop,
    'dropped',
  );
}

const EXAMPLES = `
Examples:
  lockerflow unmatched list
  lockerflow unmatched show 7c0e…
  lockerflow unmatched claim 7c0e… --to order-1042 --by anna --why "booked by hand"
  lockerflow unmatched drop unmatched:message:lockerflow:LockerCleaned --by anna --why "a test of theirs"`;

interface ListOptions extends UnmatchedFilter {
  readonly limit: number;
  readonly page?: string;
}

function addList(unmatched: Verb, terminal: Terminal): void {
  unmatched
    .command('list', { isDefault: true })
    .description('list what is kept, newest first')
    .addOption(
      new Option('--kind <kind>', 'only reports of shipments, or only messages of unknown types').choices([
        'shipment',
        'message',
      ]),
    )
    .option('--closed', 'list those that have ended: delivered, claimed, dropped, or not claimed in time')
    .option('--limit <number>', 'how many at a time, 1 to 200', wholeNumber(1, 200), 50)
    .option('--page <page>', 'continue after the previous page')
    .action((options: ListOptions, command: Verb) =>
      atTemporal(terminal, async (temporal) => {
        const page = { size: options.limit, from: options.page };
        const {
          flows,
          next,
          count: found,
        } = await countedPage(temporal.client, unmatchedQuery(options), page);
        const rows = await unmatchedRows(temporal, flows);
        const count = found - (flows.length - rows.length);
        const data = { count, unmatched: rows, next };
        report(terminal, command, { text: formatList(rows, count, next), data });
      }),
    );
}

// Characters. A sender may have written any number, and one such row would fill the screen.
const LONGEST_TEXT = 60;

function formatList(rows: readonly UnmatchedRow[], count: number, next: string | null): string[] {
  if (rows.length === 0) return ['nothing is kept'];
  const lines = table(
    ['unmatched', 'of', 'case', 'shipment is', 'pick up point', 'since (UTC)', 'state', 'given up'],
    rows.map(({ workflowId, input, since, status, givenUp, newest }) => [
      workflowId,
      ...[
        input.kind === 'shipment' ? `shipment ${input.shipmentUid}` : `message ${input.messageType}`,
        newest?.case ?? '',
        newest?.stateCode ?? '',
        newest?.pickUpPoint ?? '',
      ].map((text) => shortened(text, LONGEST_TEXT)),
      utc(since),
      status,
      givenUp === 0 ? '' : String(givenUp),
    ]),
  );
  const total = `${rows.length} of ${count}${next === null ? '' : `; go on with --page ${next}`}`;
  return [...lines, '', total];
}

function addShow(unmatched: Verb, terminal: Terminal): void {
  unmatched
    .command('show')
    .description('show the callbacks of one entry; for a message of an unknown type its whole body')
    .argument('<id>', 'its workflow id, or the shipmentUid')
    .action((id: string, _options, command: Verb) =>
      atTemporal(terminal, async (temporal) => {
        const workflowId = unmatchedIdOf(id);
        const { input, since, kept, settled, givenUp } = await atUnmatched(temporal, workflowId, (handle) =>
          queried(handle, () => handle.query<Unmatched>('unmatched')),
        );
        const lines = [
          input.kind === 'shipment' ? `shipment ${input.shipmentUid}` : `message ${input.messageType}`,
          ...kept.map(formatKeptCallback),
          ...settled.map((each) => `${formatKeptCallback(each)}  (settled)`),
          ...(givenUp > 0 ? [`${givenUp} older ones were given up`] : []),
        ];
        const data = { workflowId, input, since, kept, settled, givenUp };
        report(terminal, command, { text: lines, data });
      }),
    );
}

function formatKeptCallback({ callback, times }: KeptCallback): string {
  const often = times > 1 ? `, ${times} times` : '';
  if (!('shipmentUid' in callback))
    return `${callback.receivedAt}  ${callback.messageType} ${JSON.stringify(callback.body)}${often}`;
  const { receivedAt, stateCode, stateStart, referenceCaseNo } = callback;
  const caseNo = referenceCaseNo === null ? '' : `, case ${referenceCaseNo}`;
  return `${receivedAt}  ${stateCode} since ${stateStart ?? 'unknown'}${caseNo}${often}`;
}

interface DecisionOptions {
  readonly by: string;
  readonly why: string;
}

/** Its other options are its input. */
function addDecision<Input extends object, Result>(
  verb: Verb,
  terminal: Terminal,
  command: Pick<Command<Input, unknown, Result>, 'do' | 'formatResult'>,
  done: 'claimed' | 'dropped',
): void {
  verb
    .argument('<id>', 'its workflow id, or the shipmentUid')
    .requiredOption('--by <who>', 'who decides it')
    .requiredOption('--why <reason>')
    .action((id: string, { by, why, ...input }: DecisionOptions & Input, self: Verb) =>
      atTemporal(terminal, async (temporal) => {
        const workflowId = unmatchedIdOf(id);
        const commandContext = commandContextIn(terminal, temporal, { by, why });
        const result = orThrow(await command.do(commandContext, workflowId, input as unknown as Input));
        report(terminal, self, {
          text: `${workflowId}: ${command.formatResult(result)}`,
          data: { workflowId, [done]: true },
        });
      }),
    );
}
