// `parked`: lists, shows, claims and drops callbacks without a flow, and messages of unknown types.
import { Option, type Command as Verb } from 'commander';
import { queried } from '../../client/queried.ts';
import type { KeptCallback, Parked } from '../../contract/flows/parked-callback.ts';
import { shortened } from '../../contract/wire/format-issue.ts';
import { claimParked } from '../../processes/commands/claim-parked.ts';
import type { Command } from '../../processes/commands/command.ts';
import { drop } from '../../processes/commands/end.ts';
import { orThrow } from '../../processes/outcome.ts';
import { countedPage } from '../../processes/views/found-flows.ts';
import {
  atParked,
  type ParkedRow,
  type ParkedWanted,
  parkedIdOf,
  parkedQuery,
  parkedRows,
} from '../../processes/views/parked.ts';
import { report } from '../../shared/terminal/report.ts';
import { table } from '../../shared/terminal/table.ts';
import type { Terminal } from '../../shared/terminal/terminal.ts';
import { utc } from '../moments.ts';
import { wholeNumber } from '../options.ts';
import { atTemporal, commandContextIn } from '../temporal.ts';

export function addParked(program: Verb, terminal: Terminal): void {
  const parked = program
    .command('parked')
    .description('callbacks that no flow waits for, and messages of types that lockerflow does not know')
    .addHelpText('after', EXAMPLES);
  addList(parked, terminal);
  addShow(parked, terminal);
  const claim = parked
    .command('claim')
    .description('give the reports of a shipment to a running flow')
    .requiredOption('--to <key>', 'the business key of the flow');
  addDecision(claim, terminal, claimParked, 'claimed');
  addDecision(
    parked.command('drop').description('delete the entry: no flow needs it'),
    terminal,
    drop,
    'dropped',
  );
}

const EXAMPLES = `
Examples:
  lockerflow parked list
  lockerflow parked show 7c0e…
  lockerflow parked claim 7c0e… --to order-1042 --by anna --why "booked by hand"
  lockerflow parked drop parked:message:lockerflow:LockerCleaned --by anna --why "a test of theirs"`;

interface ListOptions extends ParkedWanted {
  readonly limit: number;
  readonly page?: string;
}

function addList(parked: Verb, terminal: Terminal): void {
  parked
    .command('list', { isDefault: true })
    .description('list what is parked, newest first')
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
        const { flows, next, count: found } = await countedPage(temporal.client, parkedQuery(options), page);
        const rows = await parkedRows(temporal, flows);
        const count = found - (flows.length - rows.length);
        const data = { count, parked: rows, next };
        report(terminal, command, { text: formatList(rows, count, next), data });
      }),
    );
}

// Characters. A sender may have written any number, and one such row would fill the screen.
const LONGEST_TEXT = 60;

function formatList(rows: readonly ParkedRow[], count: number, next: string | null): string[] {
  if (rows.length === 0) return ['nothing is parked'];
  const lines = table(
    ['parked', 'of', 'case', 'shipment is', 'pick up point', 'since (UTC)', 'state', 'given up'],
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

function addShow(parked: Verb, terminal: Terminal): void {
  parked
    .command('show')
    .description('show the callbacks of one entry; for a message of an unknown type its whole body')
    .argument('<id>', 'its workflow id, or the shipmentUid')
    .action((id: string, _options, command: Verb) =>
      atTemporal(terminal, async (temporal) => {
        const workflowId = parkedIdOf(id);
        const { input, since, kept, settled, givenUp } = await atParked(temporal, workflowId, (handle) =>
          queried(handle, () => handle.query<Parked>('parked')),
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
        const workflowId = parkedIdOf(id);
        const commandContext = commandContextIn(terminal, temporal, { by, why });
        const result = orThrow(await command.do(commandContext, workflowId, input as unknown as Input));
        report(terminal, self, {
          text: `${workflowId}: ${command.formatResult(result)}`,
          data: { workflowId, [done]: true },
        });
      }),
    );
}
