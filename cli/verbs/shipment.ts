// `shipment`: finds shipments at the locker service by its API, and what an operator does to one: for bookings in doubt, and
// the disagreements that `compare` finds.
import { type Command, Option } from 'commander';
import { listShipments } from '../../shared/locker-api/list-shipments.ts';
import { addYesOption, type ConfirmOptions, confirm } from '../../shared/terminal/confirm.ts';
import { escapeControlCharacters } from '../../shared/terminal/escape-control-characters.ts';
import { report } from '../../shared/terminal/report.ts';
import { table } from '../../shared/terminal/table.ts';
import type { Terminal } from '../../shared/terminal/terminal.ts';
import { utc } from '../moments.ts';
import { atLockerService, SERVICE_SETTINGS, serviceProfileIn } from '../temporal.ts';

export function addShipment(program: Command, terminal: Terminal): void {
  const shipment = program
    .command('shipment')
    .description('find shipments at the locker service, cancel one, or open its locker')
    .addHelpText('after', helpWith(FIND_EXAMPLE, CANCEL_EXAMPLE, UNLOCK_EXAMPLE));
  addFind(shipment, terminal);
  addCancelShipment(shipment, terminal);
  addUnlock(shipment, terminal);
}

const FIND_EXAMPLE = '  lockerflow shipment find --case order-1042\n';
const CANCEL_EXAMPLE = '  lockerflow shipment cancel 7c0e…\n';
const UNLOCK_EXAMPLE = '  lockerflow shipment unlock 7c0e… --goal DropOff\n';
const helpWith = (...examples: readonly string[]) => `\nExamples:\n${examples.join('')}${SERVICE_SETTINGS}`;

interface FindOptions {
  readonly case?: string;
  readonly user?: string;
  readonly pup?: string;
  readonly active?: true;
}

function addFind(shipment: Command, terminal: Terminal): void {
  shipment
    .command('find')
    .description('shipments, the latest 500 first; each option narrows it')
    .option('--case <referenceCaseNo>', 'with this case number')
    .option('--user <userUid>', 'from or to this user')
    .option('--pup <pupUid>', 'at this pick up point')
    .option('--active', 'only those that have not ended')
    .addHelpText('after', helpWith(FIND_EXAMPLE))
    .action(async (options: FindOptions, command: Command) => {
      const { case: referenceCaseNo, user: userUid, pup: bookedPupUid, active: activeShipments } = options;
      const filter = {
        referenceCaseNo,
        userUid,
        bookedPupUid,
        activeShipments,
        sortBy: 'CreatedDesc',
      } as const;
      const serviceProfile = serviceProfileIn(terminal);
      const { shipments } = await atLockerService(terminal, (api) =>
        listShipments({ serviceProfile, read: (request) => api.call('GetShipments', request) }, filter, 1),
      );
      const rows = shipments.map((each) => [
        each.shipmentUid,
        each.stateCode ?? '',
        utc(each.stateStart),
        `${each.pupUid ?? ''}/${each.lockerName ?? ''}`,
        each.referenceCaseNo ?? '',
      ]);
      const headings = ['shipment', 'state', 'since (UTC)', 'locker', 'case'];
      const text = rows.length > 0 ? table(headings, rows) : 'no shipments found';
      report(terminal, command, { text, data: { shipments } });
    });
}

function addCancelShipment(shipment: Command, terminal: Terminal): void {
  addYesOption(
    shipment
      .command('cancel')
      .description(
        'cancel a shipment that no flow has (lockerflow cancel cancels a flow and all its shipments); ' +
          'if an item is in the locker, the locker is not booked again until somebody says that it is empty',
      )
      .argument('<shipmentUid>', 'the shipment'),
  )
    .addHelpText('after', helpWith(CANCEL_EXAMPLE))
    .action(async (shipmentUid: string, options: ConfirmOptions, command: Command) => {
      await confirm(
        terminal,
        command,
        options,
        `cancel the shipment ${escapeControlCharacters(shipmentUid)}?`,
      );
      await atLockerService(terminal, (api) => api.call('CancelShipment', { shipmentUid }));
      const text = `${shipmentUid}: cancelled`;
      report(terminal, command, { text, data: { shipmentUid, cancelled: true } });
    });
}

interface UnlockOptions extends ConfirmOptions {
  readonly goal?: 'DropOff' | 'PickUp';
}

function addUnlock(shipment: Command, terminal: Terminal): void {
  addYesOption(
    shipment
      .command('unlock')
      .description(
        'open the locker of a shipment remotely: somebody must be there. With --goal the service counts it as ' +
          'that access, and the shipment continues',
      )
      .argument('<shipmentUid>', 'the shipment')
      .addOption(
        new Option(
          '--goal <goal>',
          'the access that the service counts; without it, the service counts none',
        ).choices(['DropOff', 'PickUp']),
      ),
  )
    .addHelpText('after', helpWith(UNLOCK_EXAMPLE))
    .action(async (shipmentUid: string, { goal, ...options }: UnlockOptions, command: Command) => {
      await confirm(
        terminal,
        command,
        options,
        `open the locker of the shipment ${escapeControlCharacters(shipmentUid)}?`,
      );
      const request = { shipmentUid, ...(goal && { unlockGoal: goal }) };
      await atLockerService(terminal, (api) => api.call('UnlockShipmentLocker', request));
      const text = `${shipmentUid}: its locker is open${goal ? `, as a ${goal}` : ''}`;
      report(terminal, command, { text, data: { shipmentUid, unlocked: true, goal: goal ?? null } });
    });
}
