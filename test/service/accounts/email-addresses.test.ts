// Which e-mail addresses the service takes, and which of them are the same (interface: "E-mail addresses are globally
// unique"; assumptions: Accounts and upload, Which e-mail addresses are valid, and which are the same).
import { expect, test } from 'vitest';
import { eachSampled } from '../../support/suite.ts';
import { useCallers } from '../../support/use-service.ts';
import { csv, uploaderAs } from './suggestions/upload.ts';
import { newAccount } from './support.ts';

const { service, demo, other } = useCallers();

const valid = [
  'Full.Name+box@Example.com',
  "o'neill/a&b=c@example.com",
  'jörg@example.com',
  'Dörte@Sörensen.example.com',
  '用户@例え.jp',
  'δοκιμή@παράδειγμα.δοκιμή',
  'иван@почта.рф',
  'उपयोगकर्ता@उदाहरण.कॉम',
  'anna@example.xn--p1ai',
];

eachSampled(
  test,
  valid,
  3,
  2,
)('%s is taken, kept as it was given, and found', async (emailAddress) => {
  const { status, body } = await demo('CreateAccount', newAccount({ emailAddress }));
  expect(status, JSON.stringify(body)).toBe(200);
  const kept = emailAddress.replace('xn--p1ai', 'рф');
  expect(body).toMatchObject({ emailAddress: kept, userName: kept });
  const { userUid } = body;
  expect((await demo('GetAccount', { emailAddress })).body).toMatchObject({ userUid, emailAddress: kept });
  expect((await other('GetAccount', { emailAddress })).body).toMatchObject({ userUid, isExisting: true });
});

const same: readonly (readonly [first: string, kept: string, again: string])[] = [
  ['jürgen@example.net', 'jürgen@example.net', 'JÜRGEN@EXAMPLE.NET'],
  ['ÉMILE@Example.net', 'émile@example.net', 'émile@example.NET'],
  ['a@bücher.example', 'a@bücher.example', 'A@BÜCHER.example'],
  ['b@bücher.example', 'b@bücher.example', 'b@xn--bcher-kva.example'],
  ['c@XN--bcher-kva.example', 'c@bücher.example', 'c@bücher.example'],
  ['d@ｅｘａｍｐｌｅ.org', 'd@example.org', 'd@example.org'],
  ['zoë@example.net', 'zoë@example.net', 'zoe\u0308@example.net'],
  ['νίκος.οικος@example.net', 'νίκος.οικος@example.net', 'ΝΊΚΟΣ.ΟΙΚΟΣ@example.net'],
];

// assumptions: Accounts and upload, Which e-mail addresses are valid, and which are the same
eachSampled(
  test,
  same,
  3,
  2,
)('%s is kept as %s, and is the same as %s', async (first, kept, again) => {
  const request = newAccount({ emailAddress: first });
  const { body } = await demo('CreateAccount', request);
  expect(body).toMatchObject({ success: true, emailAddress: kept });
  const { userUid } = body;
  const twice = { ...newAccount(), emailAddress: again, userName: `name of ${again}` };
  expect((await demo('CreateAccount', twice)).body.error).toBe('EmailAlreadyRegistered');
  const { userName: _, ...found } = twice;
  expect((await demo('CreateOrGetAccount', found)).body).toMatchObject({ userUid, isExisting: true });
  expect((await demo('GetAccount', { emailAddress: again })).body.userUid).toBe(userUid);
  const { body: another } = await demo('CreateAccount', newAccount());
  const change = { userUid: another.userUid, emailAddress: again };
  expect((await demo('SetAccountDetails', change)).body.error).toBe('EmailAlreadyRegistered');
  const own = { userUid, emailAddress: again };
  expect((await demo('SetAccountDetails', own)).body).toMatchObject({ success: true });
});

test.each([
  ['ismail@example.net', 'ısmail@example.net'],
  ['jorg@example.net', 'jörg@example.net'],
  ['strasse@example.net', 'straße@example.net'],
])('%s and %s are two addresses', async (...addresses) => {
  const made = await Promise.all(
    addresses.map((emailAddress) => demo('CreateOrGetAccount', newAccount({ emailAddress }))),
  );
  expect(made.map(({ body }) => [body.isExisting, body.error])).toEqual([
    [false, null],
    [false, null],
  ]);
});

const invalid = [
  'jörg',
  'jörg@',
  '@müller.example',
  'jörg@müller',
  'jö rg@müller.example',
  'jö\u00a0rg@müller.example',
  'jö\u200brg@müller.example',
  'jö\u202erg@müller.example',
  'jö\u0085rg@müller.example',
  'j..ö@müller.example',
  '.jö@müller.example',
  'jö.@müller.example',
  'jö@rg@müller.example',
  'jö@mü ller.example',
  'jö@.müller.example',
  'a@１.２.３.４',
  'a@müller.１',
  'a@xn--\u00fc.example',
  'a@mü／ller.example',
  '\ud83d@müller.example',
  `${'ö'.repeat(400)}@müller.example`,
];

eachSampled(
  test,
  invalid,
  4,
)('%j is InvalidRequest', async (emailAddress) => {
  const { status, body } = await demo('CreateAccount', newAccount({ emailAddress }));
  expect([status, body.error], JSON.stringify(body)).toEqual([400, 'InvalidRequest']);
  expect(body.message).toContain('emailAddress');
});

test('an upload knows the same addresses as the same', async () => {
  await demo('CreateAccount', newAccount({ emailAddress: 'käthe@größe.example' }));
  const upload = await uploaderAs(service.address);
  const first = await upload({ content: csv('käthe@groesse.example;;;;;;', 'käthe@größe.example;;;;;;') });
  expect(first.body).toMatchObject({ totalCount: 2, importedCount: 2, existedCount: 1, errorCount: 0 });
  const { body } = await upload({
    content: csv('KÄTHE@GRÖßE.example;;;;;;', 'käthe@xn--gre-6ka8i.example;;;;;;', 'jö rg@x.example;;;;;;'),
  });
  expect(body).toMatchObject({ totalCount: 3, importedCount: 1, existedCount: 1, removedCount: 1 });
  expect(body.errorLogs).toEqual([
    { id: '3', message: 'EmailAddress is the same as that of row 2' },
    { id: '4', message: 'EmailAddress "jö rg@x.example" is not an e-mail address' },
  ]);
  const { items } = (await demo('SearchAccounts', { searchText: 'kathe', most: 5 })).body;
  expect((items as { kind: string }[]).map(({ kind }) => kind)).toEqual(['Account', 'Suggestion']);
});
