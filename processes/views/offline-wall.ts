// A wall that is cut off: none of its doors was asked to open, so of none it is said that it stayed shut, and the remedy is at the
// wall, not at a door.
import type { Response } from '../../contract/operations/operations.ts';
import { t } from '../../shared/texts/text.ts';

type Door = Pick<Response<'GetLockers'>['items'][number], 'door' | 'doorFailure'>;

/** A service that does not say it knows of no door whose wall does not answer. */
export const isBehindOfflineWall = ({ door, doorFailure }: Door): boolean =>
  doorFailure != null && (doorFailure.wallOffline ?? door === 'Unknown');

/** ISO 8601, the earliest that the service tells; null: it tells none. */
export function offlineSince(doors: readonly Door[]): string | null {
  const [since = null] = doors.flatMap(({ doorFailure }) => doorFailure?.occurredAt ?? []).sort();
  return since === null ? null : `${since}Z`;
}

/** @param name of the wall, for people */
export const formatOfflineWall = (name: string, since: string | null): string =>
  t`${name} is offline${since === null ? '' : t` since ${since}`}: its doors cannot be opened`;

export const OFFLINE_REMEDY = () => t`${REPAIR_WALL()} Until then tell whoever wants to go there.`;

export const REPAIR_WALL = () =>
  t`See that the wall has power and a network: once it answers, its doors can be opened again.`;
