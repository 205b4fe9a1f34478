// Makes the credentials of a wall, with the command that operators use.
import { writtenByService } from '../service-command.ts';

export interface WallCredentials {
  readonly pupUid: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export async function newWall(
  databaseUrl: string,
  tenantUid: string,
  pupUid: string,
): Promise<WallCredentials> {
  const clientId = `wall-of-${pupUid}`;
  const written = await writtenByService(['wall', 'create', tenantUid, pupUid, clientId, '--json'], {
    DATABASE_URL: databaseUrl,
    SERVICE_ENCRYPTION_KEY: process.env.SERVICE_ENCRYPTION_KEY,
  });
  const { clientSecret } = JSON.parse(written) as { clientSecret: string };
  return { pupUid, clientId, clientSecret };
}
