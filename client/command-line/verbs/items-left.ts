// `items-left`: the items that cancelled shipments of closed and open flows left in lockers and that nobody has taken out
// since, so that somebody can fetch them.
import type { Command } from 'commander';
import { type LockerApi, LockerApiError } from '../../../activities/api/index.ts';
import type { FlowResult, ItemLeft } from '../../../contract/flows/flow-result.ts';
import { flowRules } from '../../../contract/flows/flow-rules.ts';
import { CommandFailed } from '../../../runtime/terminal/exit-codes.ts';
import { wantsJson } from '../../../runtime/terminal/report.ts';
import { table } from '../../../runtime/terminal/table.ts';
import type { Terminal } from '../../../runtime/terminal/terminal.ts';
import { FlowHandle } from '../../flow-handle.ts';
import { eachAtOnce } from '../at-once.ts';
import { addQueryOptions, type FlowQueryOptions, flowQuery } from '../flow-query.ts';
import { everyFound, type FoundFlow } from '../found-flows.ts';
import { atLockerService, SERVICE_SETTINGS } from '../locker-service.ts';
import { type AtTemporal, answered, atTemporal } from '../temporal.ts';

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
        const found = everyFound(temporal.client, flowQuery(options));
        const items: Found[] = [];
        let unasked = 0;
        let asked = 0;
        for await (const { item: flow, outcome } of eachAtOnce(found, (each) => leftBy(temporal, each))) {
          asked += 1;
          if (outcome.done)
            items.push(...outcome.value.map((item) => ({ workflowId: flow.workflowId, ...item })));
          else unasked += 1;
        }
        tell(terminal, command, await stillLeft(terminal, items), asked);
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

interface Found extends ItemLeft {
  readonly workflowId: string;
}

// The flows that a flow file has started have its bookings.
const booking: readonly string[] = Object.keys(flowRules);

/** From the result, which needs no worker; a flow without a result gets a query. */
async function leftBy(
  temporal: AtTemporal,
  { flow, workflowId, runId, status }: FoundFlow,
): Promise<readonly ItemLeft[]> {
  if (!booking.includes(flow) || status === 'ContinuedAsNew') return [];
  if (status === 'Completed') {
    const result: FlowResult = await temporal.client.workflow.getHandle(workflowId, runId).result();
    return result.itemsLeft;
  }
  // From this run: after a cancellation the key may have been started again.
  const run = new FlowHandle(temporal.client.workflow.getHandle(workflowId, runId));
  const { itemsLeft } = await answered(temporal, () => run.progress());
  return itemsLeft;
}

/**
 * Without those that the service knows to be taken out. A service that cannot be asked, or does not know, leaves an item
 * in the list: a monitor must not fall silent because of it.
 */
async function stillLeft(terminal: Terminal, items: readonly Found[]): Promise<readonly Found[]> {
  if (items.length === 0) return items;
  const left: Found[] = [];
  try {
    await atLockerService(terminal, async (api) => {
      for await (const { item, outcome } of eachAtOnce(items, ({ shipmentUid }) =>
        isItemLeft(api, shipmentUid),
      )) {
        if (!outcome.done) throw outcome.error;
        if (outcome.value !== false) left.push(item);
      }
    });
    return left;
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    terminal.complain(`the list may have items that were taken out since: ${error.message}`);
    return items;
  }
}

/** Null: the service does not know. */
async function isItemLeft(api: LockerApi, shipmentUid: string): Promise<boolean | null> {
  try {
    return (await api.call('GetShipment', { shipmentUid })).isItemLeft;
  } catch (error) {
    if (error instanceof LockerApiError && error.code === 'InvalidShipment') return null;
    throw error;
  }
}

function tell(terminal: Terminal, command: Command, items: readonly Found[], asked: number): void {
  if (wantsJson(command)) {
    for (const item of items) terminal.write(`${JSON.stringify(item)}\n`);
    return;
  }
  const rows = items
    .map(({ pupUid, lockerName, role, shipmentUid, workflowId }) => [
      // As every command of the service takes it: locker emptied acme pup-central/7.
      pupUid !== null && lockerName !== null ? `${pupUid}/${lockerName}` : 'unknown',
      role ?? 'unknown',
      shipmentUid,
      workflowId,
    ])
    .sort((one, other) => one.join().localeCompare(other.join(), 'en', { numeric: true }));
  const lines = rows.length > 0 ? [...table(['locker', 'what', 'shipment', 'key'], rows), ''] : [];
  const sum = `${items.length} ${items.length === 1 ? 'item' : 'items'} left by ${asked} flows`;
  terminal.write(`${[...lines, sum].join('\n')}\n`);
}
