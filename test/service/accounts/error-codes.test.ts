// Every error code of every contract row of accounts, their suggestions, the platform and lockers, provoked over real HTTP. The
// compiler asks for each: a code that is added to a row, or a row that is added, needs a case here.
import { expect, test } from 'vitest';
import { type ErrorCode, errors } from '../../../contract/index.ts';
import { account } from '../../../contract/operations/account.ts';
import { accountSearch } from '../../../contract/operations/account-search.ts';
import { accountSuggestions } from '../../../contract/operations/account-suggestions.ts';
import { examples } from '../../../contract/operations/examples.ts';
import { lockers } from '../../../contract/operations/locker-operations.ts';
import { platform } from '../../../contract/operations/platform.ts';
import type { Caller, Reply } from '../../support/caller.ts';
import { sandboxAs } from '../../support/sandbox.ts';
import { useInFile } from '../../support/use.ts';
import { useCallers } from '../../support/use-service.ts';
import { csv, formSenderAs } from './suggestions/upload.ts';
import { newAccount } from './support.ts';

const rows = { ...account, ...accountSuggestions, ...platform, ...lockers, ...accountSearch };
type Name = keyof typeof rows;
/** Calls the operation so that it is refused with this code. */
type Case = () => Promise<Reply>;
type Cases = { readonly [N in Name]: Readonly<Record<(typeof rows)[N]['errors'][number], Case>> };

const { service, demo, other } = useCallers();
const upload = useInFile(() => formSenderAs(service.address));

async function registered(
  call: Caller,
  changes: object = {},
): Promise<{ userUid: string; emailAddress: string }> {
  const request = newAccount({ ...changes });
  const { body } = await call('CreateAccount', request);
  return { userUid: String(body.userUid), emailAddress: request.emailAddress };
}

const handedOut = { accessGoal: 'PickUp', reason: 'with the key' };

async function booked(): Promise<string> {
  const request = examples.CreateLocalShipmentAsIssue.request;
  const { body } = await demo('CreateLocalShipmentAsIssue', request);
  return String((body.shipmentUids as string[] | undefined)?.[0] ?? body.shipmentUid);
}

/** An unknown uid and another tenant's are told alike: here it is the other's. */
const ofAnother = (name: Name, fields: object) => async () => {
  const { userUid } = await registered(other, { pickUpPointUid: 'pup-other' });
  return demo(name, { userUid, ...fields });
};

const creation = (name: 'CreateAccount' | 'CreateOrGetAccount') => ({
  InvalidPupUid: () => demo(name, newAccount({ pickUpPointUid: 'pup-other' })),
  MutationConfigFailed: async () => {
    const sandbox = await sandboxAs(service.address);
    await sandbox('POST', 'switches', { mutationConfigFails: true });
    const reply = await demo(name, newAccount({ mutationConfig: { canChangeAddress: true } }));
    await sandbox('POST', 'switches', { mutationConfigFails: false });
    return reply;
  },
});

const form = (parts: { readonly data?: string; readonly file?: File }) => {
  const body = new FormData();
  for (const [name, part] of Object.entries(parts)) body.append(name, part);
  return body;
};
const file = (content: string, name = 'residents.csv') => new File([content], name);

const cases = {
  SetAccountDetails: {
    InvalidUserUid: ofAnother('SetAccountDetails', { languageCode: 'nl' }),
    EmailAlreadyRegistered: async () => {
      const [{ emailAddress }, { userUid }] = [await registered(demo), await registered(demo)];
      return demo('SetAccountDetails', { userUid, emailAddress: emailAddress.toUpperCase() });
    },
  },
  SetAccountPickUpPoint: {
    InvalidUserUid: ofAnother('SetAccountPickUpPoint', { pickUpPointUid: 'pup-central' }),
    InvalidPupUid: async () => {
      const { userUid } = await registered(demo);
      return demo('SetAccountPickUpPoint', { userUid, pickUpPointUid: 'pup-other' });
    },
  },
  SetAccountMutationConfig: {
    InvalidUserUid: ofAnother('SetAccountMutationConfig', { canChangeAddress: true }),
  },
  RemoveAccount: {
    InvalidUserUid: ofAnother('RemoveAccount', {}),
    AccountInUse: () => demo('RemoveAccount', { userUid: 'main-demo' }),
  },
  CreateAccount: {
    ...creation('CreateAccount'),
    EmailAlreadyRegistered: async () => demo('CreateAccount', newAccount(await registered(demo))),
    AccessDenied: async () => {
      const { emailAddress } = await registered(other, { pickUpPointUid: 'pup-other' });
      return demo('CreateAccount', newAccount({ emailAddress }));
    },
    UserNameAlreadyRegistered: async () => {
      const { emailAddress } = await registered(demo);
      return demo('CreateAccount', newAccount({ userName: emailAddress.toUpperCase() }));
    },
  },
  CreateOrGetAccount: {
    ...creation('CreateOrGetAccount'),
    EmailAlreadyRegistered: async () => {
      const { emailAddress } = await registered(demo);
      return demo('CreateOrGetAccount', newAccount({ emailAddress, userName: 'nobody-yet' }));
    },
    AccessDenied: async () => {
      const { emailAddress: userName } = await registered(other, { pickUpPointUid: 'pup-other' });
      return demo('CreateOrGetAccount', newAccount({ userName }));
    },
  },
  GetAccount: { InvalidUserUid: ofAnother('GetAccount', {}) },
  GetAccountMutationConfig: { InvalidUserUid: ofAnother('GetAccountMutationConfig', {}) },
  UploadAccountSuggestions: {
    MissingFile: () => upload(form({ data: '{}', file: file('') })),
    InvalidHeader: () => upload(form({ data: '{}', file: file('EmailAddress;Name\r\n') })),
    InvalidImportType: () => upload(form({ data: '{}', file: file('%PDF-1.7', 'residents.pdf') })),
    NoRequestData: () => upload(form({ file: file(csv()) })),
    NoRequestFile: () => upload(form({ data: '{}' })),
  },
  ConfigureCallback: {},
  GetAuditLog: {},
  GetLockers: {},
  SearchAccounts: {},
  SetLockerOutOfOrder: {
    InvalidLockerUid: () => demo('SetLockerOutOfOrder', { lockerUid: 'pup-other-1', outOfOrder: true }),
  },
  SetLockerEmptied: { InvalidLockerUid: () => demo('SetLockerEmptied', { lockerUid: 'pup-other-1' }) },
  OpenLocker: {
    InvalidLockerUid: () => demo('OpenLocker', { lockerUid: 'pup-other-1', reason: 'a look' }),
    UnlockFailed: async () => {
      const sandbox = await sandboxAs(service.address);
      await sandbox('POST', 'faults', { lockerUid: 'pup-central-1', fault: 'stuck' });
      return demo('OpenLocker', { lockerUid: 'pup-central-1', reason: 'a look' });
    },
  },
  ReportShipmentAccess: {
    InvalidShipment: () => demo('ReportShipmentAccess', { ...handedOut, shipmentUid: 'none' }),
    InvalidShipmentState: async () => {
      const shipmentUid = await booked();
      await demo('CancelShipment', { shipmentUid });
      return demo('ReportShipmentAccess', { ...handedOut, shipmentUid });
    },
    UnlockNotAllowed: async () => demo('ReportShipmentAccess', { ...handedOut, shipmentUid: await booked() }),
  },
} satisfies Cases;

const flat = Object.entries(cases).flatMap(([name, byCode]) =>
  Object.entries<Case>(byCode).map(([code, provoke]) => ({ name, code: code as ErrorCode, provoke })),
);

test.each(flat)('$name is refused with $code', async ({ code, provoke }) => {
  const { status, body } = await provoke();
  expect(body).toMatchObject({ success: false, error: code, message: expect.stringMatching(/.{10}/) });
  expect(status).toBe(errors[code].status);
});
