// Answers a callback: 2xx only when Temporal has taken it. It takes and returns plain values, for any HTTP server.
import type { Client } from '@temporalio/client';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import type { Callback, KnownCallback } from '../../contract/wire/callback.ts';
import type { CallbackMessageType, ReadMessage } from '../../contract/wire/callback-types.ts';
import { shortened } from '../../contract/wire/format-issue.ts';
import type { ServiceProfile } from '../../contract/wire/service-profile.ts';
import type { KeepOptions } from '../../shared/routing/keep-unmatched.ts';
import { ReportRouter, type RoutingOptions } from '../../shared/routing/route-report.ts';
import { UnmatchedCallbacks } from '../../shared/routing/unmatched-callbacks.ts';
import { counter, durations } from '../../shared/telemetry/metrics.ts';
import type { AuthenticitySettings, Headers, SignatureFailure } from './authenticity.ts';
import { judgeCallback } from './judge-callback.ts';

export interface ReceiverOptions {
  readonly authenticity: AuthenticitySettings;
  readonly routing: RoutingOptions;
  readonly keeping: KeepOptions;
  readonly serviceProfile: Pick<ServiceProfile, 'normalize'>;
  /** Milliseconds that Temporal may take to accept a callback. After that the answer is 503. */
  readonly answerWithinMs?: number;
  /** Gets the result of each callback; never the body or a header. */
  readonly onReceived?: (received: Received) => void;
}

export interface Received {
  readonly status: number;
  readonly shipmentUid: string | null;
  /** Only if the callback has one: of a flow without a case number of its own it is the flow's key. */
  readonly caseNumber?: string;
  readonly became: 'signalled' | 'unmatched' | 'afterTheEnd' | 'unauthentic' | 'malformed' | 'notTaken';
  readonly workflowIds: readonly string[];
  readonly error?: unknown;
  /** Only if the callback was refused. It is for a log: the sender must not learn it. */
  readonly refused?: RejectedCallback;
}

export interface RejectedCallback extends SignatureFailure {
  /** What a forger wrote, too; shortened. */
  readonly claimedShipmentUid: string | null;
}

export interface CallbackAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body; none unless given. */
  readonly text?: string;
}

export type ReceiveCallback = (headers: Headers, body: Uint8Array) => Promise<CallbackAnswer>;

// Characters of what anybody may have sent: enough to find a shipment, and what is wrong, in a log.
export const LONGEST_UID = 100;
const LONGEST_REASON = 500;

// Seconds. After an outage of Temporal, not all senders should try again at the same time.
const RETRY_AFTER = 5;

// Milliseconds. Our own sender gives up after 10 s. While Temporal is not available, its client tries each call for 18 s and more (measured); a sender that has given up would never see the 503.
const ANSWER_WITHIN_MS = 8_000;

const measured = durations(
  'lockerflow_receiver_callback_duration_seconds',
  'From a callback to its answer, by what became of it.',
);

const refusals = counter(
  'lockerflow_receiver_refusals_total',
  'Callbacks that were refused, by why: key, clock or form.',
);

export function receiveCallback(client: Client, options: ReceiverOptions): ReceiveCallback {
  const router = new ReportRouter(client, options.routing);
  const keeping = new UnmatchedCallbacks(client, options.keeping);
  return async (headers, body) => {
    const since = performance.now();
    const received = await handleCallback(router, keeping, options, headers, body);
    measured((performance.now() - since) / 1_000, { became: received.became });
    if (received.refused) refusals({ why: received.refused.why });
    options.onReceived?.(received);
    const retry = received.status === 503 ? { 'retry-after': String(RETRY_AFTER) } : {};
    return { status: received.status, headers: retry };
  };
}

async function handleCallback(
  router: ReportRouter,
  keeping: UnmatchedCallbacks,
  options: ReceiverOptions,
  headers: Headers,
  body: Uint8Array,
): Promise<Received> {
  const judged = judgeCallback(options.authenticity, headers, body);
  const { claimedShipmentUid } = judged;
  if (judged.kind !== 'genuine') {
    const { why } = judged;
    const reason = shortened(judged.words, LONGEST_REASON);
    const refused = {
      why,
      words: reason,
      claimedShipmentUid: claimedShipmentUid && shortened(claimedShipmentUid, LONGEST_UID),
    };
    return judged.kind === 'unauthentic'
      ? { shipmentUid: null, workflowIds: [], status: 401, became: 'unauthentic', refused }
      : { shipmentUid: null, workflowIds: [], status: 400, became: 'malformed', refused };
  }
  const { callback } = judged;
  const report = { shipmentUid: claimedShipmentUid, ...caseOf(callback), workflowIds: [] };
  try {
    const taken = take(router, keeping, options, callback);
    return { ...report, ...(await within(options.answerWithinMs, taken)) };
  } catch (error) {
    return { ...report, status: 503, became: 'notTaken', error };
  }
}

function caseOf(callback: Callback): { caseNumber?: string } {
  const caseNumber = callback.messageType === 'Other' ? null : callback.message.referenceCaseNo;
  return caseNumber ? { caseNumber } : {};
}

async function take(
  router: ReportRouter,
  keeping: UnmatchedCallbacks,
  { serviceProfile }: ReceiverOptions,
  callback: Callback,
): Promise<Pick<Received, 'status' | 'became' | 'workflowIds'>> {
  const receivedAt = new Date().toISOString();
  if (callback.messageType === 'Other') {
    const message = { messageType: callback.name, body: callback.body, receivedAt };
    return { status: 202, became: 'unmatched', workflowIds: [await keeping.message(message)] };
  }
  const report = reportOf(serviceProfile, callback, receivedAt);
  const behind = await keeping.behind(report);
  if (behind !== null) return { status: 202, became: 'unmatched', workflowIds: [behind] };
  const routed = await router.route(report);
  if (routed.to === 'flows') return { status: 204, became: 'signalled', workflowIds: routed.workflowIds };
  if (routed.to === 'closedFlow')
    return { status: 204, became: 'afterTheEnd', workflowIds: routed.workflowIds };
  return { status: 202, became: 'unmatched', workflowIds: [await keeping.report(report)] };
}

function reportOf<Type extends CallbackMessageType>(
  serviceProfile: ReceiverOptions['serviceProfile'],
  { messageType, message }: KnownCallback<Type>,
  receivedAt: string,
): ShipmentReport {
  return {
    ...reported[messageType](serviceProfile.normalize(message), receivedAt),
    receivedAt,
    source: 'callback',
  };
}

type Reported = Omit<ShipmentReport, 'receivedAt' | 'source'>;

const reported: {
  readonly [Type in CallbackMessageType]: (message: ReadMessage<Type>, receivedAt: string) => Reported;
} = {
  ShipmentStatusUpdate: (status) => status,
  ShipmentAccess: ({ accessGoal: _, occurredAt, ...status }, receivedAt) => ({
    ...status,
    pickedUpAt: occurredAt ?? receivedAt,
  }),
};

/** If Temporal takes it later after all, the sender repeats it: the repetition only counts as one. */
function within<Value>(milliseconds = ANSWER_WITHIN_MS, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const tooLate = () => reject(new Error(`Temporal has not taken it within ${milliseconds} ms`));
    const timer = setTimeout(tooLate, milliseconds);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
