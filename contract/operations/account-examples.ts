// Examples of the operations on accounts.
import { mutationFlagNames } from '../wire/fields.ts';
import type { account } from './account.ts';
import type { accountSearch } from './account-search.ts';
import type { accountSuggestions } from './account-suggestions.ts';
import type { Examples } from './example-values.ts';

const anna = {
  userUid: 'user-anna',
  canManageUser: true,
  firstName: 'Anna',
  lastName: 'Jansen',
  emailAddress: 'anna@example.com',
  phoneNumber: '+31612345678',
  mainPupUid: 'pup-central',
  mainPupName: 'Central',
  languageCode: 'nl-NL',
  mailCode: 'K7M3PQ',
};
const address = {
  streetName: 'Stationsplein',
  streetNo: '1',
  mailbox: 'A',
  city: 'Utrecht',
  countryCode: 'NL',
};
const newAccount = {
  emailAddress: 'anna@example.com',
  firstName: 'Anna',
  lastName: 'Jansen',
  pickUpPointUid: 'pup-central',
  phoneNumber: '+31612345678',
  languageCode: 'nl-NL',
  ...address,
  mutationConfig: { canChangeEmailAddress: false, canRemoveManually: true },
};
const flags = {
  ...(Object.fromEntries(mutationFlagNames.map((name) => [name, null])) as Record<
    (typeof mutationFlagNames)[number],
    null
  >),
  canChangeEmailAddress: false,
  canRemoveManually: true,
};

export const accountExamples = {
  SetAccountDetails: {
    request: {
      userUid: 'user-anna',
      emailAddress: 'anna@example.com',
      phoneNumber: '0031612345678',
      languageCode: 'nl',
      firstName: 'Anna',
      lastName: 'Jansen',
      ...address,
    },
    response: { ...anna, languageCode: 'nl' },
  },
  SetAccountPickUpPoint: {
    request: { userUid: 'user-anna', pickUpPointUid: 'pup-station' },
    response: { userUid: 'user-anna', pupUid: 'pup-station', pickUpPointChanged: true },
  },
  SetAccountMutationConfig: {
    request: { userUid: 'user-anna', canChangeEmailAddress: false, canRemoveManually: true },
    response: { userUid: 'user-anna', ...flags },
  },
  RemoveAccount: { request: { userUid: 'user-bram' }, response: {} },
  CreateAccount: { request: newAccount, response: { ...anna, userName: 'anna@example.com' } },
  CreateOrGetAccount: {
    request: newAccount,
    response: { ...anna, userName: 'anna@example.com', isExisting: false },
  },
  GetAccount: {
    request: { emailAddress: 'anna@example.com' },
    response: { ...anna, ...address, userName: 'anna@example.com', isExisting: true },
  },
  GetAccountMutationConfig: {
    request: { userUid: 'user-anna' },
    response: { userUid: 'user-anna', ...flags },
  },
  UploadAccountSuggestions: {
    request: {
      data: { reference: 'residents-march' },
      file: {
        name: 'residents.csv',
        content: new TextEncoder().encode(
          'EmailAddress;PhoneNumber;LanguageCode;FirstName;LastName;Remarks;PickUpPoint\n' +
            'cor@example.com;+31612345679;nl;Cor;Visser;Ground floor;pup-central\n',
        ),
      },
    },
    response: {
      reference: 'residents-march',
      totalCount: 1,
      importedCount: 1,
      existedCount: 0,
      removedCount: 0,
      errorCount: 0,
      dateTime: '2026-03-02T09:15:00.000Z',
      errorLogs: [],
    },
  },
  SearchAccounts: {
    request: { searchText: 'jans', most: 20 },
    response: {
      items: [
        {
          kind: 'Account',
          userUid: 'user-anna',
          firstName: 'Anna',
          lastName: 'Jansen',
          emailAddress: 'anna@example.com',
          phoneNumber: '+31612345678',
          languageCode: 'nl-NL',
          pupUid: 'pup-central',
          remarks: null,
        },
      ],
      isComplete: true,
    },
  },
} satisfies Pick<
  Examples,
  keyof typeof account | keyof typeof accountSearch | keyof typeof accountSuggestions
>;
