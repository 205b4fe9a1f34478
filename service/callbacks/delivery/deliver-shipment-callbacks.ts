// Delivers the callbacks of one shipment, one after another, until one is not accepted or the lease ends.
import type { FastifyBaseLogger } from 'fastify';
import { type Kysely, sql } from 'kysely';
import type { Agent } from 'undici';
import type { Backoff } from '../../../shared/limits/backoff.ts';
import { TimeLimit } from '../../../shared/limits/time-limit.ts';
import { durations } from '../../../shared/telemetry/metrics.ts';
import { type Carrier, carrier, inSpan, untraced } from '../../../shared/telemetry/spans.ts';
import { isTracing } from '../../../shared/telemetry/telemetry.ts';
import { isAbout } from '../../audit/audit-entry.ts';
import type { Encryption } from '../../encryption/encryption.ts';
import { placeOf } from '../../encryption/stored-keys.ts';
import type { Database } from '../../storage/database.ts';
import type { CallbackKeyPurpose } from '../../storage/tables.ts';
import type { SwitchBoard } from '../../switches/switches.ts';
import { keepsApiKeySecret } from '../configuration/callback-address.ts';
import type { ClaimedCallback, FrozenEvent } from '../queue/claim-callbacks.ts';
import { isRefusalStatus } from '../queue/delivery-status.ts';
import type { RecordOutcome } from '../queue/record-outcomes.ts';
import { type AttemptResult, attemptCallback } from './attempt-callback.ts';
import { callbackBody } from './callback-body.ts';
import { noOutcome, outcomeOf, type RecentAcceptances } from './judge-attempt.ts';
import { type KeysOfTenant, signatureHeaders } from './sign-callback.ts';

const delivered = durations(
  'lockerflow_callback_delivery_duration_seconds',
  'An attempt to deliver a callback, by outcome: accepted, refused (401, 403) or failed.',
);

export interface Delivery {
  readonly agent: Agent;
  readonly record: RecordOutcome;
  readonly acceptances: RecentAcceptances;
  readonly switchBoard: SwitchBoard;
  readonly database: Kysely<Database>;
  readonly log: FastifyBaseLogger;
  readonly encryption: Encryption;
  readonly patience: Backoff;
  readonly timeoutMs: number;
  readonly leaseMs: number;
  /** After an abort no new attempt starts. */
  readonly stop: AbortSignal;
  /** After an abort the attempt under way is cut. */
  readonly cut: AbortSignal;
}

/** If the sender stops, gives the claim whose attempt did not end. */
export async function deliverShipmentCallbacks(
  delivery: Delivery,
  first: ClaimedCallback,
  leasedAt: number,
): Promise<ClaimedCallback | undefined> {
  const { record, acceptances, patience } = delivery;
  let callback: ClaimedCallback | undefined = first;
  let since = leasedAt;
  while (callback) {
    if (delivery.stop.aborted) return callback;
    // This attempt could take longer than the lease; then another sender would have the shipment at the same time.
    if (performance.now() + delivery.timeoutMs > since + delivery.leaseMs) return undefined;
    let outcome = noOutcome(callback);
    if (callback.event_id !== null) {
      const acceptedLately = acceptances.lately(callback.tenant_id);
      const result = await post(delivery, callback);
      if (delivery.cut.aborted && !result.accepted) return callback;
      if (result.accepted) acceptances.note(callback.tenant_id);
      outcome = outcomeOf(callback, result, patience, acceptedLately());
    }
    const settledFrom = performance.now();
    callback = await record(outcome, since);
    since = settledFrom;
  }
  return undefined;
}

/** In the trace of the booking: the flow and its callbacks are one life. */
async function post(delivery: Delivery, callback: ClaimedCallback & FrozenEvent): Promise<AttemptResult> {
  if (!isTracing()) return await attempted(delivery, callback);
  const { tenant_id: tenantId, shipment_uid: shipmentUid, state_code: stateCode } = callback;
  // Without its trace a callback is sent all the same.
  const from = await traceOfShipment(delivery.database, tenantId, shipmentUid).catch(() => undefined);
  const attributes = { shipmentUid, stateCode, attempt: callback.attempts + 1 };
  return await inSpan(`callback ${stateCode}`, { kind: 'producer', from, attributes }, async (span) => {
    const result = await attempted(delivery, callback);
    if (result.status !== null) span.setAttribute('http.response.status_code', result.status);
    return result;
  });
}

async function attempted(
  { agent, switchBoard, encryption, timeoutMs, cut, log }: Delivery,
  callback: ClaimedCallback & FrozenEvent,
): Promise<AttemptResult> {
  const { url } = callback;
  const { shipment_uid: shipmentUid, event_id: eventId, tenant_id: tenantId } = callback;
  const switches = await switchBoard.of(tenantId);
  const body = JSON.stringify(callbackBody(callback, switches, callback.extra_fields));
  // The shipment's uid is in it: event ids start again with a new database, and a receiver may remember ids for a long
  // time.
  const id = `msg_${shipmentUid}_${eventId}`;
  using limit = new TimeLimit(timeoutMs, cut);
  const traceHeaders = carrier();
  const signed = () => ({
    ...traceHeaders,
    ...signatureHeaders(
      { id, shipmentUid, body, standardWebhooks: switches.standardWebhooks },
      keysOf(callback, encryption),
      Math.floor(Date.now() / 1_000),
    ),
  });
  // No span has the address: a tenant's may be a secret, like that of a chat's webhook.
  const result = await untraced(() => attemptCallback(agent, { url, signed, body }, limit.signal));
  const { milliseconds, status } = result;
  const line = {
    shipmentUid,
    caseNumber: callback.reference_case_no ?? undefined,
    stateCode: callback.state_code,
    eventId,
    attempt: callback.attempts + 1,
    milliseconds,
    status,
  };
  const failed = isRefusalStatus(status) ? 'refused' : 'failed';
  delivered(milliseconds / 1_000, { outcome: result.accepted ? 'accepted' : failed });
  if (result.accepted) log.info(line, 'callback accepted');
  else if (failed === 'refused') log.warn({ ...line, failure: result.error }, 'callback refused');
  else log.info({ ...line, failure: result.error }, 'callback not accepted');
  return result;
}

function keysOf(
  { tenant_id: tenantId, auth_type: authType, url, keys }: ClaimedCallback,
  encryption: Encryption,
): KeysOfTenant {
  if (authType === 'ApiKey' && !keepsApiKeySecret(url))
    throw new Error('the API key is not sent over plain http: configure an https address');
  const decrypted = (wanted: CallbackKeyPurpose) =>
    keys
      .filter(({ purpose }) => purpose === wanted)
      .map(({ callbackKeyId, purpose, sealed }) =>
        encryption.open(
          sealed,
          placeOf.callbackKey({ callback_key_id: callbackKeyId, tenant_id: tenantId, purpose }),
        ),
      );
  return { authType, signingKeys: decrypted('Signing'), apiKey: decrypted('ApiKey')[0] };
}

/**
 * The trace in which the shipment was booked: the audit log has the id of the booking request, which in a trace is its place there.
 * Undefined if it was booked outside of a trace, or long ago.
 */
async function traceOfShipment(
  database: Kysely<Database>,
  tenantId: number,
  shipmentUid: string,
): Promise<Carrier | undefined> {
  // The last one: a shipment in stock is issued later, by another process.
  const { rows } = await sql<{ traceparent: string }>`
    select request_id as traceparent from audit_log
    where tenant_id = ${tenantId} and ${isAbout(tenantId, shipmentUid)}
      and operation like 'Create%' and outcome = 'Success' and request_id like '00-%'
    order by audit_id desc limit 1
  `.execute(database);
  const [row] = rows;
  return row && { traceparent: row.traceparent };
}
