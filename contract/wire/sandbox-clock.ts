// GET and POST /sandbox/clock: the clock of a staging tenant, as the service, the workers and the command line exchange it.
import { z } from 'zod';
import { duration } from './duration.ts';
import { filledText } from './fields.ts';

/** `<namespace>/<workflow id>` for a process of Temporal. */
const follower = filledText.max(1_300);

export const clockChange = z.strictObject({
  /** Moves the clock ahead by this much. */
  advance: duration.optional(),
  /** A process outside the service that goes by this clock. */
  follow: follower.optional(),
  /** Processes that have ended. */
  leave: z.array(follower).max(1_000).optional(),
});
export type ClockChange = z.infer<typeof clockChange>;

export const sandboxClock = z.object({
  /** ISO 8601. */
  now: z.string(),
  /** How far it is ahead of the real time. */
  aheadMs: z.number().int().min(0),
  /** Shipments whose callbacks are being sent, or are due now. */
  underWay: z.number().int(),
  /** The next attempt of a callback that was not accepted. */
  next: z
    .object({ shipmentUid: z.string(), attempt: z.number().int(), at: z.string(), inMs: z.number() })
    .nullable(),
  /** Of all events of the tenant's shipments, so that a caller sees whether something has happened. */
  lastEventId: z.number().int(),
  followers: z.array(z.string()),
});
export type SandboxClock = z.infer<typeof sandboxClock>;
