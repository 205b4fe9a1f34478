// `items-left`: the items that cancelled shipments of closed and open flows left in lockers and that nobody has taken out
// since, so that somebody can fetch them.
import type { Command } from 'commander';
import { type FlowQueryOptions, flowQuery } from '../../../processes/views/flow-query.ts';
import { type ItemsLeft, readItemsLeft } from '../../../processes/views/items-left.ts';
import { CommandFailed } from '../../../shared/terminal/exit-codes.ts';
import { report } from '../../../shared/terminal/report.ts';
import { table } from '../../../shared/terminal/table.ts';
import type { Terminal } from '../../../shared/terminal/terminal.ts';
import { actingIn } from '../acting.ts';
import { SERVICE_SETTINGS } from '../locker-service.ts';
import { addQueryOptions } from '../query-options.ts';
import { atTemporal } from '../temporal.ts';

export function addItemsLeft(program: Command, terminal: Terminal): void {
  addQueryOptions(
    program
      .command('items-left')
      .description(
        'list the items that somebody must fetch: they were in a locker when their shipment was cancelled. ' +
          'It asks the flows that the query finds, then asks the locker service which items are gone',
      ),
  )
    .addHelpText('after', EXAMPLES)
    .action((options: FlowQueryOptions, command: Command) =>
      atTemporal(terminal, async (temporal) => {
        const { service } = actingIn(terminal, temporal);
        const left = await readItemsLeft(temporal, flowQuery(options), service);
        const { asked, unasked, unchecked } = left;
        if (unchecked !== null)
          terminal.complain(`the list may have items that were taken out since: ${unchecked}`);
        report(terminal, command, { words: words(left), data: left });
        if (unasked > 0)
          throw new CommandFailed(
            'failed',
            `${unasked} of ${asked} flows did not answer; check that a worker runs, then try again`,
          );
      }),
    );
}

const EXAMPLES = `
Examples:
  lockerflow items-left --started-after 2031-05-01T00:00:00Z
  lockerflow items-left --pick-up-point pup-central --json
${SERVICE_SETTINGS}`;

function words({ items, asked }: ItemsLeft): string {
  const rows = items.map(({ pupUid, lockerName, role, shipmentUid, key }) => [
    // As every command of the service takes it: locker emptied acme pup-central/7.
    pupUid !== null && lockerName !== null ? `${pupUid}/${lockerName}` : 'unknown',
    role ?? 'unknown',
    shipmentUid,
    key,
  ]);
  const lines = rows.length > 0 ? [...table(['locker', 'what', 'shipment', 'key'], rows), ''] : [];
  const sum = `${items.length} ${items.length === 1 ? 'item' : 'items'} left by ${asked} flows`;
  return [...lines, sum].join('\n');
}
