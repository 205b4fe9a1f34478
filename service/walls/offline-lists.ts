// Gives each wall that wants one a list of what it may open while it has no connection: after its hello, when what may be
// opened has changed, and before a list expires. The codes are in it as slow hashes (docs/security.md says what a stolen
// list gives).
import { hash, randomBytes, type ScryptOptions, scrypt } from 'node:crypto';
import { CompactSign } from 'jose';
import type { Kysely } from 'kysely';
import pLimit from 'p-limit';
import { OFFLINE_LIST_TYPE, type OfflineList } from '../../contract/index.ts';
import type { Settings } from '../settings.ts';
import type { Database } from '../storage/database.ts';
import { SIGNING_ALGORITHM, type SigningKeys } from '../token/signing-keys.ts';
import { newUid } from '../uid.ts';
import type { WallConnection } from './connection.ts';
import {
  listedEntries,
  type OfflineAccess,
  offlineAccesses,
  offlineSalt,
  storeCodeHash,
} from './offline-entries.ts';

/** Some 0.2 s and 64 MB for a code: all million codes take two days of one processor. */
const COST = { N: 65_536, r: 8, p: 1, bytes: 16 } as const;
const HOUR_MS = 3_600_000;

export interface OfflineListsOptions {
  readonly database: Kysely<Database>;
  readonly signingKeys: SigningKeys;
  /** wallOfflineHours: how long a list is valid; 0: no wall gets one. */
  readonly settings: Pick<Settings, 'wallOfflineHours'>;
}

interface IssuedList {
  readonly fingerprint: string;
  readonly renewAt: number;
}

/** Sends new lists where they are due. `isConnected`: a wall that has gone needs none any more. */
export type RenewOfflineLists = (
  connections: readonly WallConnection[],
  isConnected: (connection: WallConnection) => boolean,
) => Promise<void>;

export function offlineLists({ database, signingKeys, settings }: OfflineListsOptions): RenewOfflineLists {
  const offlineHours = settings.wallOfflineHours;
  const allIssued = new WeakMap<WallConnection, IssuedList>();
  /** One code is hashed at a time: each takes 64 MB. */
  const hashing = pLimit(1);
  const busy = new Set<WallConnection>();

  return async (connections, isConnected) => {
    const wanting = connections.filter((each) => each.session?.wantsOfflineLists && !busy.has(each));
    if (offlineHours === 0 || wanting.length === 0) return;
    const all = await offlineAccesses(
      database,
      wanting.map(({ place }) => place.pickUpPointId),
    );
    await Promise.all(
      wanting.map(async (connection) => {
        const accesses = all.filter((each) => each.pickUpPointId === connection.place.pickUpPointId);
        const fingerprint = fingerprintOf(accesses);
        const issued = allIssued.get(connection);
        if (issued?.fingerprint === fingerprint && issued.renewAt > Date.now()) return;
        busy.add(connection);
        try {
          const isWanted = () => isConnected(connection);
          const list = await listOf(connection, accesses, isWanted);
          if (!list || !isWanted()) return;
          connection.send({ type: 'offlineList', list });
          allIssued.set(connection, { fingerprint, renewAt: Date.now() + (offlineHours * HOUR_MS) / 2 });
        } finally {
          busy.delete(connection);
        }
      }),
    );
  };

  /** Undefined if the wall has gone meanwhile. */
  async function listOf(
    { place }: WallConnection,
    accesses: readonly OfflineAccess[],
    isWanted: () => boolean,
  ): Promise<string | undefined> {
    const salt = await offlineSalt(database, place.pickUpPointId, offlineHours, newSalt());
    const hashed: (OfflineAccess & { readonly codeHash: string })[] = [];
    for (const access of accesses) {
      if (!isWanted()) return undefined;
      hashed.push({ ...access, codeHash: await hashOf(access, salt) });
    }
    const now = Date.now();
    const expiresAt = new Date(now + offlineHours * HOUR_MS);
    const payload: OfflineList = {
      listId: newUid(),
      pupUid: place.pupUid,
      issuedAt: new Date(now).toISOString(),
      expiresAt: expiresAt.toISOString(),
      salt,
      scrypt: COST,
      entries: fitting(await listedEntries(database, hashed, expiresAt)),
    };
    const { keyId, privateKey } = await signingKeys.current();
    return new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid: keyId, typ: OFFLINE_LIST_TYPE })
      .sign(privateKey);
  }

  async function hashOf(access: OfflineAccess, salt: string): Promise<string> {
    if (access.codeHash !== null && access.salt === salt) return access.codeHash;
    const codeHash = await hashing(() => slowHash(access.code, salt));
    await storeCodeHash(database, access, salt, codeHash);
    return codeHash;
  }
}

/** Bytes of JSON whose JWS, longer by a third, still goes into a frame of LONGEST_WALL_FRAME. */
const MAX_BYTES = 180_000;

/** The latest ones, where lockers have uids so long that a frame would end the connection. */
export function fitting(entries: OfflineList['entries']): OfflineList['entries'] {
  let bytes = 0;
  let first = entries.length;
  for (const entry of entries.toReversed()) {
    bytes += Buffer.byteLength(JSON.stringify(entry));
    if (bytes > MAX_BYTES) break;
    first -= 1;
  }
  return entries.slice(first);
}

const newSalt = () => randomBytes(16).toString('base64url');

/** A digest of what a wall may open, without the hashes: a list is renewed for those when it is renewed anyway. */
const fingerprintOf = (accesses: readonly OfflineAccess[]): string =>
  hash(
    'sha256',
    JSON.stringify(accesses.map(({ shipmentUid, eventType, code }) => [shipmentUid, eventType, code])),
  );

function slowHash(code: string, salt: string): Promise<string> {
  const { N, r, p, bytes } = COST;
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r };
  return new Promise((resolve, reject) => {
    scrypt(code, salt, bytes, options, (error, key) =>
      error ? reject(error) : resolve(key.toString('base64url')),
    );
  });
}
