// A backup on disk: the copies, and backup.json, which names every file with its size and SHA-256. It is written last, so a
// folder without it is half a backup.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { glob, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';

const MANIFEST = 'backup.json';
const FORMAT = 1;

const manifest = z.object({
  format: z.literal(FORMAT),
  /** The moment from which what happened is not in it: for `lockerflow compare --since`. */
  at: z.iso.datetime(),
  /** Of the data folder: another major version cannot read it. */
  postgresMajor: z.number().int(),
  /** Empty folders too: Postgres does not start without its own. */
  folders: z.array(z.string()),
  files: z.record(z.string(), z.object({ bytes: z.number().int(), sha256: z.string() })),
});
export type BackupManifest = z.infer<typeof manifest>;

/** Every file is on the disk afterwards, not in the system's memory alone. */
export async function sealBackup(
  folder: string,
  facts: Pick<BackupManifest, 'at' | 'postgresMajor'>,
): Promise<BackupManifest> {
  const files: BackupManifest['files'] = {};
  const folders: string[] = [];
  for await (const entry of glob('**', { cwd: folder, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1);
    if (name === '') continue;
    if (entry.isDirectory()) folders.push(name);
    else files[name] = await fingerprint(path, true);
  }
  const whole = { format: FORMAT, ...facts, folders: folders.sort(), files } as const;
  const path = join(folder, MANIFEST);
  await writeFile(path, `${JSON.stringify(whole, null, 1)}\n`, { mode: 0o600 });
  await sync(path);
  return whole;
}

/** Throws an Error that says what is wrong with it. */
export async function wholeBackup(folder: string): Promise<BackupManifest> {
  const found = await manifestIn(folder);
  for (const [name, expected] of Object.entries(found.files)) {
    const is = await fingerprint(join(folder, name), false).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (is?.sha256 === expected.sha256) continue;
    const wrong = is ? `has ${is.bytes} bytes that are not those of the backup` : 'is missing';
    throw new Error(
      `${join(folder, name)} ${wrong} (expected ${expected.bytes} bytes): the backup is not whole. ` +
        (name.startsWith('keys/')
          ? 'Copy the folder keys/ back from the place where you keep it apart.'
          : 'Use another backup.'),
    );
  }
  return found;
}

async function manifestIn(folder: string): Promise<BackupManifest> {
  const path = join(folder, MANIFEST);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new Error(
      `${folder} is not a whole backup: it has no ${MANIFEST}, which npm run backup writes last. Use another folder.`,
      { cause },
    );
  }
  try {
    return manifest.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`${path} is not one that this version reads (format ${FORMAT}): use another backup`, {
      cause,
    });
  }
}

async function fingerprint(path: string, synced: boolean): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = createReadStream(path);
  stream.on('data', (chunk) => (bytes += chunk.length));
  await pipeline(stream, hash);
  if (synced) await sync(path);
  return { bytes, sha256: hash.digest('hex') };
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
