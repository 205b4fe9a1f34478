// The rows of the account operations (interface: Account management; assumptions: Reading for the two that read).
import { z } from 'zod';
import { emailAddress } from '../wire/email-address.ts';
import { atMostOne, wholeGroup, withRules } from '../wire/field-rule.ts';
import {
  answerFlag,
  answerMutationFlags,
  answerText,
  answerUid,
  countryCode,
  filledText,
  languageCode,
  mutationFlags,
  optional,
  optionalText,
  optionalUid,
  phoneNumber,
  uid,
  userName,
} from '../wire/fields.ts';
import { operation } from './operation.ts';

const management = { source: 'interface: Account management' } as const;

const address = {
  streetName: optionalText,
  streetNo: optionalText,
  mailbox: optionalText,
  city: optionalText,
  countryCode: optional(countryCode),
};
const addressFields = Object.keys(address) as (keyof typeof address)[];

const identity = {
  canManageUser: answerFlag,
  firstName: answerText,
  lastName: answerText,
  emailAddress: answerText,
  phoneNumber: answerText,
  mainPupUid: answerText,
  mainPupName: answerText,
  languageCode: answerText,
  mailCode: answerText,
};

const newAccount = z.object({
  emailAddress,
  firstName: filledText,
  lastName: filledText,
  pickUpPointUid: uid,
  phoneNumber: optional(phoneNumber),
  userName: optional(userName),
  languageCode: optional(languageCode),
  ...address,
  mutationConfig: z.object(mutationFlags).nullish(),
});

/** GetAccount finds an account by one of these. */
const accountKeys = ['userUid', 'emailAddress', 'userName'] as const;

const userUidMissing = { fieldErrors: { userUid: 'InvalidUserUid' } } as const;
const pickUpPointMissing = { fieldErrors: { pickUpPointUid: 'InvalidPupUid' } } as const;
const creationErrors = [
  'EmailAlreadyRegistered',
  'InvalidPupUid',
  'AccessDenied',
  'MutationConfigFailed',
] as const;

export const account = {
  SetAccountDetails: operation({
    ...management,
    ...userUidMissing,
    meaning: 'Changes the details of an account',
    effect: 'repeatable',
    request: withRules(
      z.object({
        userUid: uid,
        emailAddress: emailAddress.nullish(),
        phoneNumber: optional(phoneNumber),
        languageCode: optional(languageCode),
        firstName: filledText.nullish(),
        lastName: filledText.nullish(),
        ...address,
      }),
      [wholeGroup(['firstName', 'lastName']), wholeGroup(addressFields)],
    ),
    response: z.object({ userUid: answerText, ...identity }),
    errors: ['InvalidUserUid', 'EmailAlreadyRegistered'],
  }),
  SetAccountPickUpPoint: operation({
    ...management,
    meaning: 'Sets the default pick up point of an account',
    effect: 'repeatable',
    request: z.object({ userUid: uid, pickUpPointUid: uid }),
    response: z.object({ userUid: answerText, pupUid: answerText, pickUpPointChanged: answerFlag }),
    errors: ['InvalidUserUid', 'InvalidPupUid'],
    fieldErrors: { userUid: 'InvalidUserUid', pickUpPointUid: 'InvalidPupUid' },
  }),
  SetAccountMutationConfig: operation({
    ...management,
    ...userUidMissing,
    meaning: 'Changes the mutation flags of an account that have a value in the request',
    effect: 'repeatable',
    request: z.object({ userUid: uid, ...mutationFlags }),
    response: z.object({ userUid: answerText, ...answerMutationFlags }),
    errors: ['InvalidUserUid'],
  }),
  RemoveAccount: operation({
    ...management,
    ...userUidMissing,
    meaning: 'Removes an account and erases its personal data',
    effect: 'repeatable',
    request: z.object({ userUid: uid }),
    response: z.object({}),
    errors: ['InvalidUserUid', 'AccountInUse'],
  }),
  CreateAccount: operation({
    ...management,
    ...pickUpPointMissing,
    meaning: 'Creates an account if none has the user name or the e-mail address',
    effect: 'once',
    request: newAccount,
    response: z.object({ userUid: answerUid, userName: answerText, ...identity }),
    errors: [...creationErrors, 'UserNameAlreadyRegistered'],
  }),
  CreateOrGetAccount: operation({
    ...management,
    ...pickUpPointMissing,
    meaning: 'Returns the account that has the e-mail address or the user name, or creates one',
    effect: 'repeatable',
    request: newAccount,
    response: z.object({ userUid: answerUid, userName: answerText, ...identity, isExisting: answerFlag }),
    errors: creationErrors,
  }),
  GetAccount: operation({
    source: 'assumptions: Reading',
    meaning: "Returns an account by uid, e-mail address or user name, or the tenant's main account",
    effect: 'none',
    request: withRules(
      z.object({
        userUid: optionalUid,
        emailAddress: emailAddress.nullish(),
        userName: optional(userName),
      }),
      [atMostOne(accountKeys)],
    ),
    response: z.object({
      userUid: answerText,
      userName: answerText,
      ...identity,
      streetName: answerText,
      streetNo: answerText,
      mailbox: answerText,
      city: answerText,
      countryCode: answerText,
      isExisting: answerFlag,
    }),
    errors: ['InvalidUserUid'],
  }),
  GetAccountMutationConfig: operation({
    ...userUidMissing,
    source: 'assumptions: Reading',
    meaning: 'Returns the nine mutation flags of an account',
    effect: 'none',
    request: z.object({ userUid: uid }),
    response: z.object({ userUid: answerText, ...answerMutationFlags }),
    errors: ['InvalidUserUid'],
  }),
};
