// GET and POST /sandbox/clock: the clock of a staging tenant, as the service, the workers and the command line exchange it.
import { z } from 'zod';
import { duration } from './duration.ts';
import { textOf } from './text.ts';

/** `<namespace>/<workflow id>` for a process of Temporal. */
const follower = textOf(1, 1_300);

export const clockChange = z.strictObject({
  advance: duration.optional().describe('Moves the clock ahead by this much'),
  follow: follower.optional().describe('A process outside the service that goes by this clock'),
  leave: z.array(follower).max(1_000).optional().describe('Processes that have ended'),
});
export type ClockChange = z.infer<typeof clockChange>;

export const sandboxClock = z.object({
  now: z.string().describe('ISO 8601'),
  aheadMs: z.number().int().min(0).describe('How far it is ahead of the real time'),
  underWay: z.number().int().describe('Shipments whose callbacks are being sent, or are due now'),
  next: z
    .object({ shipmentUid: z.string(), attempt: z.number().int(), at: z.string(), inMs: z.number() })
    .nullable()
    .describe('The next attempt of a callback that was not accepted'),
  lastEventId: z
    .number()
    .int()
    .describe(
      "Of all events of the tenant's shipments, so that a caller sees whether something has happened",
    ),
  followers: z.array(z.string()),
});
export type SandboxClock = z.infer<typeof sandboxClock>;
