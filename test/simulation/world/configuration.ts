// What differs from run to run beside the faults: how fast everything is, how much of it there is, and what the service offers.

import type { Peer } from '../../../contract/index.ts';
import { peerSettings, readPeer } from '../../../contract/wire/peer.ts';
import type { Random } from '../kernel/random.ts';
import type { Pace } from '../temporal/server.ts';

export interface Configuration {
  readonly peer: Peer;
  readonly workers: number;
  readonly flows: number;
  readonly lockers: number;
  readonly temporal: Pace;
  readonly looksAhead: boolean;
  /** Null: there is no listing, or nobody has set the reconciler up. */
  readonly reconcilesEveryMs: number | null;
  /** Between the starts of two flows. */
  readonly startsWithinMs: readonly [number, number];
  /** How often stock is issued as soon as it is booked, by people who look at the service and not at flows. */
  readonly issuesAtOnce: number;
  /** From a change of a state until a person comes for it. */
  readonly comesAfterMs: readonly [number, number];
}

const MINUTE = 60_000;

const capabilities = [
  'getShipments,idempotencyKey',
  'getShipments',
  'getShipments',
  'idempotencyKey',
  '',
] as const;

export function configurationOf(random: Random): Configuration {
  const offered = random.pick(capabilities);
  const slowest = random.spread(2, 300);
  return {
    peer: readPeer(peerSettings.parse({ LOCKER_CAPABILITIES: offered })),
    workers: random.between(1, 3),
    flows: random.spread(2, 60),
    lockers: random.spread(3, 40),
    temporal: {
      latencyMs: [1, slowest],
      visibilityLagMs: [slowest, random.spread(slowest, 8_000)],
      suggestedAfterEvents: random.pick([15, 40, 10_000]),
    },
    looksAhead: random.chance(0.1),
    reconcilesEveryMs:
      offered.includes('getShipments') && random.chance(0.7) ? random.spread(1, 60) * MINUTE : null,
    startsWithinMs: [10, random.spread(100, 60 * MINUTE)],
    issuesAtOnce: random.pick([0, 0.5]),
    comesAfterMs: [random.spread(10, MINUTE), random.spread(2 * MINUTE, 600 * MINUTE)],
  };
}
