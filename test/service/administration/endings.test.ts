// How a command of the service ends: its exit codes, what it asks before, and what a Ctrl-C leaves.
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { freePort } from '../../../local/ports.ts';
import { inTransaction } from '../../../service/storage/transaction.ts';
import { createDatabase } from '../../support/database.ts';
import { nodeProgramOfTest } from '../../support/processes/node-program.ts';
import { serviceCommand } from '../../support/service-command.ts';
import { useInFile } from '../../support/use.ts';

const own = useInFile(() => createDatabase());

const command = (...words: string[]) => serviceCommand(words, { DATABASE_URL: own.url });

test.each([
  ['client create nobody x', 'There is no tenant nobody'],
  ['client rotate nobody', 'There is no client nobody'],
  ['client revoke nobody --yes', 'There is no client nobody'],
  ['locker list demo pup-other', 'The tenant has no pick up point pup-other'],
  ['locker emptied demo pup-other-1', 'The tenant has no locker pup-other-1'],
])('a name that does not exist ends with 3: %s', async (words, complaint) => {
  expect(await command(...words.split(' '))).toEqual({ exitCode: 3, written: '', complaint });
});

test.each([
  ['fly', 'there is no command fly; see --help'],
  ['tenant list --far', "unknown option '--far'; see --help"],
  ['callback resend demo', 'expected --event, --from, --to or --shipment; see --help'],
])('wrong use ends with 2, and says where the help is: %s', async (words, complaint) => {
  const ended = { exitCode: 2, complaint: expect.stringContaining(complaint) };
  expect(await command(...words.split(' '))).toMatchObject(ended);
});

test('a Postgres that cannot be reached ends with 4, and says what to check', async () => {
  const url = `postgres://lockerflow@127.0.0.1:${await freePort()}/lockerflow`;
  for (const words of [['tenant', 'list'], ['migrate']])
    expect(await serviceCommand(words, { DATABASE_URL: url })).toEqual({
      exitCode: 4,
      written: '',
      complaint: expect.stringMatching(
        /^Postgres cannot be reached \(.*ECONNREFUSED.*\); check DATABASE_URL$/,
      ),
    });
});

test.each([
  [
    'client revoke demo',
    'nothing was done: nobody can answer "revoke the client demo for good?" here. Add --yes to confirm',
  ],
  [
    'client retire demo',
    'nothing was done: nobody can answer "end the older secret of the client demo?" here. Add --yes to confirm',
  ],
  [
    'signing-key rotate --at-once',
    'nothing was done: nobody can answer "refuse every token of an older key?" here. Add --yes to confirm',
  ],
])('without a terminal, a command that cannot be undone needs --yes: %s', async (words, complaint) => {
  const clients = () => own.database.selectFrom('api_clients').selectAll().orderBy('client_id').execute();
  const before = await clients();
  expect(await command(...words.split(' '))).toEqual({ exitCode: 2, written: '', complaint });
  expect(await clients()).toEqual(before);
});

test('Ctrl-C ends a command that waits with 130, and nothing is changed', async () => {
  const outOfOrder = () =>
    own.database
      .selectFrom('lockers')
      .select('out_of_order')
      .where('locker_uid', '=', 'pup-central-1')
      .executeTakeFirstOrThrow();
  await inTransaction(own.database, async (transaction) => {
    await sql`SELECT FROM lockers WHERE locker_uid = 'pup-central-1' FOR UPDATE`.execute(transaction);
    const words = ['service/main.ts', 'locker', 'out-of-order', 'demo', 'pup-central-1'];
    const child = nodeProgramOfTest(words, { env: { ...process.env, DATABASE_URL: own.url } });
    await vi.waitFor(
      async () => {
        const { rows } = await sql`
          SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()
        `.execute(own.database);
        expect(rows).toHaveLength(1);
      },
      { timeout: 60_000 },
    );
    await child.signal('SIGINT');
    expect(await child.exitCode).toBe(130);
    expect(child.err()).toBe('lockerflow-service: interrupted; nothing was changed\n');
  });
  expect(await outOfOrder()).toEqual({ out_of_order: false });
});
