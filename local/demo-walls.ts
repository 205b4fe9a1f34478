// The walls of the demo tenant's pick up points: their credentials in the service, and the file from which the wall program
// reads them. The file is written first, so that a start which is cut short leaves no credentials that nobody has.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { z } from 'zod';
import { ensureApiClient } from '../service/administration/api-clients.ts';
import { ownPickUpPointId } from '../service/administration/pick-up-points.ts';
import { tenantIdOf } from '../service/administration/tenants.ts';
import { ensureWall } from '../service/administration/walls.ts';
import { demoTenants } from '../service/demo-data.ts';
import { openDatabase } from '../service/storage/database.ts';
import { inTransaction } from '../service/storage/transaction.ts';
import { newClientSecret } from '../service/token/api-clients.ts';
import { newUid } from '../service/uid.ts';
import { SettingsFileWrong, settingsIn } from '../shared/settings/settings-file.ts';
import { ownFolder } from './own-folder.ts';

const TENANT = 'demo';
const OWNER_ONLY = 0o600;
const HEAD = '# The walls of the demo tenant, written by npm start. docs/walls.md describes this file.\n';

const wall = z.looseObject({ pupUid: z.string(), clientId: z.string(), clientSecret: z.string().optional() });
type DemoWall = z.infer<typeof wall>;

/** Gives the path of the file. A wall that the file has already stays as it is, also one that a person has added. */
export async function ensureDemoWalls(home: string, databaseUrl: string): Promise<string> {
  const path = join(home, 'walls.yaml');
  const known = await wallsIn(path);
  const pickUpPoints = demoTenants
    .filter(({ tenantUid }) => tenantUid === TENANT)
    .flatMap((tenant) => tenant.pickUpPoints);
  const missing = pickUpPoints.filter(({ pupUid }) => !known.some((each) => each.pupUid === pupUid));
  const walls = [...known, ...missing.map(({ pupUid }) => newWall(pupUid))];
  if (missing.length > 0) {
    await ownFolder(home);
    await writeFile(path, `${HEAD}${stringify({ walls })}`, { mode: OWNER_ONLY });
  }
  const ofDemo = walls.filter(({ pupUid }) => pickUpPoints.some((each) => each.pupUid === pupUid));
  await ensureCredentials(ofDemo, databaseUrl);
  return path;
}

/** Its name is new: should the file be lost, the wall gets other credentials, and not another's. */
const newWall = (pupUid: string): DemoWall => ({
  pupUid,
  clientId: `wall-${pupUid}-${newUid().slice(0, 8)}`,
  clientSecret: newClientSecret(),
});

async function wallsIn(path: string): Promise<DemoWall[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
  try {
    return settingsIn(z.object({ walls: z.array(wall) }), text).walls;
  } catch (cause) {
    if (!(cause instanceof SettingsFileWrong)) throw cause;
    throw new Error(
      `${path} is wrong; correct it (docs/walls.md has an example), or remove it, and npm start writes a new one:\n${cause.message}`,
      { cause },
    );
  }
}

async function ensureCredentials(walls: readonly DemoWall[], databaseUrl: string): Promise<void> {
  const database = openDatabase({ url: databaseUrl, connections: 1, onBrokenConnection: () => undefined });
  try {
    await inTransaction(database, async (transaction) => {
      const tenantId = await tenantIdOf(transaction, TENANT);
      for (const { pupUid, clientId, clientSecret } of walls) {
        // The secret is in a file of its own: a person has set this wall up.
        if (clientSecret === undefined) continue;
        const pickUpPointId = await ownPickUpPointId(transaction, tenantId, pupUid);
        await ensureApiClient(transaction, tenantId, clientId, clientSecret, {
          wallPickUpPointId: pickUpPointId,
        });
        await ensureWall(transaction, pickUpPointId);
      }
    });
  } finally {
    await database.destroy();
  }
}
