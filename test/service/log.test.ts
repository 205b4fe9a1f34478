// What the log says of a failure: its kind, words and place, and never the row of the database that it was about.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createLog } from '../../service/log.ts';
import { withDatabase } from '../support/database.ts';

test('a failure of the database is logged without personal data, also as a cause', async () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  await withDatabase(async ({ database }) => {
    const failure: Error = await sql`
      insert into accounts select * from accounts where user_uid = 'user-anna'
    `
      .execute(database)
      .catch((error) => error);
    // Postgres itself tells the offending row, personal data and all.
    expect(JSON.stringify(failure)).toMatch(/"detail":"Key .*already exists/);
    log.error({ err: failure }, 'at once');
    log.error({ err: new Error('could not be written', { cause: failure }) }, 'as a cause');
  });
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect(line).toContain('duplicate key value violates unique constraint');
    expect(line).toContain('"code":"23505"');
    expect(line).not.toContain('already exists');
  }
});
