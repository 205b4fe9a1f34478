// callback status, callback list, callback resend.
import { type Command, InvalidArgumentError } from 'commander';
import { ACCESS_MESSAGE_TYPE } from '../../../contract/wire/callback.ts';
import { wrongUse } from '../../../shared/terminal/exit-codes.ts';
import { type Terminal, table } from '../../../shared/terminal/terminal.ts';
import {
  type CallbackStatus,
  callbackStatusOf,
  type Delivery,
  deliveriesOf,
} from '../../callbacks/queue/delivery-log.ts';
import { type EventRange, resendCallbacks } from '../../callbacks/queue/resend-callbacks.ts';
import { readSettings } from '../../settings.ts';
import { tenantIdOf } from '../tenants.ts';
import type { Administer, AdministerInSteps } from './administer.ts';
import { auditCommand } from './administer.ts';
import { readUid } from './arguments.ts';

export function addCallbackCommands(
  parent: Command,
  administer: Administer,
  administerInSteps: AdministerInSteps,
  terminal: Terminal,
): void {
  const callback = parent.command('callback').description('the delivery of callbacks');
  addStatus(callback, administer, terminal);
  addList(callback, administer);
  addResend(callback, administerInSteps);
}

function addStatus(callback: Command, administer: Administer, terminal: Terminal): void {
  callback
    .command('status')
    .description(
      'where callbacks of a tenant go, with which keys (by their fingerprints; needs SERVICE_ENCRYPTION_KEY_FILE), ' +
        'whether its receiver is there, and how much is waiting',
    )
    .argument('<tenantUid>', 'the tenant', readUid)
    .action((tenantUid: string, _options, command: Command) =>
      administer(command, async (transaction) => {
        const { encryption } = readSettings(terminal.variables);
        const tenantId = await tenantIdOf(transaction, tenantUid);
        const status = await callbackStatusOf(transaction, tenantId, encryption);
        return { words: statusInWords(status), data: { tenantUid, ...status } };
      }),
    );
}

function statusInWords({
  url,
  authType,
  keys,
  waiting,
  stuck,
  oldestPendingAt,
  refused,
  down,
}: CallbackStatus): string {
  const receiver = down
    ? `down since ${down.since.toISOString()} (${down.error}), next probe ${down.nextProbeAt.toISOString()}`
    : 'not known to be down';
  return [
    `url       ${url ?? 'none: what is pending is held'}`,
    `authType  ${authType}`,
    `keys      ${keysInWords(keys)}`,
    `receiver  ${receiver}`,
    ...(refused
      ? [
          `refused   ${refused.shipmentUid} at ${refused.at.toISOString()} (${refused.error}): the receiver's log says whether key, clock or form`,
        ]
      : []),
    `waiting   ${waiting} shipments, ${stuck} of them failed before`,
    `oldest    ${oldestPendingAt?.toISOString() ?? 'nothing is pending'}`,
  ].join('\n');
}

function keysInWords(keys: CallbackStatus['keys']): string {
  if (keys === null) return 'not shown: SERVICE_ENCRYPTION_KEY_FILE is not set, which reads them';
  const words = keys.map(({ purpose, fingerprint, validUntil }) => {
    const name = purpose === 'Signing' ? `signs with ${fingerprint}` : `API key ${fingerprint}`;
    return validUntil ? `${name} until ${validUntil.toISOString()}` : name;
  });
  return words.join(', ') || 'none yet: ConfigureCallback makes them';
}

interface ListOptions {
  readonly shipment?: string;
  readonly pending?: true;
  readonly before?: number;
  readonly limit: number;
}

function addList(callback: Command, administer: Administer): void {
  callback
    .command('list')
    .description('what became of the callbacks of a tenant, the latest first')
    .argument('<tenantUid>', 'the tenant', readUid)
    .option('--shipment <shipmentUid>', 'of this shipment only', readUid)
    .option('--pending', 'only those still to be delivered')
    .option('--before <eventId>', 'the next page: only events before this one', readEventId)
    .option('--limit <number>', 'at most so many', readEventId, 50)
    .action((tenantUid: string, options: ListOptions, command: Command) =>
      administer(command, async (transaction) => {
        const tenantId = await tenantIdOf(transaction, tenantUid);
        const { shipment: shipmentUid, ...page } = options;
        const deliveries = await deliveriesOf(transaction, tenantId, { ...page, shipmentUid });
        return { words: formatDeliveries(deliveries), data: { tenantUid, deliveries } };
      }),
    );
}

function formatDeliveries(deliveries: readonly Delivery[]): string {
  if (deliveries.length === 0) return 'no callbacks found';
  const rows = deliveries.map((delivery) => [
    String(delivery.eventId),
    delivery.createdAt.toISOString(),
    delivery.shipmentUid,
    delivery.messageType === ACCESS_MESSAGE_TYPE ? 'picked up, kept booked' : delivery.stateCode,
    whereItStands(delivery),
    String(delivery.attempts),
    delivery.failures[0]?.error ?? '',
  ]);
  const headings = ['event', 'at (UTC)', 'shipment', 'state', 'delivery', 'attempts', 'last failure'];
  return table(headings, rows).join('\n');
}

function whereItStands({ status, deliveredAt, waitsFor, nextAttemptAt }: Delivery): string {
  if (status === 'Delivered') return `delivered ${deliveredAt?.toISOString()}`;
  if (status === 'NotSent') return 'not sent: there was no url';
  return `waits for ${waitsFor}${nextAttemptAt ? ` ${nextAttemptAt.toISOString()}` : ''}`;
}

function addResend(callback: Command, administerInSteps: AdministerInSteps): void {
  callback
    .command('resend')
    .description(
      'send callbacks again, delivered or never sent, under the ids they had; name events or a shipment',
    )
    .argument('<tenantUid>', 'the tenant', readUid)
    .option('--event <eventId>', 'this one', readEventId)
    .option('--from <eventId>', 'this one and those after it', readEventId)
    .option('--to <eventId>', 'this one and those before it', readEventId)
    .option('--shipment <shipmentUid>', 'of this shipment only', readUid)
    .action((tenantUid: string, options: ResendOptions, command: Command) => {
      const range = rangeOf(options);
      return administerInSteps(command, async (database) => {
        const tenantId = await tenantIdOf(database, tenantUid);
        // Written before the work: steps that are done stay done after an interruption.
        await auditCommand(database, command, tenantId, options.shipment ? [options.shipment] : []);
        const resent = await resendCallbacks(database, tenantId, range);
        return { words: `${resent} callbacks are sent again`, data: { tenantUid, resent } };
      });
    });
}

interface ResendOptions {
  readonly event?: number;
  readonly from?: number;
  readonly to?: number;
  readonly shipment?: string;
}

function rangeOf({ event, from = event, to = event, shipment }: ResendOptions): EventRange {
  if (from === undefined && to === undefined && shipment === undefined)
    throw wrongUse('callback resend: expected --event, --from, --to or --shipment; see --help');
  return { fromEventId: from, toEventId: to, shipmentUid: shipment };
}

function readEventId(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1)
    throw new InvalidArgumentError('it must be a whole number from 1.');
  return number;
}
