// Makes the credentials of a wall, with the command that operators use.
import { writtenByService } from '../service-command.ts';
import type { WallCredentials } from './wall-controller.ts';

export async function newWall(
  databaseUrl: string,
  tenantUid: string,
  pupUid: string,
  clientId = `wall-of-${pupUid}`,
): Promise<WallCredentials> {
  const written = await writtenByService(['wall', 'create', tenantUid, pupUid, clientId, '--json'], {
    DATABASE_URL: databaseUrl,
    SERVICE_ENCRYPTION_KEY: process.env.SERVICE_ENCRYPTION_KEY,
  });
  const { clientSecret } = JSON.parse(written) as { clientSecret: string };
  return { clientId, clientSecret };
}
