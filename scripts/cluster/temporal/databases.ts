// The databases in the cluster's Postgres: the service's, and the two of Temporal with their tables.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export const databases = {
  service: 'lockerflow',
  temporal: 'temporal',
  visibility: 'temporal_visibility',
} as const;

/** With Temporal's own tool, in which the tables of each release are. */
export async function createTemporalTables(tool: string, postgresUrl: string): Promise<void> {
  const { hostname, port, username, password } = new URL(postgresUrl);
  const at = ['--plugin', 'postgres12', '--ep', hostname, '-p', port, '-u', username];
  const run = async (database: string, ...words: string[]) => {
    // The password is in the environment: anyone may read the words of a command.
    const env = { ...process.env, SQL_PASSWORD: decodeURIComponent(password) };
    await promisify(execFile)(tool, [...at, '--db', database, ...words], { env }).catch((cause: Error) => {
      throw new Error(`the tables of ${database} cannot be made: ${cause.message.slice(-1_000)}`, { cause });
    });
  };
  const make = async (database: string, name: string) => {
    await run(database, 'setup-schema', '--version', '0.0');
    await run(database, 'update-schema', '--schema-name', `postgresql/v12/${name}`);
  };
  await Promise.all([make(databases.temporal, 'temporal'), make(databases.visibility, 'visibility')]);
}
