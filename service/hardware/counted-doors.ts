// Doors that opened, and those that stayed shut, for Prometheus.
import { counter } from '../../runtime/telemetry/metrics.ts';

const doors = counter('lockerflow_doors_total', 'Doors that were to open, by outcome and meaning.');

/** @param meaning what an opening means for its shipment, where a wall told it */
export const countDoor = (
  outcome: 'Opened' | 'StayedShut',
  meaning: 'Next' | 'Stale' | 'Contradictory' | null = null,
): void => doors({ outcome, meaning: meaning ?? '' });
