// How long SearchAccounts takes with 100,000 accounts and 100,000 suggestions of one tenant (goal: 95 of 100 under 20 ms, for
// what people type and for what is meant to be slow). One request at a time, over HTTP.
import { loadavg } from 'node:os';
import pg from 'pg';
import { suggestionColumns } from '../../contract/operations/account-suggestions.ts';
import { type LocalService, startLocalService } from './local-service.ts';
import { percentile, printTable } from './table.ts';

const ENTRIES = 100_000;
const SEARCHES = 300;

const firstNames = [
  'Anna',
  'Bram',
  'Chloë',
  'Daan',
  'Emma',
  'Finn',
  'Hanna',
  'Jan',
  'Lotte',
  'Noor',
  'Sem',
  'Zoë',
];
const lastNames = [
  'Jansen',
  'de Vries',
  'van den Berg',
  'Bakker',
  'Müller',
  'Smit',
  'Yılmaz',
  'Nowak',
  'Peeters',
];
/** The same on every run, and spread. */
const oneOf = (all: readonly string[], row: number, step: number) =>
  all[Math.floor(row / step) % all.length] ?? '';
const nameOf = (row: number) => ({
  firstName: oneOf(firstNames, row, 1),
  // Most people share a last name with others; some have one of their own.
  lastName: row % 3 === 0 ? `Family${row.toString(36)}` : oneOf(lastNames, row, firstNames.length),
});

await using service = await startLocalService();
const begin = performance.now();
await uploadSuggestions(service);
const uploaded = performance.now();
await addAccounts(service.databaseUrl);
process.stdout.write(
  `${ENTRIES} suggestions uploaded in ${((uploaded - begin) / 1_000).toFixed(1)} s, ${ENTRIES} accounts added and packed in ${((performance.now() - uploaded) / 1_000).toFixed(1)} s\n`,
);

const kinds: readonly (readonly [what: string, searchText: (index: number) => string])[] = [
  ['one of many', (index) => `ily${((index * 331) % ENTRIES).toString(36)}`],
  ['a part of an e-mail address', (index) => `${(index * 331) % ENTRIES}@exam`],
  ['first and last name', (index) => `${nameOf(index).firstName} ${nameOf(index).lastName.slice(0, 4)}`],
  ['a remark', (index) => `flat ${(index * 331) % ENTRIES}`],
  [
    'a common part',
    (index) => ['jans', 'anna', 'example', 'van d', '.com', 'flat', 'e.c', 'an'][index % 8] ?? '',
  ],
  ['one or two characters', (index) => (index * 37).toString(36).slice(0, 2)],
  ['found nowhere', (index) => `qqx${index}zzq`],
  [
    '%, _, regular expressions',
    (index) => ['%', '_', '%_%', '.*', '(a+)+$', '[^x]', '\\', '@', '@.@'][index % 9] ?? '',
  ],
  [
    '200 characters',
    (index) => ['e', 'example.com ', 'anna jansen ', 'é', '💥'][index % 5]?.repeat(200).slice(0, 200) ?? '',
  ],
  [
    'common parts in an order of their own',
    (index) => ['com example', 'example.example', 'van den van den', 'annanna'][index % 4] ?? '',
  ],
  ['other scripts', (index) => ['мария', '李明', 'ﷺ', '\u202e', '💥💥', 'ΑΒΓ'][index % 6] ?? ''],
];

const table = [];
for (const [what, searchText] of kinds) table.push(await measured(service, what, searchText));
printTable(table);
process.stdout.write(
  `load average ${loadavg()
    .map((load) => load.toFixed(1))
    .join(' ')}\n`,
);

async function measured({ call }: LocalService, what: string, searchText: (index: number) => string) {
  const waits: number[] = [];
  let incomplete = 0;
  for (let index = 0; index < SEARCHES; index += 1) {
    const sent = performance.now();
    const { isComplete } = await call('SearchAccounts', { searchText: searchText(index), most: 20 });
    waits.push(performance.now() - sent);
    if (isComplete !== true) incomplete += 1;
  }
  return {
    'searched for': what,
    'p50 ms': percentile(waits, 0.5).toFixed(1),
    'p95 ms': percentile(waits, 0.95).toFixed(1),
    'max ms': Math.max(...waits).toFixed(1),
    'has more': `${Math.round((incomplete * 100) / SEARCHES)} %`,
  };
}

async function uploadSuggestions({ call }: LocalService): Promise<void> {
  const lines = Array.from({ length: ENTRIES }, (_, row) => {
    const { firstName, lastName } = nameOf(row);
    return [`resident${row}@example.com`, '', '', firstName, lastName, `Flat ${row}`, 'pup-central'].join(
      ';',
    );
  });
  const form = new FormData();
  form.append('data', '{}');
  form.append('file', new File([[suggestionColumns.join(';'), ...lines].join('\r\n')], 'residents.csv'));
  const { importedCount } = await call('UploadAccountSuggestions', form);
  if (importedCount !== ENTRIES)
    throw new Error(`Expected ${ENTRIES} suggestions, imported ${importedCount}`);
}

async function addAccounts(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const rows = Array.from({ length: ENTRIES }, (_, row) => nameOf(row));
  await client.query(
    `insert into accounts (user_uid, user_name, email_address, first_name, last_name, main_pick_up_point_id, mail_code)
     select 'bench-' || row, 'user' || row, 'user' || row || '@example.com', first_name, last_name,
       (select pick_up_point_id from pick_up_points where pup_uid = 'pup-central'), 'bench-' || row
     from unnest($1::text[], $2::text[]) with ordinality as name (first_name, last_name, row)`,
    [rows.map(({ firstName }) => firstName), rows.map(({ lastName }) => lastName)],
  );
  await client.query('vacuum analyze accounts');
  await client.end();
}
