// What the log says of a failure: its kind, words and place, and never the row of the database that it was about.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createLog } from '../../service/log.ts';
import { namedIn } from '../../service/named-in-log.ts';
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

test('a process writes its log to the standard output, and loses no line when it ends', async () => {
  const module = join(import.meta.dirname, '../../service/log.ts');
  const script = `
    const { createLog } = await import(${JSON.stringify(module)});
    createLog('info').info('the last word');
    process.exit();`;
  const words = ['--input-type=module', '--eval', script];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, words);
  expect(JSON.parse(stdout)).toMatchObject({ part: 'service', level: 30, msg: 'the last word' });
  expect(stderr).toBe('');
});

test('a line names the shipments and the case numbers of a request and its answer, also those of details', () => {
  const details = { referenceCaseNo: 'case-2', referenceNo: 'no-2' };
  const request = {
    priorShipmentUid: 'a',
    referenceCaseNo: 'case-1',
    toUserUid: 'user-anna',
    return: details,
  };
  expect(namedIn(request, { shipmentUids: ['b', 'a'], lockerName: '7' })).toEqual({
    shipmentUids: ['a', 'b'],
    caseNumbers: ['case-1', 'case-2'],
  });
  expect(namedIn({ shipmentUid: '', swapsShipmentUid: null, details: null })).toEqual({});
});
