// The titles of published flows, for every list that names a flow: they are in the memos of the registry, which one query reads for
// all of them. What cannot be read now is named as before, and stops no list.
import type { Client } from '@temporalio/client';
import { LRUCache } from 'lru-cache';
import { publishedFlows } from '../../client/flow-files/published-flows.ts';
import { internalWorkflows, isBuiltIn } from '../../contract/flows/flow-types.ts';
import { keepTitle } from './format-names.ts';

/** Somebody who publishes another title sees it soon; and a list that is read every second reads no files for it. */
const KEPT_MS = 30_000;
const WITHIN_MS = 1_000;
const MAX_FLOWS = 10_000;

/** Those that were looked for, published or not. */
const lookedFor = new LRUCache<string, true>({ max: MAX_FLOWS, ttl: KEPT_MS });

/** Reads the titles only where one of these flows was not looked for lately. */
export async function learnTitles(client: Client, flows: readonly string[]): Promise<void> {
  const named = new Set(flows.filter((flow) => !isBuiltIn(flow) && !internalWorkflows.includes(flow)));
  if ([...named].every((flow) => lookedFor.has(flow))) return;
  try {
    const published = await client.withDeadline(Date.now() + WITHIN_MS, () => publishedFlows(client));
    for (const { file } of published) {
      keepTitle(file.name, file.title);
      lookedFor.set(file.name, true);
    }
  } catch {
    // They are asked for again, once those that were named now are forgotten.
  }
  for (const flow of named) lookedFor.set(flow, true);
}
