// shipment find, shipment show, shipment cancel.
import { type Command, InvalidArgumentError } from 'commander';
import pino from 'pino';
import { addYesOption, type ConfirmOptions, confirm } from '../../../shared/terminal/confirm.ts';
import { plain, table } from '../../../shared/terminal/table.ts';
import type { Terminal } from '../../../shared/terminal/terminal.ts';
import { SuggestionFileReader } from '../../accounts/suggestions/suggestion-file-reader.ts';
import { DoorFailure, Doors } from '../../hardware/doors.ts';
import { readSettings } from '../../settings.ts';
import type { ShipmentEvent } from '../../shipments/reading/get-shipment-events.ts';
import { SwitchBoard } from '../../switches/switches.ts';
import {
  cancelAsOperator,
  type FoundShipment,
  findShipments,
  type ShipmentFilter,
  type WholeShipment,
  wholeShipment,
} from '../shipments.ts';
import { tenantIdOf } from '../tenants.ts';
import type { Administer, AdministerInSteps } from './administer.ts';
import { readText, readUid } from './arguments.ts';
import { formatDeliveries } from './callback-commands.ts';

export function addShipmentCommands(
  parent: Command,
  administer: Administer,
  administerInSteps: AdministerInSteps,
  terminal: Terminal,
): void {
  const shipment = parent.command('shipment').description('shipments');
  addFind(shipment, administer);
  addShow(shipment, administer);
  addCancel(shipment, administerInSteps, terminal);
}

function addFind(shipment: Command, administer: Administer): void {
  shipment
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

function addShow(shipment: Command, administer: Administer): void {
  shipment
    .command('show')
    .description('one shipment, with what happened to it, the openings of its locker, and its callbacks')
    .argument('<tenantUid>', 'the tenant', readUid)
    .argument('<shipmentUid>', 'the shipment', readUid)
    .action((tenantUid: string, shipmentUid: string, _options, command: Command) =>
      administer(command, async (transaction) => {
        const tenantId = await tenantIdOf(transaction, tenantUid);
        const whole = await wholeShipment(transaction, tenantId, shipmentUid);
        return { words: wholeInWords(whole), data: { tenantUid, ...whole } };
      }),
    );
}

function wholeInWords({ shipment, events, isComplete, callbacks }: WholeShipment): string {
  const facts = [
    ['shipment', shipment.shipmentUid],
    ['type', shipment.shipmentType],
    ['state', `${stateOf(shipment)}, since ${shipment.stateStart.toISOString()}`],
    ['locker', `${shipment.locker} (${shipment.lockerUid})`],
    ['from', shipment.fromUserUid ?? 'nobody'],
    ['to', shipment.toUserUid ?? 'nobody yet'],
    ['case', plain(shipment.referenceCaseNo ?? '')],
    ['reference', plain(shipment.referenceNo ?? '')],
    ['description', plain(shipment.description ?? '')],
  ];
  const width = Math.max(...facts.map(([name = '']) => name.length));
  return [
    ...facts
      .filter(([, value]) => value !== '')
      .map(([name = '', value]) => `${name.padEnd(width)}  ${value}`),
    '',
    ...(isComplete ? [] : ['earlier ones are left out']),
    ...table(['at (UTC)', 'what happened', 'by', 'outcome'], events.map(eventRow)),
    '',
    formatDeliveries(callbacks),
  ].join('\n');
}

function eventRow(event: ShipmentEvent): string[] {
  const what = {
    Requested: event.operation ?? '',
    LockerOpened: `the locker was opened${event.accessGoal ? ` for ${event.accessGoal}` : ''}`,
    StateChanged: `became ${event.stateCode}`,
  }[event.kind];
  const by = event.kind === 'StateChanged' ? '' : byWhom(event);
  return [event.occurredAt.toISOString(), what, by, event.outcome ?? ''];
}

function addCancel(shipment: Command, administerInSteps: AdministerInSteps, terminal: Terminal): void {
  addYesOption(
    shipment
      .command('cancel')
      .description(
        'cancel a shipment as CancelShipment does; the locker of an item that is in it is booked no more until it was emptied',
      )
      .argument('<tenantUid>', 'the tenant', readUid)
      .argument('<shipmentUid>', 'the shipment', readUid),
  ).action(async (tenantUid: string, shipmentUid: string, options: ConfirmOptions, command: Command) => {
    await confirm(terminal, command, options, `cancel the shipment ${plain(shipmentUid)}?`);
    await administerInSteps(command, async (database) => {
      const tenantId = await tenantIdOf(database, tenantUid);
      const settings = readSettings(terminal.variables);
      const service = {
        settings,
        doors: new Doors(noDoors, 1),
        log: pino({ level: 'silent' }),
        suggestionFileReader: new SuggestionFileReader(settings.upload),
        switches: await new SwitchBoard(database, settings.mode).of(tenantId),
      };
      await cancelAsOperator(service, database, tenantUid, tenantId, shipmentUid);
      return { words: `${plain(shipmentUid)}: cancelled`, data: { tenantUid, shipmentUid, cancelled: true } };
    });
  });
}

const noDoors = {
  openDoor: async () => {
    throw new DoorFailure('a command opens no door');
  },
  close: async () => undefined,
};

const MAX_FOUND = 1_000;

function readLimit(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1 || number > MAX_FOUND)
    throw new InvalidArgumentError(`it must be a whole number from 1 to ${MAX_FOUND}.`);
  return number;
}

const byWhom = ({ clientId, onBehalfOf }: WholeShipment['events'][number]): string =>
  `${clientId ?? 'an operator'}${onBehalfOf === null ? '' : `, on behalf of ${onBehalfOf}`}`;
