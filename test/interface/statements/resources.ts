// What the interface states of the whole service, and of the resources and their fields.
import { everyOperation, leftOpen, notTested, section, shown, testsOf } from '../statement.ts';

const flows = testsOf('interface/flows.test.ts');
const shipments = testsOf('interface/shipments.test.ts');
const accounts = testsOf('interface/accounts.test.ts');
const states = testsOf('service/shipments/states.test.ts');
const chains = testsOf('service/shipments/chains.test.ts');
const lockers = testsOf('service/shipments/lockers.test.ts');
const codes = testsOf('service/shipments/access-codes.test.ts');
const history = testsOf('service/shipments/history.test.ts');
const createAccount = testsOf('service/accounts/create-account.test.ts');
const setAccountDetails = testsOf('service/accounts/set-account-details.test.ts');
const createOrGet = testsOf('service/accounts/create-or-get-account.test.ts');

export const document = section(
  'Locker Shipment and Account Integration Service: Interface Specification',
  notTested(
    'This single document covers the whole service: locker shipment bookings (create and manage), account management ' +
      '(create, update, remove, suggestion upload), authentication, the status callback, errors, limits and versioning. ' +
      'All nine parts follow in order.',
    'the contents of the document; its parts are below',
  ),
  notTested(
    'Placeholders used: {base_url} is the address of the service API; {auth_url} is the address of the token service. ' +
      'Both differ per environment (production, staging). Angle-bracket names such as <SHIPMENT_UID> stand for values of ' +
      'the kind named.',
    'names within the document; where an installation has which address is its operator’s choice',
  ),
);

export const whatTheServiceDoes = section(
  'What the service does',
  shown(
    'The service lets an integrating party (a tenant, acting as a dispatcher) book lockers at pick up points (a pick up ' +
      'point is a locker installation) and manage the accounts that use them.',
    everyOperation.path,
  ),
  shown(
    'A shipment is a locker booking that moves an item between two accounts, or between an account and the dispatcher, ' +
      'through a locker at a pick up point.',
    flows(
      'CreateLocalShipment creates one shipment from account to account, at one pick up point',
      'CreateLocalShipmentAsIssue creates one shipment from the dispatcher to the user',
      'CreateLocalShipmentAsIntake creates one shipment from the user to the dispatcher',
    ),
  ),
  shown(
    'Shipment flows: issue (dispatcher to user)',
    flows('CreateLocalShipmentAsIssue creates one shipment from the dispatcher to the user'),
  ),
  shown(
    'intake or return (user to dispatcher)',
    flows('CreateLocalShipmentAsIntake creates one shipment from the user to the dispatcher'),
  ),
  shown(
    'stock (a stored item with no receiving user)',
    flows('CreateLocalShipmentAsStock creates one shipment without a receiver'),
  ),
  shown(
    'swap (a drop-off chained to the pick-up of another shipment)',
    flows('SwapsShipmentUid chains a swap: one code for the pick-up and the drop-off, which happen at once'),
  ),
  shown(
    'circular stock (an intake after which the item becomes available as stock again)',
    flows(
      'CreateLocalShipmentAsIntakeAndCircularStock creates an intake, and stock that is ready once it is dropped off',
    ),
  ),
  shown(
    'collect only (single-time collection, optionally keeping the locker booked).',
    flows(
      '%s %o creates a booking that %s collects, once',
      '%s %o with KeepBookedAfterPickUp keeps its locker after each collection by %s',
    ),
  ),
  shown(
    'The dispatcher is the authenticated API client.',
    flows('the dispatcher is the main account of the tenant whose API client calls'),
  ),
  shown(
    "Where a shipment needs a user that is not specified, the dispatcher's main account is used.",
    states('the party that is not named is the main account of the tenant'),
  ),
  shown(
    'Accounts are shared across all tenants.',
    lockers('any existing account of any tenant may be From or To user'),
    createOrGet(
      'two tenants that ask for one new e-mail address at once share one account, which one of them manages',
    ),
  ),
  shown(
    'E-mail addresses are globally unique.',
    setAccountDetails(
      'the e-mail address of another account of any tenant is EmailAlreadyRegistered, and nothing changes',
    ),
    createAccount('of 20 concurrent creations of one account exactly one succeeds'),
  ),
  shown(
    'A tenant can look up or change only accounts linked to a pick up point it manages.',
    testsOf('service/accounts/other-tenants-uids.test.ts')(
      '$name with $field $foreign answers like an unknown uid and changes nothing',
      '%s succeeds with the same request and own uids',
    ),
  ),
  shown(
    'Other accounts cannot be looked up; only the registration of an e-mail address can be probed through the ' +
      'GetAccount operation.',
    accounts(
      'of an account that another tenant manages, one learns only that its e-mail address is registered',
    ),
  ),
  shown(
    "The service sends a callback message to a configured callback address when a shipment's state code changes.",
    flows('CreateLocalShipment creates one shipment from account to account, at one pick up point'),
  ),
  shown(
    'A staging-only operation simulates a locker being opened with a pin code, to advance shipments during integration.',
    codes('a code opens only in its state, and is gone with the end of its shipment'),
    testsOf('service/sandbox/sandbox.test.ts')(
      'in production all of /sandbox and SimulateLockerAccess are NotAvailable',
    ),
  ),
);

export const resourcesAndTheirFields = section(
  'Resources and their fields',
  shown('All identifiers (…Uid) are strings.', everyOperation.answer, everyOperation.types),
  shown(
    'Property names are used exactly as written; note that casing differs between operations (shown per endpoint).',
    everyOperation.answer,
    everyOperation.optional,
  ),
);

export const shipment = section(
  'Shipment',
  shown(
    'shipmentUid | string | Unique id of the shipment',
    shipments('each shipment and each object has a uid of its own'),
  ),
  shown(
    'shipmentType | string | Type of shipment; LocalPupShipment is the type created by CreateLocalShipment',
    flows('CreateLocalShipment creates one shipment from account to account, at one pick up point'),
  ),
  shown(
    'stateCode | string | Current state (see States and transitions)',
    flows('CreateLocalShipment creates one shipment from account to account, at one pick up point'),
  ),
  shown(
    'stateStart | datetime (ISO 8601, no zone offset) | Moment the current state started',
    shipments('stateStart is the moment at which the current state began, and stays while the state does'),
  ),
  shown(
    'referenceNo | string, optional | Reference number',
    flows('CreateLocalShipment creates one shipment from account to account, at one pick up point'),
    everyOperation.optional,
  ),
  shown(
    'referenceCaseNo | string, optional | Related case number',
    flows('CreateLocalShipment creates one shipment from account to account, at one pick up point'),
    everyOperation.optional,
  ),
  shown(
    'description | string, optional | Description',
    flows('CreateLocalShipment creates one shipment from account to account, at one pick up point'),
    everyOperation.optional,
  ),
  shown(
    'from user / to user | user uid | Sender and receiver.',
    flows('CreateLocalShipment creates one shipment from account to account, at one pick up point'),
  ),
  shown(
    'The party not specified at creation is the dispatcher main account.',
    states('the party that is not named is the main account of the tenant'),
  ),
  shown(
    'A receiver can be absent (stock, delayed receiver)',
    flows(
      'CreateLocalShipmentAsStock creates one shipment without a receiver',
      'with IsReceiverDelayed the receiver is set later',
    ),
  ),
  shown(
    'pupUid | string | Pick up point booked',
    flows('CreateLocalShipment creates one shipment from account to account, at one pick up point'),
  ),
  shown(
    'lockerName | string | Name (number) of the booked locker',
    flows('CreateLocalShipment creates one shipment from account to account, at one pick up point'),
  ),
  shown(
    'PickUpCode, DeliveryCode | codes | Access codes for pick up and drop off.',
    codes('a code opens only in its state, and is gone with the end of its shipment'),
  ),
  shown(
    'For a swap, the PickUpCode of the swapped shipment and the DeliveryCode of the new shipment are identical',
    codes(
      'a swap takes the PickUpCode of its predecessor as its DeliveryCode, which opens once for both',
      'changing either side of a swap pair changes both, the other codes stay',
    ),
  ),
  shown(
    'links | references | A shipment can be chained to another as a swap (SwapsShipmentUid), follow a prior shipment ' +
      '(PriorShipmentUid), or carry a circular prior shipment reference',
    chains(
      'predecessor and successors share one locker until the last of them has ended',
      'the three-shipment flow links its shipments and takes Return, Details and Issue where they belong',
    ),
  ),
  leftOpen(
    'Fields of a shipment record beyond those above … not shown.',
    'Reading: GetShipments, GetLocalShipments, GetCollectOnlyShipments',
  ),
  leftOpen('and the full set of shipmentType values: …', 'The wire: shipmentType'),
);

export const dimension = section(
  'Dimension',
  shown('width | number | centimeters, minimum 1', everyOperation.sides, everyOperation.types),
  shown('height | number | centimeters, minimum 1', everyOperation.sides, everyOperation.types),
  shown('length | number | centimeters, minimum 1', everyOperation.sides, everyOperation.types),
  shown(
    'The dimension determines the locker size.',
    lockers(
      'an item is booked into the smallest size that it fits in, in any of its six orientations',
      'an item too big for every permitted locker is NoFittingLocker, free or not',
    ),
  ),
);

const objects = history('GetShipmentObjects lists what was added and not removed, in order');

export const shipmentObject = section(
  'Shipment object',
  shown('An item attached to a shipment.', objects),
  shown(
    'shipmentObjectUid | string | Unique id of the object',
    shipments('each shipment and each object has a uid of its own'),
  ),
  shown('referenceNo | string | Reference number', objects, everyOperation.types),
  shown('description | string | Description', objects, everyOperation.types),
  shown('weight | number | grams', objects, everyOperation.types),
  shown('count | number | total object parts', objects, everyOperation.types),
  shown('dimension | Dimension | centimeters', objects, everyOperation.sides),
);

const newAccount = createAccount('a new account has every field as it was given, and a mail code');

export const account = section(
  'Account',
  shown('userUid | string | Unique id', accounts('each account has a uid and a mail code of its own')),
  shown(
    'userName | string | Defaults to the e-mail address when not given at creation',
    createAccount('without a user name the e-mail address is the user name, and optional fields are null'),
  ),
  shown('firstName, lastName | string … |', newAccount, everyOperation.types),
  notTested('Used in communication', 'the service itself writes to nobody; it keeps the names'),
  shown(
    'emailAddress | string … globally unique',
    newAccount,
    setAccountDetails(
      'the e-mail address of another account of any tenant is EmailAlreadyRegistered, and nothing changes',
    ),
  ),
  notTested('Also used for e-mail messages', 'the service itself sends no e-mail; it keeps the address'),
  shown(
    'phoneNumber | string … international format starting with + or 00',
    accounts('%s may be %s', '%s may not be %s'),
  ),
  notTested('Mobile number for SMS', 'the service itself sends no SMS; it keeps the number'),
  shown(
    'languageCode | string, optional | Communication language, forms like nl, nl-NL, en-GB, en',
    accounts('%s may be %s', '%s may not be %s'),
    everyOperation.optional,
  ),
  shown(
    'streetName, streetNo, mailbox, city | address parts | Optional',
    newAccount,
    everyOperation.optional,
  ),
  shown(
    'countryCode | string | Two-letter ISO 3166-1 alpha-2 country code',
    accounts('%s may be %s', '%s may not be %s'),
  ),
  shown(
    'mainPupUid, mainPupName | string | Linked main (default) pick up point',
    newAccount,
    testsOf('service/accounts/set-account-pick-up-point.test.ts')(
      'another pick up point of the tenant becomes the main one, with a new mail code',
    ),
  ),
  shown(
    'mailCode | string | Mail delivery code of the account',
    accounts('each account has a uid and a mail code of its own'),
  ),
  shown(
    'canManageUser | boolean | True when the caller may see and change the account; when false all other returned ' +
      'fields are null',
    accounts(
      'of an account that another tenant manages, one learns only that its e-mail address is registered',
    ),
    createOrGet('an account that another tenant manages shows only its uid'),
  ),
);

export const otherResources = [
  section(
    'Account mutation configuration',
    shown(
      'Nullable booleans, one per permission: canChangeFirstName, canChangeLastName, canChangeEmailAddress, ' +
        'canChangePhoneNumber, canChangeLanguageCode, canChangeMainPickUpPoint, canChangeAddress, ' +
        'canRemoveAutomatically, canRemoveManually.',
      testsOf('service/accounts/set-account-mutation-config.test.ts')(
        '%s is set to true and to false, and null leaves it',
      ),
      everyOperation.answer,
    ),
  ),
  section(
    'Account suggestion upload result',
    notTested('See the UploadAccountSuggestions endpoint.', 'its statements are there'),
  ),
  section(
    'Pick up point and locker',
    shown(
      'Referenced by pupUid, lockerName and LockerUid.',
      lockers('LockerUid books that locker or none, by the same rules'),
      codes('a code opens neither another locker nor the same locker name at another pick up point'),
    ),
    leftOpen(
      'Fields of a pick up point and of a locker beyond these identifiers and the locker name: not shown.',
      'Reading: GetPickUpPoints',
    ),
  ),
];
