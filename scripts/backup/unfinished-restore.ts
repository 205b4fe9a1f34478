// The mark of a restore that puts its files in place: where it is cut off, nothing may start on half of them.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const restoreMark = (home: string): string => join(home, 'restore-unfinished');

/** Throws where a restore was cut off. */
export function refuseUnfinishedRestore(home: string): void {
  if (existsSync(restoreMark(home)))
    throw new Error(`a restore to ${home} was cut off: run npm run restore -- <folder> again, then start`);
}
