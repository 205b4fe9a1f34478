// shipment find.
import { type Command, InvalidArgumentError } from 'commander';
import { plain, table } from '../../../shared/terminal/terminal.ts';
import { type FoundShipment, findShipments, type ShipmentFilter } from '../shipments.ts';
import { tenantIdOf } from '../tenants.ts';
import type { Administer } from './administer.ts';
import { readText, readUid } from './arguments.ts';

export function addShipmentCommands(parent: Command, administer: Administer): void {
  parent
    .command('shipment')
    .description('shipments')
    .command('find')
    .description('the shipments of a tenant, the latest first; each option narrows it')
    .argument('<tenantUid>', 'the tenant', readUid)
    .option('--shipment <shipmentUid>', 'this one', readUid)
    .option('--case <referenceCaseNo>', 'with this case number', readText)
    .option('--user <user>', 'from or to this account: its uid or e-mail address', readText)
    .option('--locker <locker>', 'in this locker: its uid, or like pup-central/7', readText)
    .option('--active', 'only those that have not ended')
    .option('--limit <number>', 'at most so many', readLimit, 50)
    .action((tenantUid: string, filter: ShipmentFilter, command: Command) =>
      administer(command, async (transaction) => {
        const tenantId = await tenantIdOf(transaction, tenantUid);
        const shipments = await findShipments(transaction, tenantId, filter);
        return { words: foundInWords(shipments), data: { tenantUid, shipments } };
      }),
    );
}

function foundInWords(shipments: readonly FoundShipment[]): string {
  if (shipments.length === 0) return 'no shipments found';
  const rows = shipments.map((each) => [
    each.shipmentUid,
    stateOf(each),
    each.stateStart.toISOString(),
    each.locker,
    plain(each.referenceCaseNo ?? ''),
    each.fromUserUid ?? '',
    each.toUserUid ?? '',
  ]);
  return table(['shipment', 'state', 'since (UTC)', 'locker', 'case', 'from', 'to'], rows).join('\n');
}

const stateOf = ({ stateCode, isItemLeft }: FoundShipment): string =>
  isItemLeft ? `${stateCode}, item left` : stateCode;

const MAX_FOUND = 1_000;

function readLimit(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1 || number > MAX_FOUND)
    throw new InvalidArgumentError(`it must be a whole number from 1 to ${MAX_FOUND}.`);
  return number;
}
