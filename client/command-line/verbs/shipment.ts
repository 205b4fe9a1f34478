// `shipment`: what an operator does to one shipment at the locker service, by its API: for the disagreements that
// `compare` finds.
import { type Command, Option } from 'commander';
import { addYesOption, type ConfirmOptions, confirm } from '../../../shared/terminal/confirm.ts';
import { plain, report, type Terminal } from '../../../shared/terminal/terminal.ts';
import { atLockerService, SERVICE_SETTINGS } from '../temporal.ts';

export function addShipment(program: Command, terminal: Terminal): void {
  const shipment = program
    .command('shipment')
    .description('cancel one shipment at the locker service, or open its locker')
    .addHelpText('after', helpWith(CANCEL_EXAMPLE, UNLOCK_EXAMPLE));
  addCancelShipment(shipment, terminal);
  addUnlock(shipment, terminal);
}

const CANCEL_EXAMPLE = '  lockerflow shipment cancel 7c0e…\n';
const UNLOCK_EXAMPLE = '  lockerflow shipment unlock 7c0e… --goal DropOff\n';
const helpWith = (...examples: readonly string[]) => `\nExamples:\n${examples.join('')}${SERVICE_SETTINGS}`;

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
      await confirm(terminal, command, options, `cancel the shipment ${plain(shipmentUid)}?`);
      await atLockerService(terminal, (api) => api.call('CancelShipment', { shipmentUid }));
      const words = `${plain(shipmentUid)}: cancelled`;
      report(terminal, command, { words, data: { shipmentUid, cancelled: true } });
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
      await confirm(terminal, command, options, `open the locker of the shipment ${plain(shipmentUid)}?`);
      const request = { shipmentUid, ...(goal && { unlockGoal: goal }) };
      await atLockerService(terminal, (api) => api.call('UnlockShipmentLocker', request));
      const words = `${plain(shipmentUid)}: its locker is open${goal ? `, as a ${goal}` : ''}`;
      report(terminal, command, { words, data: { shipmentUid, unlocked: true, goal: goal ?? null } });
    });
}
