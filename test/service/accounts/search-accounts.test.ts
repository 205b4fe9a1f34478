// SearchAccounts over real HTTP: what it finds equals what a plain search of every text finds; no tenant finds another's, and no
// text that is typed is a pattern, fails or is slow by its form. assumptions: Operating, SearchAccounts
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { eachSampled } from '../../support/suite.ts';
import { useInFile } from '../../support/use.ts';
import { useCallers } from '../../support/use-service.ts';
import { csv, uploaderAs } from './suggestions/upload.ts';
import { newAccount } from './support.ts';

const ROWS = 1_500;
const names = 'Anna,Bram,Zoë,Jan-Willem,Müller,van der Berg,Łukasz,O_Neil,100%,Ayşe'.split(',');
const rows = Array.from({ length: ROWS }, (_, row) => ({
  emailAddress: `resident${row}@example.com`,
  firstName: names[row % names.length] ?? '',
  lastName: `Last${row} ${names[(row * 7) % names.length]}`,
  remarks: row % 500 === 0 ? `Keeps a spare key #${row}` : `Flat ${row}`,
}));
/** As the search compares: in small letters without accents, a blank for what is neither letter nor figure. */
const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII but letters and figures
    .replace(/[\x01-\x2f\x3a-\x60\x7b-\x7f]+/g, ' ')
    .trim();
const texts = new Map(
  rows.map((row) => [
    row.emailAddress,
    ` ${plain([row.firstName, row.lastName, row.emailAddress, row.remarks].join(' '))}`,
  ]),
);
const matching = (searchText: string) => {
  const wanted = /^[a-z0-9]{1,2}$/.test(plain(searchText)) ? ` ${plain(searchText)}` : plain(searchText);
  return [...texts].filter(([, text]) => text.includes(wanted)).map(([emailAddress]) => emailAddress);
};

const { service, demo, other } = useCallers();
const upload = useInFile(() => uploaderAs(service.address));
beforeAll(async () => {
  const lines = rows.map((row) => `${row.emailAddress};;;${row.firstName};${row.lastName};${row.remarks};`);
  const { body } = await upload({ content: csv(...lines) });
  expect(body).toMatchObject({ success: true, importedCount: ROWS });
});

interface SearchResult {
  readonly items: readonly Readonly<Record<string, string | null>>[];
  readonly isComplete: boolean;
}

async function search(searchText: string, most = 100, caller = demo): Promise<SearchResult> {
  const { status, body } = await caller('SearchAccounts', { searchText, most });
  expect({ status, body }, searchText).toMatchObject({ status: 200, body: { success: true } });
  return body as unknown as SearchResult;
}

const searches = [
  ...rows.filter((_row, index) => index % 97 === 0).map(({ lastName }) => lastName.slice(1, 9)),
  ...'resident77@,ident12,spare key,key #500,zoe,ZOË last1,muller,łuk,last9,keeps,q,z,zo,nt'.split(','),
  ...'#1,flat 24,n-w,der b,am last10,  Anna   Last10 ,ayse,A\u030Ayse,example.com,ß,İ,ﷺ,💥,💥💥💥'.split(','),
  ...'100% % _ o_n \\ .* ^anna [a-z]+ ((((( @ @@@ example.com.example \u202e \u0301'.split(' '),
  ...["'; drop table accounts; --", 'e'.repeat(200), 'é'.repeat(200)],
];

describe('suggestions', () => {
  eachSampled(
    test,
    searches,
    3,
  )('finds for %j all that has it, or as many as asked for', async (searchText) => {
    const { items, isComplete } = await search(searchText);
    const found = items.filter(({ kind }) => kind === 'Suggestion').map(({ emailAddress }) => emailAddress);
    const expected = plain(searchText) === '' ? [] : matching(searchText);
    expect(new Set(found).size).toBe(found.length);
    for (const emailAddress of found) expect(expected).toContain(emailAddress);
    if (isComplete) expect(new Set(found)).toEqual(new Set(expected));
    else expect(items).toHaveLength(100);
  });
});

describe('accounts', () => {
  // By SQL, as another program would add them: the search does not need the service to write them.
  beforeAll(() =>
    sql`
      insert into accounts
        (user_uid, user_name, email_address, first_name, last_name, main_pick_up_point_id, mail_code)
      select 'searched-' || number, 'searched' || number, 'user' || number || '@example.net', name, 'Account' || lpad(number::text, 3, '0'),
        (select pick_up_point_id from pick_up_points where pup_uid = 'pup-central'), 'searched-' || number
      from unnest(${names}::text[]) with ordinality as named (name, position)
      cross join lateral (select 10 * times + position as number from generate_series(0, 29) as times) as numbers
    `.execute(service.database),
  );

  test.each([
    ['user17@exam', 1],
    ['account4', 0],
    ['count123', 1],
    ['count123 user123 exam', 1],
    ['count123 user124', 0],
    ['zoe account', 30],
    ['łukasz acc', 30],
    ['ayse acc', 30],
    ['MÜLLER Acc', 30],
  ])('are found for %j: %i', async (searchText, count) => {
    expect(await search(searchText)).toMatchObject({ items: { length: count }, isComplete: true });
  });

  test('are found by the digits of their phone numbers', async () => {
    const { body } = await demo('CreateAccount', newAccount({ phoneNumber: '+31612345678' }));
    expect(body).toMatchObject({ success: true });
    const { userUid } = body as { userUid?: string };
    expect(await search('31612345678')).toMatchObject({ items: [{ userUid }] });
    expect(await search('612345678')).toMatchObject({ items: [{ userUid }] });
    expect(await search('612345679')).toMatchObject({ items: [] });
  });

  test('that change at once are found under their new names alone', async () => {
    const changed = Array.from({ length: 12 }, (_, index) => `searched-${index + 21}`);
    await Promise.all(
      changed.map(async (userUid) => {
        const request = { userUid, firstName: 'Xaveria', lastName: `Renamed${userUid.slice(-2)}` };
        expect((await demo('SetAccountDetails', request)).body).toMatchObject({ success: true });
      }),
    );
    expect((await search('xaveria renamed')).items).toHaveLength(12);
    for (const number of ['021', '025', '032']) expect((await search(`account${number}`)).items).toEqual([]);
    const others = await search('account033');
    expect(others.items).toMatchObject([{ userUid: 'searched-33' }]);
    expect((await search('xaveria renamed')).items).toHaveLength(12);
  });

  test('that are removed leave no word of theirs behind', async () => {
    const { body } = await demo('CreateAccount', newAccount({ firstName: 'Wendelmoet', lastName: 'Gone' }));
    expect((await search('wendelmoet')).items).toMatchObject([{ userUid: body.userUid }]);
    await demo('RemoveAccount', { userUid: body.userUid });
    expect((await search('wendelmoet')).items).toEqual([]);
    const { rows } = await sql`select search_text from accounts where user_uid = ${body.userUid}`.execute(
      service.database,
    );
    expect(rows).toEqual([{ search_text: null }]);
  });
});

test('gives at most as many as asked for, and says that there are more', async () => {
  expect(await search('example.com', 5)).toMatchObject({ items: { length: 5 }, isComplete: false });
});

test("finds the tenant's main account, which needs no pick up point", async () => {
  const { body } = await demo('GetAccount', {});
  const { items } = await search(String(body.emailAddress));
  expect(items).toMatchObject([{ kind: 'Account', userUid: 'main-demo' }]);
});

test('shows a tenant neither accounts nor suggestions of another', async () => {
  expect((await search('resident', 100, other)).items).toEqual([]);
  expect((await search('anna', 100, other)).items).toEqual([]);
  expect((await search('olga', 100, other)).items).toMatchObject([{ userUid: 'user-olga' }]);
  expect((await search('olga')).items).toEqual([]);
});

test('finds the suggestions of the last upload alone, and keeps no text of the former', async () => {
  const uploadAs = await uploaderAs(service.address, 'other');
  await uploadAs({ content: csv('old@example.org;;;Old;Resident;;') });
  await uploadAs({ content: csv('new@example.org;;;New;Resident;Third floor;') });
  expect((await search('resident', 100, other)).items).toMatchObject([
    { kind: 'Suggestion', userUid: null, emailAddress: 'new@example.org', remarks: 'Third floor' },
  ]);
  const { rows } =
    await sql`select from account_suggestions where strpos(search_text, 'old resident') > 0`.execute(
      service.database,
    );
  expect(rows).toEqual([]);
});

test.each(['', 'x'.repeat(201), 7])('refuses %j as a searchText', async (searchText) => {
  const { body } = await demo('SearchAccounts', { searchText, most: 20 });
  expect(body).toMatchObject({ success: false, error: 'InvalidRequest' });
  expect(body.message).toContain('searchText');
});
