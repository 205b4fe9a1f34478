// Whom and what processes are about that are known by their keys alone: those of entries of Work, and of a batch.

import { commandErrorOf } from '../../processes/outcome.ts';
import { callTemporal } from '../../processes/temporal-context.ts';
import type { FoundFlow } from '../../processes/views/found-flows.ts';
import { newestRunsOf } from '../../processes/views/newest-runs.ts';
import type { RowAbout } from '../../processes/views/process-list.ts';
import type { RowSubjects } from '../../processes/views/row-subjects.ts';
import type { ConsoleParts } from '../console-parts.ts';

type Parts = Pick<ConsoleParts, 'client'>;

/** Keyed as for `RowSubjects`. What has no name yet is shown without one. */
export async function subjectsOfKeys(parts: Parts, keys: readonly string[]) {
  const flows = await callTemporal(parts, () => newestRunsOf(parts.client, keys)).catch((error) => {
    if (commandErrorOf(error)) return new Map<string, FoundFlow>();
    throw error;
  });
  return [...flows].map(([id, flow]) => ({ ...flow, id }));
}

/** By key. */
export const aboutKeys = async (
  parts: Parts,
  subjects: Pick<RowSubjects, 'of'>,
  keys: readonly string[],
): Promise<ReadonlyMap<string, RowAbout>> => await subjects.of(await subjectsOfKeys(parts, keys));
