// GetAccount (assumptions: Reading).
import { expect, test } from 'vitest';
import { useCallers } from '../../support/use-service.ts';
import { envelope, hidden } from './support.ts';

const { demo, other } = useCallers();

const noAddress = { streetName: null, streetNo: null, mailbox: null, city: null, countryCode: null };

const anna = {
  ...envelope,
  ...noAddress,
  userUid: 'user-anna',
  userName: 'anna@example.com',
  canManageUser: true,
  firstName: 'Anna',
  lastName: 'Jansen',
  emailAddress: 'anna@example.com',
  phoneNumber: '+31612345670',
  mainPupUid: 'pup-central',
  mainPupName: 'Central',
  languageCode: 'nl',
  mailCode: 'ANNA1',
  isExisting: true,
};

// assumptions: Reading, GetAccount
test('an account is found by uid, by e-mail address and by user name, the latter two in any casing', async () => {
  for (const request of [
    { userUid: 'user-anna' },
    { emailAddress: 'ANNA@example.com' },
    { userName: 'Anna@Example.com' },
    { userUid: 'user-anna', emailAddress: null, userName: null },
  ]) {
    const { status, body } = await demo('GetAccount', request);
    expect(status).toBe(200);
    expect(body).toEqual(anna);
  }
});

test("without anything given it is the tenant's main account", async () => {
  const { body } = await demo('GetAccount', {});
  expect(body).toMatchObject({ userUid: 'main-demo', canManageUser: true, mainPupUid: null, mailCode: null });
  expect((await other('GetAccount', {})).body.userUid).toBe('main-other');
});

test('a free e-mail address is said to be free', async () => {
  const { status, body } = await demo('GetAccount', { emailAddress: 'nobody@example.com' });
  expect(status).toBe(200);
  expect(body).toEqual({
    ...envelope,
    ...hidden,
    ...noAddress,
    canManageUser: null,
    userUid: null,
    isExisting: false,
  });
});

// assumptions: Reading, GetAccount
test('an account that another tenant manages shows only its uid, by e-mail address and by user name', async () => {
  for (const [key, userUid] of [
    ['olga@example.com', 'user-olga'],
    ['OTHER@example.com', 'main-other'],
  ])
    for (const request of [{ emailAddress: key }, { userName: key }]) {
      const { status, body } = await demo('GetAccount', request);
      expect(status).toBe(200);
      expect(body).toEqual({ ...envelope, ...hidden, ...noAddress, userUid, isExisting: true });
    }
});
