// Keeps an entry of Work out of sight until a moment, unless it is ended before.
import { sleep } from '@temporalio/workflow';
import type { SnoozedEntryInput } from '../contract/flows/snooze.ts';

export async function SnoozedEntry({ until }: SnoozedEntryInput): Promise<void> {
  await sleep(Math.max(1, until - Date.now()));
}
