// callback status, callback list, callback resend.
import type { Command } from 'commander';
import { callbackTypes } from '../../../contract/wire/callback-types.ts';
import { wrongUse } from '../../../shared/terminal/exit-codes.ts';
import type { Report } from '../../../shared/terminal/report.ts';
import type { Terminal } from '../../../shared/terminal/terminal.ts';
import { type Delivery, deliveriesOf } from '../../callbacks/queue/delivery-log.ts';
import { type CallbackStatus, callbackStatusOf } from '../../callbacks/queue/delivery-status.ts';
import { type EventRange, resendCallbacks } from '../../callbacks/queue/resend-callbacks.ts';
import { readSettings } from '../../settings.ts';
import { tenantIdOf } from '../tenants.ts';
import {
  type Administer,
  type AdministerInSteps,
  auditCommand,
  ofTenant,
  rowsOr,
  tenantVerb,
} from './administer.ts';
import { readUid, readWholeNumber } from './arguments.ts';

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
  const status =
    'where callbacks of a tenant go, with which keys (by their fingerprints; needs SERVICE_ENCRYPTION_KEY_FILE), ' +
    'whether its receiver is there, and how much is waiting';
  tenantVerb(callback, 'status', status).action(
    ofTenant(administer, async ({ transaction, tenantId }) => {
      const { encryption } = readSettings(terminal.variables);
      const data = await callbackStatusOf(transaction, tenantId, encryption);
      return { text: formatStatus(data), data };
    }),
  );
}

function formatStatus({
  url,
  authType,
  keys,
  waiting,
  stuck,
  oldestPendingAt,
  refused,
  down,
}: CallbackStatus): string[] {
  const receiver = down
    ? `down since ${down.since.toISOString()} (${down.error}), next probe ${down.nextProbeAt.toISOString()}`
    : 'not known to be down';
  return [
    `url       ${url === null ? 'none: what is pending is held' : url}`,
    `authType  ${authType}`,
    `keys      ${formatKeys(keys)}`,
    `receiver  ${receiver}`,
    ...(refused
      ? [
          `refused   ${refused.shipmentUid} at ${refused.at.toISOString()} (${refused.error}): the receiver's log says whether key, clock or form`,
        ]
      : []),
    `waiting   ${waiting} shipments, ${stuck} of them failed before`,
    `oldest    ${oldestPendingAt?.toISOString() ?? 'nothing is pending'}`,
  ];
}

function formatKeys(keys: CallbackStatus['keys']): string {
  if (keys === null) return 'not shown: SERVICE_ENCRYPTION_KEY_FILE is not set, which reads them';
  const fingerprints = keys.map(({ purpose, fingerprint, validUntil }) => {
    const name = purpose === 'Signing' ? `signs with ${fingerprint}` : `API key ${fingerprint}`;
    return validUntil ? `${name} until ${validUntil.toISOString()}` : name;
  });
  return fingerprints.join(', ') || 'none yet: ConfigureCallback makes them';
}

interface ListOptions {
  readonly shipment?: string;
  readonly pending?: true;
  readonly before?: number;
  readonly limit: number;
}

function addList(callback: Command, administer: Administer): void {
  tenantVerb(callback, 'list', 'what became of the callbacks of a tenant, the latest first')
    .option('--shipment <shipmentUid>', 'of this shipment only', readUid)
    .option('--pending', 'only those still to be delivered')
    .option('--before <eventId>', 'the next page: only events before this one', readWholeNumber)
    .option('--limit <number>', 'at most so many', readWholeNumber, 50)
    .action(
      ofTenant(administer, async ({ transaction, tenantId }, options: ListOptions) => {
        const { shipment: shipmentUid, ...page } = options;
        const deliveries = await deliveriesOf(transaction, tenantId, { ...page, shipmentUid });
        return { text: formatDeliveries(deliveries), data: { deliveries } };
      }),
    );
}

function formatDeliveries(deliveries: readonly Delivery[]): Report['text'] {
  const rows = deliveries.map((delivery) => [
    String(delivery.eventId),
    delivery.createdAt.toISOString(),
    delivery.shipmentUid,
    callbackTypes[delivery.messageType].title ?? delivery.stateCode,
    whereItStands(delivery),
    String(delivery.attempts),
    delivery.failures[0]?.error ?? '',
  ]);
  const headings = ['event', 'at (UTC)', 'shipment', 'state', 'delivery', 'attempts', 'last failure'];
  return rowsOr('no callbacks found', headings, rows);
}

function whereItStands({ status, deliveredAt, nextAttemptAt }: Delivery): string {
  if (status === 'Delivered') return `delivered ${deliveredAt?.toISOString()}`;
  if (status === 'NotSent') return 'not sent: there was no url';
  return `pending${nextAttemptAt ? `, next attempt ${nextAttemptAt.toISOString()}` : ''}`;
}

function addResend(callback: Command, administerInSteps: AdministerInSteps): void {
  const resend =
    'send callbacks again, delivered or never sent, under the ids they had; name events or a shipment';
  tenantVerb(callback, 'resend', resend)
    .option('--event <eventId>', 'this one', readWholeNumber)
    .option('--from <eventId>', 'this one and those after it', readWholeNumber)
    .option('--to <eventId>', 'this one and those before it', readWholeNumber)
    .option('--shipment <shipmentUid>', 'of this shipment only', readUid)
    .action((tenantUid: string, options: ResendOptions, command: Command) => {
      const range = rangeOf(options);
      return administerInSteps(command, async (database) => {
        const tenantId = await tenantIdOf(database, tenantUid);
        // Written before the work: steps that are done stay done after an interruption.
        await auditCommand(database, command, tenantId, options.shipment ? [options.shipment] : []);
        const resent = await resendCallbacks(database, tenantId, range);
        return { text: `${resent} callbacks are sent again`, data: { tenantUid, resent } };
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
