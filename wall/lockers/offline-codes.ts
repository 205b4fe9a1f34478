// Codes that people type while there is no connection: what the offline list in the wall's memory allows, as pure functions.
// The list holds slow hashes of codes, and no code.
import { type ScryptOptions, scrypt } from 'node:crypto';
import { z } from 'zod';
import { type OfflineList, offlineListPayload } from '../../contract/wall/wall-messages.ts';

/** One in 700 of those who try may find one of 24 codes; then the list opens nothing any more. */
const MOST_WRONG_CODES = 20;
// The clock of a wall and that of the service may differ a little more than when the list came.
const CLOCKS_DIFFER_MS = 300_000;

export const offlineMemory = z.object({
  list: offlineListPayload,
  /** By how much the clock of the service was before the wall's when the list came. */
  aheadMs: z.number(),
  /** Entries that have opened their door, and do so once. */
  used: z.array(z.string()),
  wrongCodes: z.int(),
});
export type OfflineMemory = Readonly<z.infer<typeof offlineMemory>>;
export type OfflineEntry = OfflineList['entries'][number];

/** An entry that was used up stays so in a later list: the service may not have heard of it yet. */
export function withList(
  former: OfflineMemory | null,
  list: OfflineList,
  aheadMs: number,
): OfflineMemory | null {
  if (former && Date.parse(former.list.issuedAt) > Date.parse(list.issuedAt)) return former;
  const listed = new Set(list.entries.map(({ entryId }) => entryId));
  const used = (former?.used ?? []).filter((entryId) => listed.has(entryId));
  return { list, aheadMs, used, wrongCodes: 0 };
}

/** `now` by the clock of the wall. A clock that was put back before the list was made does not prolong it. */
export function isValid({ list, aheadMs }: OfflineMemory, now: number): boolean {
  const there = now + aheadMs;
  return there < Date.parse(list.expiresAt) && there > Date.parse(list.issuedAt) - CLOCKS_DIFFER_MS;
}

export const isClosed = ({ wrongCodes }: OfflineMemory): boolean => wrongCodes >= MOST_WRONG_CODES;

/** Counted before the code is looked at: who cuts the power meanwhile has not tried for nothing. */
export const counted = (memory: OfflineMemory): OfflineMemory => ({
  ...memory,
  wrongCodes: memory.wrongCodes + 1,
});

/** It was right: it does not count. */
export const opened = (memory: OfflineMemory, { entryId, once }: OfflineEntry): OfflineMemory => ({
  ...memory,
  used: once ? [...memory.used, entryId] : memory.used,
  wrongCodes: Math.max(0, memory.wrongCodes - 1),
});

/** Some 0.2 s of work beside the wall's own. */
export async function entryOf({ list }: OfflineMemory, code: string): Promise<OfflineEntry | undefined> {
  const codeHash = await slowHash(list, code);
  return list.entries.find((entry) => entry.codeHash === codeHash);
}

export const isUsedUp = ({ used }: OfflineMemory, { entryId }: OfflineEntry): boolean =>
  used.includes(entryId);

function slowHash(
  { salt, scrypt: { N, r, p, bytes } }: Pick<OfflineList, 'salt' | 'scrypt'>,
  code: string,
): Promise<string> {
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r };
  return new Promise((resolve, reject) => {
    scrypt(code, salt, bytes, options, (error, key) =>
      error ? reject(error) : resolve(key.toString('base64url')),
    );
  });
}
