// How long SearchAccounts takes among many accounts, and as many suggestions as an upload may have (goal: 95 of 100 within 10 ms,
// for what people type). One request at a time, over HTTP. With --own, the tenant that searches has so many of the accounts, and
// another tenant the rest.
//   npm run bench -- account-search --searches 300 --entries 1000000 --own 1000
import { startPostgres } from '../../local/postgres/postgres.ts';
import { integerOptions, logProgress, median, percentile, printTable, runConcurrently } from './measure.ts';
import { newDatabase, newFolder, startService } from './programs.ts';
import { query } from './used.ts';

const { searches, entries: ENTRIES, own } = integerOptions({ searches: 300, entries: 200_000, own: 0 });
const OWN = own || ENTRIES;
const SUGGESTIONS = Math.min(OWN, 100_000);

const firstNames = 'Anna,Bram,Chloë,Daan,Emma,Finn,Hanna,Jan,Lotte,Noor,Sem,Zoë'.split(',');
const lastNames = 'Jansen,de Vries,van den Berg,Bakker,Müller,Smit,Yılmaz,Nowak,Peeters'.split(',');
/** The same on every run, and spread. */
const oneOf = (all: readonly string[], row: number, step: number) =>
  all[Math.floor(row / step) % all.length] ?? '';
const nameOf = (row: number) => ({
  firstName: oneOf(firstNames, row, 1),
  // Most people share a last name with others; some have one of their own.
  lastName: row % 3 === 0 ? `Family${row.toString(36)}` : oneOf(lastNames, row, firstNames.length),
});

const folder = await newFolder();
const postgres = await startPostgres({ folder, port: 0 });
await using stack = new AsyncDisposableStack();
stack.defer(() => postgres.stop());
const databaseUrl = await newDatabase(postgres.url);
const service = stack.use(await startService(databaseUrl, folder));
await addAccounts();
logProgress(`${ENTRIES} accounts are added, ${OWN} of them the tenant's own, and ${SUGGESTIONS} suggestions`);

const someRow = (index: number) => (index * 331) % OWN;
const oneOfThese = (all: string) => (index: number) => all.split('|')[index % all.split('|').length] ?? '';
const kinds: Readonly<Record<string, (index: number) => string>> = {
  'one of many': (index) => `ily${someRow(index).toString(36)}`,
  'a part of an e-mail address': (index) => `${someRow(index)}@exam`,
  'first and last name': (index) => `${nameOf(index).firstName} ${nameOf(index).lastName.slice(0, 4)}`,
  'a remark': (index) => `flat ${someRow(index)}`,
  'a common part': oneOfThese('jans|anna|example|van d|.com|flat|e.c|an'),
  'found nowhere': (index) => `qqx${index}zzq`,
  '200 characters': (index) => oneOfThese('e|anna jansen |💥')(index).repeat(200).slice(0, 200),
  'other scripts': oneOfThese('мария|李明|ﷺ|\u202e|💥💥|ΑΒΓ'),
};
const NOBODY_TYPES = ['200 characters', 'other scripts'];

const rowOf = (what: string, durations: readonly number[]) => ({
  'searched for': what,
  'p50 ms': median(durations),
  'p95 ms': percentile(durations, 0.95),
  'max ms': Math.max(...durations),
});
const table = [];
const typed: number[] = [];
for (const [what, searchText] of Object.entries(kinds)) {
  const { durations } = await runConcurrently(1, [...Array(searches).keys()], (index) =>
    service.call('SearchAccounts', { searchText: searchText(index), most: 20 }),
  );
  table.push(rowOf(what, durations));
  if (!NOBODY_TYPES.includes(what)) typed.push(...durations);
}
table.push(rowOf('all that people type', typed));
printTable(table);

async function addAccounts(): Promise<void> {
  const rows = Array.from({ length: ENTRIES }, (_, row) => nameOf(row));
  const names = [rows.map(({ firstName }) => firstName), rows.map(({ lastName }) => lastName)];
  const from = 'unnest($1::text[], $2::text[]) with ordinality as name (first_name, last_name, row)';
  await query(
    databaseUrl,
    `insert into accounts (user_uid, user_name, email_address, first_name, last_name, main_pick_up_point_id, mail_code)
     select 'bench-' || row, 'user' || row, 'user' || row || '@example.com', first_name, last_name,
       (select pick_up_point_id from pick_up_points where pup_uid = case when row <= $3 then 'pup-central' else 'pup-other' end),
       'bench-' || row from ${from}`,
    [...names, OWN],
  );
  await query(
    databaseUrl,
    `with upload as (insert into account_suggestion_uploads (tenant_id, uploaded_at)
       select tenant_id, now() from tenants where tenant_uid = 'demo' returning upload_id)
     insert into account_suggestions (upload_id, email_address, first_name, last_name, remarks, pup_uid)
     select upload_id, 'resident' || row || '@example.com', first_name, last_name, 'Flat ' || row, 'pup-central'
     from upload, ${from} where row <= $3`,
    [...names, SUGGESTIONS],
  );
  await query(databaseUrl, 'vacuum analyze accounts, account_suggestions');
}
