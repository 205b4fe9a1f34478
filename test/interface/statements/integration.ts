// What the interface states of authentication, callbacks, errors, limits and versions.
import {
  accountCodes,
  everyOperation,
  leftOpen,
  notTested,
  section,
  shipmentCodes,
  shown,
  testsOf,
} from '../statement.ts';

const authentication = testsOf('interface/authentication.test.ts');
const accounts = testsOf('interface/accounts.test.ts');
const flows = testsOf('interface/flows.test.ts');
const shipments = testsOf('interface/shipments.test.ts');
const tokens = testsOf('service/token/token-endpoint.test.ts');
const states = testsOf('service/shipments/states.test.ts');
const callbacks = testsOf('service/callbacks/delivery/delivered-callbacks.test.ts');
const unlocking = testsOf('service/lockers/unlock-shipment-locker.test.ts');
const createAccount = testsOf('service/accounts/create-account.test.ts');
const createOrGet = testsOf('service/accounts/create-or-get-account.test.ts');
const setDetails = testsOf('service/accounts/set-account-details.test.ts');
const upload = testsOf('service/accounts/suggestions/upload-account-suggestions.test.ts');
const csvFiles = testsOf('service/accounts/suggestions/csv-files.test.ts');
const madeFiles = testsOf('service/accounts/suggestions/made-files.test.ts');
const multipart = testsOf('service/http/multipart.test.ts');
const failures = testsOf('service/http/failures.test.ts');
const sandbox = testsOf('service/sandbox/sandbox.test.ts');

const token = authentication(
  'client credentials give a bearer token, its seconds, and the access of their client',
);
const wrongField = authentication('a wrong %s gives no token');

export const authenticationSection = section(
  'Authentication',
  shown(
    'OAuth 2 client credentials flow.',
    token,
    tokens('an independent client discovers the service and gets and uses a token, credentials %s'),
  ),
  shown(
    'The access token is sent with every request as Authorization: Bearer <ACCESS_TOKEN>.',
    authentication(
      'the token goes with every request: without it, or with another one, the request is refused',
    ),
    everyOperation.post,
  ),
  shown('Token request: HTTP POST to {auth_url}/connect/token', token),
  notTested(
    '(production and staging have separate token addresses)',
    'each installation has its own address; SERVICE_MODE says which of the two environments it is',
  ),
  shown(
    'Content-Type application/x-www-form-urlencoded.',
    token,
    tokens('a body of type %s that is not the form is invalid_request'),
  ),
  shown('client_id | <CLIENT_ID> of the API client', token, wrongField),
  shown('client_secret | <CLIENT_SECRET> of the API client', token, wrongField),
  shown('grant_type | client_credentials', token, wrongField),
  shown('scope | integration_api', token, wrongField),
  shown(
    'Token response fields: access_token (string), token_type (bearer), expires_in (integer, seconds).',
    token,
  ),
  shown(
    'The token expires after a short time;',
    testsOf('service/token/access-tokens.test.ts')(
      'a token is refused a second after expires_in has passed, also if it was taken before',
    ),
    tokens('an answer with a token must not be kept, and its fields are the interface’s'),
  ),
  shown(
    'a new token is obtained by repeating the token request.',
    authentication('the same token request again gives a further token, and both are valid'),
  ),
  leftOpen('Failure response of the token request: not shown.', 'The wire: Failures of the token request'),
);

const callback = flows(
  'a callback has the new state, its start, and the type and references of the shipment',
);

export const events = [
  section(
    'Events',
    shown(
      "One event kind is sent, as a callback to the tenant's callback address.",
      flows('CreateLocalShipment creates one shipment from account to account, at one pick up point'),
      callback,
    ),
  ),
  section(
    'ShipmentStatusUpdate',
    shown(
      "Sent when a shipment's stateCode has changed.",
      flows('CreateLocalShipment creates one shipment from account to account, at one pick up point'),
      states('a receiver set while registered or ready for drop off changes no state and is not told'),
    ),
    shown('messageType | string | ShipmentStatusUpdate', callback),
    shown('message.shipmentUid | string |', callback),
    shown(
      'Also the value that is hashed in the HMAC of the callback',
      callbacks('the signatures hold for the standardwebhooks package and for openssl'),
    ),
    shown('message.stateCode | string | New state', callback),
    shown('message.stateStart | datetime (ISO 8601, no zone) |', callback),
    shown('message.shipmentType | string | e.g. LocalPupShipment', callback),
    shown('message.referenceNo | string |', callback),
    shown('message.referenceCaseNo | string |', callback),
    shown('message.description | string |', callback),
    shown(
      'Body:',
      callbacks(
        'a callback has exactly the fields of the interface, and the place and the users too once a tenant asks',
      ),
    ),
    leftOpen('Registration of the callback address: not shown.', 'Callbacks: Registration of the address'),
    leftOpen('HMAC algorithm, secret and the header carrying it: not shown.', 'Callbacks: HMAC'),
    leftOpen('Other kinds of event: not shown.', 'Callbacks: Other kinds of event'),
  ),
];

export const errors = section(
  'Errors',
  shown(
    'Every response carries success, error (code or null) and message (text or null).',
    everyOperation.answer,
    everyOperation.required,
    everyOperation.post,
    failures('the unknown path %s is UnknownOperation', '%s as the body is InvalidRequest'),
  ),
  shown(
    'Generic error codes | all operations | Any generic code',
    everyOperation.required,
    everyOperation.post,
    failures(
      '%s as the body is InvalidRequest',
      'a failure of the service is InternalError without any inner detail, and is logged whole',
    ),
  ),
  shown(
    'InvalidShipmentState | SetShipmentReceiver, UnlockShipmentLocker | Shipment is in a state in which the action is not ' +
      'possible (for SetShipmentReceiver: the recipient can no longer be set)',
    shipmentCodes,
    states('SetShipmentReceiver refuses %s'),
    shipments('UnlockShipmentLocker is refused with another goal, and for a shipment that is completed'),
  ),
  shown(
    'InvalidShipment | UnlockShipmentLocker | Shipment unknown or not manageable by the current account',
    shipmentCodes,
    testsOf('service/shipments/other-tenants.test.ts')(
      '$name looks the same for a foreign and for an unknown $field',
    ),
  ),
  shown(
    'UnlockNotAllowed | UnlockShipmentLocker | The unlockGoal is not allowed now',
    shipmentCodes,
    shipments(
      'a locker unlocks without a goal in the state %s, and for a goal only in the state of that goal',
    ),
  ),
  shown(
    'InvalidAccessCode | UnlockShipmentLocker | A pinCode is given but is invalid',
    shipmentCodes,
    unlocking(
      "a pinCode is checked against the goal's code, without a goal against either, and not at all when empty",
    ),
  ),
  shown(
    'UnlockFailed | UnlockShipmentLocker | Unlock failed for an unknown reason, possibly hardware',
    shipmentCodes,
    unlocking('a door that stays shut changes no state, no events and no codes'),
  ),
  shown(
    'InvalidUserUid | SetAccountDetails, SetAccountPickUpPoint, SetAccountMutationConfig, RemoveAccount | No or invalid ' +
      'user uid',
    accountCodes,
    everyOperation.required,
    everyOperation.types,
  ),
  shown(
    'EmailAlreadyRegistered | SetAccountDetails, CreateAccount, CreateOrGetAccount | E-mail address already registered ' +
      'for another account;',
    accountCodes,
    setDetails(
      'the e-mail address of another account of any tenant is EmailAlreadyRegistered, and nothing changes',
    ),
    createAccount(
      'an e-mail address of an account that one manages is EmailAlreadyRegistered, in any casing',
    ),
  ),
  shown(
    'also when a different username is given and the e-mail of that user cannot be changed to the specified one',
    createOrGet(
      'an e-mail address of one account and the user name of another is EmailAlreadyRegistered',
      'a registered e-mail address with a free user name is EmailAlreadyRegistered',
      'an account whose canChangeEmailAddress is false keeps its e-mail address: EmailAlreadyRegistered',
    ),
  ),
  shown(
    'InvalidPupUid | CreateAccount, CreateOrGetAccount | Pick up point uid invalid, absent or nonexistent',
    accountCodes,
    everyOperation.required,
    everyOperation.types,
    createAccount('a main pick up point that is unknown, absent or of another tenant is InvalidPupUid'),
    createOrGet(
      'a main pick up point that is unknown or of another tenant is InvalidPupUid, also for an existing account',
    ),
  ),
  shown(
    'AccessDenied | CreateAccount, CreateOrGetAccount | Account exists but is managed by another service provider;',
    accountCodes,
    createAccount('an e-mail address of an account that another tenant manages is AccessDenied'),
    createOrGet('a user name of an account that another tenant manages is AccessDenied'),
  ),
  shown(
    'GetAccount returns its uid',
    accounts('of the account for which CreateAccount says AccessDenied, GetAccount returns the uid'),
  ),
  shown(
    'MutationConfigFailed | CreateAccount, CreateOrGetAccount | Account created (or updated) but the mutation ' +
      'configuration could not be applied',
    accountCodes,
    testsOf('service/accounts/mutation-config-failed.test.ts')(
      'if %s cannot apply a mutation configuration, the answer has the userUid, and the account stays',
    ),
    accounts(
      'CreateOrGetAccount says MutationConfigFailed also where it updated an account, and keeps the update',
    ),
  ),
  shown(
    'MissingFile | UploadAccountSuggestions | No file specified',
    accountCodes,
    upload('an empty file is MissingFile'),
    multipart('%s: %s'),
  ),
  shown(
    'InvalidHeader | UploadAccountSuggestions | Invalid file headers',
    accountCodes,
    csvFiles('InvalidHeader when %s'),
  ),
  shown(
    'InvalidImportType | UploadAccountSuggestions | File type not supported',
    accountCodes,
    madeFiles('%s is InvalidImportType under the name of a workbook too'),
    upload('a file with the name %s is InvalidImportType, whatever is in it, and replaces nothing'),
  ),
  shown(
    'NoRequestData | UploadAccountSuggestions | No request data object',
    accountCodes,
    multipart('%s: %s'),
  ),
  shown('NoRequestFile | UploadAccountSuggestions | No request file', accountCodes, multipart('%s: %s')),
  leftOpen('List of the generic error codes: not shown.', 'The wire: HTTP status of failures'),
  leftOpen('HTTP status codes of failing responses: not shown.', 'The wire: HTTP status of failures'),
  leftOpen(
    'Error codes of the shipment creation operations, SetShipmentDetails, AddShipmentObject, RemoveShipmentObject, ' +
      'CancelShipment and SimulateLockerAccess: not shown.',
    'The wire: HTTP status of failures',
  ),
);

export const limits = section(
  'Limits',
  shown('Minimum package dimension | 1 cm for each of width, height, length', everyOperation.sides),
  shown(
    'Access token lifetime | Short; the token response states the remaining seconds in expires_in',
    tokens('an answer with a token must not be kept, and its fields are the interface’s'),
    token,
  ),
  shown(
    'SimulateLockerAccess availability | Staging environment only',
    sandbox('in production all of /sandbox and SimulateLockerAccess are NotAvailable'),
    everyOperation.answer,
  ),
  shown(
    'Active account suggestion uploads | Only the latest upload is active',
    upload('the next upload replaces the former; e-mail addresses that it lacks are removed'),
  ),
  leftOpen('Rate limits: not shown.', 'Smaller assumptions: Rate limits'),
  leftOpen(
    'Maximum upload file size and number of rows: not shown.',
    'Smaller assumptions: Maximum upload file size and number of rows',
  ),
  leftOpen('Maximum lengths of string fields: not shown.', 'Smaller assumptions: Maximum lengths of strings'),
);

export const versioning = section(
  'Versioning',
  shown(
    'All operations are under the path prefix /v1/ (/v1/Logistics/… and /v1/Account/…).',
    everyOperation.path,
    everyOperation.upload,
  ),
  shown(
    'Other versions, deprecation rules and compatibility guarantees: not shown.',
    failures('the unknown path %s is UnknownOperation'),
  ),
);
