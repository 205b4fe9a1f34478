// What the interface states of the operations on accounts, and of the upload of account suggestions.
import { accountCodes, everyOperation, section, shown, testsOf } from '../statement.ts';

const accounts = testsOf('interface/accounts.test.ts');
const createAccount = testsOf('service/accounts/create-account.test.ts');
const createOrGet = testsOf('service/accounts/create-or-get-account.test.ts');
const setDetails = testsOf('service/accounts/set-account-details.test.ts');
const setPickUpPoint = testsOf('service/accounts/set-account-pick-up-point.test.ts');
const setMutationConfig = testsOf('service/accounts/set-account-mutation-config.test.ts');
const remove = testsOf('service/accounts/remove-account.test.ts');
const mutationConfigFailed = testsOf('service/accounts/mutation-config-failed.test.ts');

const form = [
  everyOperation.path,
  everyOperation.required,
  everyOperation.optional,
  everyOperation.types,
  everyOperation.answer,
].flat();

export const accountManagement = section(
  'Account management',
  shown(
    'SetAccountDetails | /v1/Account/SetAccountDetails | userUid (required); optional emailAddress, phoneNumber, ' +
      'languageCode, firstName, lastName, streetName, streetNo, mailbox, city, countryCode. … | userUid, canManageUser, ' +
      'firstName, lastName, emailAddress, phoneNumber, mainPupUid, mainPupName, languageCode, mailCode, success, error, ' +
      'message',
    form,
    setDetails('%s changes alone', 'a field that is null does not change'),
  ),
  shown(
    'Name group: firstName and lastName are both required if either is set.',
    setDetails('an incomplete group, %j, is InvalidRequest and names the missing fields', '%s changes alone'),
  ),
  shown(
    'Address group: streetName, streetNo, mailbox, city, countryCode are all required if any is set',
    setDetails('an incomplete group, %j, is InvalidRequest and names the missing fields', '%s changes alone'),
  ),
  shown(
    'SetAccountPickUpPoint | /v1/Account/SetAccountPickUpPoint | userUid, pickUpPointUid (both required; sets the default ' +
      'pick up point) | userUid, pupUid (current default), pickUpPointChanged (boolean), success, error, message',
    form,
    setPickUpPoint(
      'another pick up point of the tenant becomes the main one, with a new mail code',
      'the same pick up point again is not a change and keeps the mail code',
    ),
  ),
  shown(
    'SetAccountMutationConfig | /v1/Account/SetAccountMutationConfig | userUid (required); the nine mutation flags ' +
      '(optional, true, false or null). … | userUid, all nine flags, success, error, message',
    form,
    setMutationConfig('%s is set to true and to false, and null leaves it'),
  ),
  shown(
    'Only flags with a non-null value change',
    setMutationConfig('%s is set to true and to false, and null leaves it'),
  ),
  shown(
    'RemoveAccount | /v1/Account/RemoveAccount | userUid (required); … | success, error, message',
    form,
    remove('a removed account is no longer there, and its e-mail address and user name are free'),
  ),
  shown('only manageable accounts', accountCodes),
  shown(
    'CreateAccount | /v1/Account/CreateAccount | emailAddress, firstName, lastName, pickUpPointUid (required, main pick ' +
      'up point of the new account); optional phoneNumber, … languageCode, streetName, streetNo, mailbox, city, ' +
      'countryCode, … | userUid, userName, canManageUser, firstName, lastName, emailAddress, phoneNumber, mainPupUid, ' +
      'mainPupName, languageCode, mailCode, success, error, message',
    form,
    createAccount('a new account has every field as it was given, and a mail code'),
  ),
  shown(
    'userName (defaults to the e-mail address)',
    createAccount('without a user name the e-mail address is the user name, and optional fields are null'),
  ),
  shown(
    'mutationConfig (object or null, flags as in SetAccountMutationConfig, userUid not needed)',
    createAccount('a new account has every field as it was given, and a mail code'),
    everyOperation.optional,
    everyOperation.types,
  ),
  shown(
    'CreateOrGetAccount | /v1/Account/CreateOrGetAccount | Same request as CreateAccount | Same as CreateAccount plus ' +
      'isExisting (boolean: false when newly created)',
    form,
    createOrGet('where none exists an account is made; the same call again gives it'),
  ),
  shown(
    '1. CreateAccount creates an account when none exists by username and/or e-mail;',
    createAccount('a new account has every field as it was given, and a mail code'),
  ),
  shown(
    'when the account exists by the specified username it fails.',
    accounts('CreateAccount fails if an account has the user name, whoever manages it'),
  ),
  shown(
    '2. CreateOrGetAccount returns an existing account found by e-mail and optional username; creates one when none ' +
      'exists;',
    createOrGet(
      'where none exists an account is made; the same call again gives it',
      'an existing account keeps its details and pick up point; its mutation configuration changes',
    ),
  ),
  shown(
    'when the account exists by the specified username, its e-mail address is updated to the specified one.',
    createOrGet('an account that exists by user name is moved to the e-mail address'),
  ),
  shown(
    '3. When the account exists but the caller cannot manage it (isExisting true, canManageUser false) the result ' +
      'contains the userUid of the existing user and the other fields are null.',
    createOrGet('an account that another tenant manages shows only its uid'),
  ),
  shown(
    '4. If the account is created but the mutation configuration cannot be applied, the error is MutationConfigFailed.',
    mutationConfigFailed(
      'if %s cannot apply a mutation configuration, the answer has the userUid, and the account stays',
    ),
  ),
);

const upload = testsOf('service/accounts/suggestions/upload-account-suggestions.test.ts');
const csvFiles = testsOf('service/accounts/suggestions/csv-files.test.ts');
const madeFiles = testsOf('service/accounts/suggestions/made-files.test.ts');
const multipart = testsOf('service/http/multipart.test.ts');
const search = testsOf('service/accounts/search-accounts.test.ts');
const counts = upload('a file is imported, and the answer has every count');

export const uploadAccountSuggestions = section(
  'UploadAccountSuggestions',
  shown(
    'POST /v1/Account/UploadAccountSuggestions, content type multipart/form-data with two mandatory parts:',
    everyOperation.upload,
    multipart('%s: %s', 'a body %s is InvalidRequest'),
  ),
  shown(
    'data | JSON object with optional reference (string); when absent the file name is used',
    upload('without a reference the file name is the reference'),
    multipart('%s: %s'),
    counts,
  ),
  shown(
    'file | Excel file (.xls or .xlsx) or CSV file with ; as delimiter',
    madeFiles(
      'we read the same from %s as LibreOffice',
      '%s is read',
      'a CSV file with commas is InvalidHeader, and the message names the right separator',
    ),
  ),
  shown(
    'CSV header columns: EmailAddress, PhoneNumber, LanguageCode, FirstName, LastName, Remarks, PickUpPoint.',
    counts,
    csvFiles('InvalidHeader when %s'),
  ),
  shown(
    'Rules: only the data of the most recent upload is active; earlier uploads expire.',
    upload('the next upload replaces the former; e-mail addresses that it lacks are removed'),
    search('finds the suggestions of the last upload alone, and keeps no text of the former'),
  ),
  shown(
    'Uploaded data appears as suggestions in account search during registration of a parcel;',
    search('finds the suggestions of the last upload alone, and keeps no text of the former'),
  ),
  shown('it does not create accounts.', upload('an upload makes no accounts')),
  shown(
    'Accounts are identified by e-mail address.',
    counts,
    csvFiles(
      'a repeated e-mail address is a row error that names the first row; of a wrong row it is no repetition',
    ),
  ),
  shown(
    'A phone number must be in international format starting with + or 00 (a row failing this is reported in errorLogs).',
    csvFiles(
      'every wrong row is an entry with its number and its errors, and is not imported',
      'phone numbers are stored in one form, however they are written',
    ),
  ),
  shown('Response: reference (string) … success, error, message.', everyOperation.upload),
  shown('totalCount', counts, everyOperation.upload),
  shown('importedCount', counts, everyOperation.upload),
  shown('existedCount', counts),
  shown(
    'removedCount',
    upload('the next upload replaces the former; e-mail addresses that it lacks are removed'),
  ),
  shown('errorCount (integers)', counts, everyOperation.upload),
  shown('dateTime (ISO 8601 UTC timestamp of the upload)', counts),
  shown(
    'errorLogs (array of objects with id and message)',
    csvFiles('every wrong row is an entry with its number and its errors, and is not imported'),
  ),
);
