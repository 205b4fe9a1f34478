// The list as a live topic. The search is asked again and again while somebody looks; what a process says of itself shows
// at once, between two searches.

import type { CountedPage } from '../../processes/views/found-flows.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { foundProcesses, processPage } from './process-page.ts';
import { readSearch } from './search.ts';
import { ProcessSummaries } from './summaries.ts';

// From the end of one search to the next: for what begins and ends. What becomes of a process shows without it.
const EVERY_MS = 400;
// A list that nobody has looked at for so long is forgotten.
const FORGOTTEN_AFTER_MS = 10_000;

export function addLiveList(parts: ConsoleParts): { stop(): void } {
  const summaries = new ProcessSummaries(parts, () => parts.live.changed('processes'));
  const found = new Map<string, { readonly at: number; readonly page: CountedPage }>();
  const read = async (argument: string) => {
    const now = Date.now();
    for (const [name, { at }] of found) if (now - at > FORGOTTEN_AFTER_MS) found.delete(name);
    const search = readSearch(new URLSearchParams(argument));
    const before = found.get(argument);
    const isFresh = before !== undefined && now - before.at < EVERY_MS;
    const page = isFresh ? before.page : await foundProcesses(parts, search);
    if (!isFresh) found.set(argument, { at: Date.now(), page });
    return processPage(page, summaries);
  };
  parts.live.topic('processes', 'look', read, EVERY_MS);
  return { stop: () => summaries.stop() };
}
