// What is left of the demo data when the mode of a database's service changes: no client with a secret that stands in
// this repository serves production, and one that was revoked keeps no staging service from starting.
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { seedDemoData } from '../../service/demo-data.ts';
import { accessToken } from '../support/caller.ts';
import { withDatabase } from '../support/database.ts';
import { sandboxAs } from '../support/sandbox.ts';
import { writtenByService } from '../support/service-command.ts';
import { startServiceHere } from '../support/service-process.ts';
import { grant, tokenRequest } from './token/token-request.ts';

async function started(url: string, mode: 'staging' | 'production') {
  const service = await startServiceHere({ DATABASE_URL: url, SERVICE_MODE: mode, SERVICE_PORT: '0' });
  onTestFinished(() => service.stop());
  return service;
}

const command = async (url: string, words: string) => {
  await writtenByService(words.split(' '), { DATABASE_URL: url });
};

async function revokeDemoClients(url: string): Promise<void> {
  for (const client of ['demo', 'demo-flows', 'other']) await command(url, `client revoke ${client} --yes`);
}

test('a production service does not start while a client has a secret of the demo, and names the commands', async () => {
  await withDatabase(async ({ url }) => {
    await expect(started(url, 'production')).rejects.toThrow(
      /publicly known.*client revoke demo\n.*client revoke demo-flows\n.*client revoke other\n/s,
    );
    await command(url, 'client revoke demo-flows --yes');
    await command(url, 'client revoke other --yes');
    // The demo client may live on with a secret of its own, once the public one is gone.
    await command(url, 'client rotate demo');
    await expect(started(url, 'production')).rejects.toThrow(/publicly known secrets: demo\./);
    await command(url, 'client retire demo --yes');
    const { address } = await started(url, 'production');
    expect((await tokenRequest(address, grant)).status).toBe(401);
  });
});

test('a production service starts beside the users and lockers of the demo', { tags: 'long' }, async () => {
  await withDatabase(async ({ url }) => {
    await revokeDemoClients(url);
    await started(url, 'production');
  });
});

test('a staging service starts where a demo client was revoked, which stays revoked', {
  tags: 'long',
}, async () => {
  await withDatabase(async ({ url, database }) => {
    await command(url, 'client revoke demo --yes');
    await seedDemoData(database);
    const { address } = await started(url, 'staging');
    expect((await tokenRequest(address, grant)).status).toBe(401);
    const client = database.selectFrom('api_clients').select('revoked_at').where('client_id', '=', 'demo');
    expect(await client.executeTakeFirst()).toEqual({ revoked_at: expect.any(Date) });
    expect(await accessToken(address, 'other')).toBeTruthy();
  });
});

test('a production service does not start while the clock of a tenant is ahead, until it is reset', async () => {
  await withDatabase(async ({ url }) => {
    const { address } = await started(url, 'staging');
    const sandbox = await sandboxAs(address);
    await sandbox('POST', 'clock', { advance: 'P3D' });
    await expect(started(url, 'production')).rejects.toThrow(
      /clock of these tenants.*: demo\..*sandbox\/reset/s,
    );
    await sandbox('POST', 'reset');
    await revokeDemoClients(url);
    await started(url, 'production');
  });
});

test('a staging service does not start where production has served, until that is said to be over', async () => {
  await withDatabase(async ({ url, database }) => {
    await revokeDemoClients(url);
    await (await started(url, 'production')).stop();
    await sql`delete from api_clients`.execute(database);
    await expect(started(url, 'staging')).rejects.toThrow(/its? own.*allow-staging/s);
    // Nothing of the demo was made before it was refused.
    expect(await database.selectFrom('api_clients').select('client_id').execute()).toEqual([]);
    await (await started(url, 'production')).stop();
    await command(url, 'allow-staging --yes');
    await started(url, 'staging');
  });
});
