// A backup on disk: the copies; backup.json, which names every file with its size and SHA-256; and backup.mac, which the key of
// the installation makes of backup.json. backup.json is written last, so a folder without it is half a backup. A backup may
// come from anywhere: what it names is checked before anything is done with it.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { constants, createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, glob, lstat, open, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';

const MANIFEST = 'backup.json';
const MAC = 'backup.mac';
const FORMAT = 1;

export const KEYS = ['callback-key', 'encryption-key'] as const;
/** Beside the stores; not all installations have them. */
export const WALLS = ['walls', 'walls.yaml'] as const;
export const POSTGRES_DATA = 'postgres/data';
export const POSTGRES_PASSWORD = 'postgres/password';
export const TEMPORAL_FILE = 'temporal.sqlite';

/** All that a backup may name. */
const CONTENTS: readonly RegExp[] = [
  new RegExp(`^(${TEMPORAL_FILE.replace('.', '\\.')}|${POSTGRES_PASSWORD})$`),
  // Only in backups of 0.2.0: npm start writes it at each start.
  /^postgres\/url$/,
  /^(keys|postgres|postgres\/data|walls|walls\/walls)$/,
  new RegExp(`^keys/(${KEYS.join('|')})$`),
  /^walls\/walls\.yaml$/,
  /^(postgres\/data|walls\/walls)\/./,
];

/** A path below the backup that means the same on every system, and nothing outside it. */
const isName = (name: string): boolean =>
  // Control characters, and the separator of another system.
  !/[\p{Cc}\\]/u.test(name) &&
  name.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && part.length < 256) &&
  CONTENTS.some((known) => known.test(name));

const manifest = z.object({
  format: z.literal(FORMAT),
  /** The moment from which what happened is not in it: for `lockerflow compare --since`. */
  at: z.iso.datetime(),
  /** The major version of the data folder: another one cannot read it. */
  postgresMajor: z.number().int(),
  /** Empty folders too: Postgres does not start without its own. */
  folders: z.array(z.string()),
  files: z.record(z.string(), z.object({ bytes: z.number().int(), sha256: z.string() })),
});
export type BackupManifest = z.infer<typeof manifest>;
type BackedUpFile = BackupManifest['files'][string];

/** Every file is on the disk afterwards, not in the system's memory alone. */
export async function sealBackup(
  folder: string,
  facts: Pick<BackupManifest, 'at' | 'postgresMajor'>,
  backupKey: string,
): Promise<BackupManifest> {
  const files: BackupManifest['files'] = {};
  const folders: string[] = [];
  for await (const entry of glob('**', { cwd: folder, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1).replaceAll(sep, '/');
    if (name === '') continue;
    if (entry.isDirectory()) folders.push(name);
    else files[name] = await fingerprint(path);
  }
  const whole = { format: FORMAT, ...facts, folders: folders.sort(), files } as const;
  const text = `${JSON.stringify(whole, null, 1)}\n`;
  for (const [name, content] of [
    [MAC, `${macOf(text, backupKey).toString('hex')}\n`],
    [MANIFEST, text],
  ] as const) {
    await writeFile(join(folder, name), content, { mode: 0o600 });
    await sync(join(folder, name));
  }
  return whole;
}

const macOf = (text: string, backupKey: string): Buffer =>
  createHmac('sha256', backupKey).update(`lockerflow backup ${text}`).digest();

interface ReadBackup {
  readonly manifest: BackupManifest;
  /** Whether this installation has made it, and nobody has changed it since. */
  readonly isOwn: boolean;
}

/** Throws an Error that says what is wrong with it. @param backupKey undefined where the installation has none */
export async function readBackup(folder: string, backupKey: string | undefined): Promise<ReadBackup> {
  const path = join(folder, MANIFEST);
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new Error(
      `${folder} is not a whole backup: it has no ${MANIFEST}, which npm run backup writes last. Use another folder.`,
      { cause },
    );
  });
  const mac = await readFile(join(folder, MAC), 'utf8').catch(() => '');
  return {
    manifest: manifestIn(text, path),
    isOwn: backupKey !== undefined && isEqual(Buffer.from(mac.trim(), 'hex'), macOf(text, backupKey)),
  };
}

const isEqual = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other);

function manifestIn(text: string, path: string): BackupManifest {
  let found: BackupManifest;
  try {
    found = manifest.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`${path} is not one that this version reads (format ${FORMAT}): use another backup`, {
      cause,
    });
  }
  const wrong = [...found.folders, ...Object.keys(found.files)].find((name) => !isName(name));
  if (wrong === undefined) return found;
  throw new Error(
    `${path} names ${JSON.stringify(wrong)}, which is no part of an installation: nothing was restored. ` +
      'Use a backup as npm run backup has made it',
  );
}

/**
 * Copies a file of the backup and checks on the way that it is the one that the manifest names: what was checked is what was
 * copied. Throws an Error that says what is wrong.
 */
export async function copyBackedUp(
  folder: string,
  name: string,
  expected: BackedUpFile,
  target: string,
): Promise<void> {
  const path = join(folder, name);
  await using file = await openedFile(folder, name).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw notWhole(path, 'is missing', name, expected);
  });
  const hash = createHash('sha256');
  let bytes = 0;
  const counted = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      hash.update(chunk);
      yield chunk;
    }
  };
  const content = file.createReadStream({ autoClose: false });
  await pipeline(content, counted, createWriteStream(target, { flags: 'wx', mode: 0o600 }));
  if (hash.digest('hex') !== expected.sha256)
    throw notWhole(path, `has ${bytes} bytes that are not those of the backup`, name, expected);
}

const notWhole = (path: string, wrong: string, name: string, { bytes }: BackedUpFile): Error =>
  new Error(
    `${path} ${wrong} (expected ${bytes} bytes): the backup is not whole. ` +
      (name.startsWith('keys/')
        ? 'Copy the folder keys/ back from the place where you keep it apart.'
        : 'Use another backup.'),
  );

/** Not through a link: what it points to is not in the backup. */
async function openedFile(folder: string, name: string): Promise<FileHandle> {
  const path = join(folder, name);
  for (let above = name; above !== '.'; above = dirname(above)) {
    const found = await lstat(join(folder, above));
    if (above === name ? !found.isFile() : !found.isDirectory())
      throw new Error(
        `${join(folder, above)} is ${found.isSymbolicLink() ? 'a symbolic link' : 'of another kind'}, expected a ${
          above === name ? 'file' : 'folder'
        }: the backup was changed. Use another backup.`,
      );
  }
  return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
}

async function fingerprint(path: string): Promise<BackedUpFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = createReadStream(path);
  stream.on('data', (chunk) => (bytes += chunk.length));
  await pipeline(stream, hash);
  await sync(path);
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
