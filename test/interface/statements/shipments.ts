// What the interface states of the operations that create shipments, and of those that manage them.
import { everyOperation, leftOpen, notTested, section, shown, testsOf } from '../statement.ts';

const flows = testsOf('interface/flows.test.ts');
const shipments = testsOf('interface/shipments.test.ts');
const states = testsOf('service/shipments/states.test.ts');
const chains = testsOf('service/shipments/chains.test.ts');
const lockers = testsOf('service/shipments/lockers.test.ts');
const codes = testsOf('service/shipments/access-codes.test.ts');
const history = testsOf('service/shipments/history.test.ts');
const unlocking = testsOf('service/lockers/unlock-shipment-locker.test.ts');
const failures = testsOf('service/http/failures.test.ts');
const multipart = testsOf('service/http/multipart.test.ts');
const sandbox = testsOf('service/sandbox/sandbox.test.ts');

const local = flows('CreateLocalShipment creates one shipment from account to account, at one pick up point');
const collected = flows('%s %o creates a booking that %s collects, once');
const keptBooked = flows('%s %o with KeepBookedAfterPickUp keeps its locker after each collection by %s');
const notNamed = states('the party that is not named is the main account of the tenant');
const keepsDetails = states('%s keeps its Details, and gives none where there are none');

export const endpoints = section(
  'Endpoints',
  shown(
    'Every operation below is an HTTP POST to {base_url} followed by the path.',
    everyOperation.path,
    everyOperation.post,
    failures('the method %s on an operation is UnknownOperation with Allow'),
  ),
  shown(
    'Requests carry the header Authorization: Bearer <ACCESS_TOKEN> (see Authentication).',
    everyOperation.post,
    testsOf('interface/authentication.test.ts')(
      'the token goes with every request: without it, or with another one, the request is refused',
    ),
  ),
  shown(
    'Bodies are JSON (Content-Type: application/json), except UploadAccountSuggestions (multipart/form-data).',
    everyOperation.post,
    everyOperation.upload,
    failures('the content type %s is InvalidRequest, in words that name the right one'),
    multipart('a body %s is InvalidRequest'),
  ),
  shown(
    'Every response body carries: success (boolean), error (string code or null), message (string or null).',
    everyOperation.answer,
    everyOperation.required,
    everyOperation.post,
    failures('the unknown path %s is UnknownOperation', '%s as the body is InvalidRequest'),
  ),
  notTested(
    'Address of the production API: not shown. A staging environment exists with its own address.',
    'each installation has its own address; SERVICE_MODE says which of the two environments it is',
  ),
  leftOpen(
    'Shapes of GetAccount, GetAccountMutationConfig and GetShipmentAccessCode (operations referred to by other ' +
      'operations): not shown.',
    'Reading',
  ),
  shown(
    'Property-name casing is given as used by each operation: create operations use PascalCase request names (PupUid, ' +
      'ToUserUid, ...) and camelCase response names; management and account operations use camelCase.',
    everyOperation.answer,
    everyOperation.optional,
  ),
);

export const shipmentCreation = section(
  'Shipment creation: general rules',
  shown(
    'Two kinds of operation exist: the main operations (CreateLocalShipment, CreateCollectOnlyShipment) create exactly ' +
      'one shipment per call;',
    local,
    collected,
  ),
  shown(
    'the flow-specific operations (CreateLocalShipmentAs…, CreateCollectOnlyShipmentAs…) create a specific flow and may ' +
      'create several shipments in one call.',
    flows(
      'CreateLocalShipmentAsIssue creates one shipment from the dispatcher to the user',
      'CreateLocalShipmentAsIssueAndSwapIntake creates an issue, and an intake from its user that swaps it',
      'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock issues the stock, and creates an intake ' +
        'after it and circular stock after that',
    ),
    collected,
  ),
  shown('Common booking fields: PupUid (string, pick up point to book)', local, everyOperation.types),
  shown(
    'AllowLargerLockers (boolean; when false and no locker of the fitting size is free, the shipment is not booked even ' +
      'if larger lockers are free)',
    lockers(
      'without AllowLargerLockers only the smallest fitting size is booked, though larger ones are free',
      'with AllowLargerLockers the sizes are taken in ascending order',
    ),
    everyOperation.types,
  ),
  shown(
    'AllowOverflowLockers (boolean; when true the booking may go to another pick up point, only if an overflow pick up ' +
      'point is configured)',
    lockers(
      'with AllowOverflowLockers the overflow pick up points follow, by the same rules, and a chain stays together',
      'an item that fits only at the overflow is NoFittingLocker without it and booked with it',
      'a pick up point without overflow configured stays by itself',
    ),
    everyOperation.types,
  ),
  shown('Dimension (object, centimeters, minimum 1 each side)', everyOperation.sides, everyOperation.types),
  shown(
    'LockerUid (string or null, optional, unique id of a locker).',
    everyOperation.optional,
    everyOperation.types,
  ),
  leftOpen('Effect of LockerUid when supplied: not shown.', 'Lockers and codes: Effect of LockerUid'),
  shown(
    'Common optional object Details: ReferenceNo, ReferenceCaseNo, Description, each string or null.',
    keepsDetails,
    everyOperation.optional,
    everyOperation.types,
  ),
  shown(
    'Flow operations return shipmentUids (array of strings), success, error, message.',
    everyOperation.answer,
  ),
  leftOpen('Order of identifiers in shipmentUids: not shown.', 'Chains: The order of shipmentUids'),
);

export const createLocalShipment = section(
  'CreateLocalShipment',
  shown('POST /v1/Logistics/CreateLocalShipment.', everyOperation.path, everyOperation.post),
  shown(
    'Creates one account-to-account shipment dropped off and picked up at the same pick up point. Type: LocalPupShipment.',
    local,
  ),
  shown(
    'FromUserUid | string or null | one of From/To |',
    shipments('CreateLocalShipment is refused without any user, and with a receiver that is to be set later'),
    notNamed,
    everyOperation.optional,
    everyOperation.types,
  ),
  shown('When only one of the two is given, the other is the dispatcher main account', notNamed),
  shown(
    'ToUserUid | string or null | one of From/To | User that picks up',
    local,
    shipments('CreateLocalShipment is refused without any user, and with a receiver that is to be set later'),
    notNamed,
    everyOperation.types,
  ),
  shown('PupUid | string | yes |', local, everyOperation.required, everyOperation.types),
  shown('Dimension | Dimension | yes |', everyOperation.required, everyOperation.types, everyOperation.sides),
  shown('AllowLargerLockers | boolean | yes |', everyOperation.required, everyOperation.types),
  shown('AllowOverflowLockers | boolean | yes |', everyOperation.required, everyOperation.types),
  shown(
    'ReferenceNo, ReferenceCaseNo, Description | string or null | no |',
    local,
    everyOperation.optional,
    everyOperation.types,
  ),
  shown(
    'IsReceiverDelayed | boolean | no | True when ToUserUid is set later;',
    flows('with IsReceiverDelayed the receiver is set later'),
    everyOperation.optional,
    everyOperation.types,
  ),
  shown(
    'when true, ToUserUid must not be set',
    shipments('CreateLocalShipment is refused without any user, and with a receiver that is to be set later'),
  ),
  shown(
    'SwapsShipmentUid | string or null | no | Chains the new shipment as a swap of that shipment; PickUpCode of the ' +
      'swapped shipment equals the new DeliveryCode',
    flows('SwapsShipmentUid chains a swap: one code for the pick-up and the drop-off, which happen at once'),
    everyOperation.optional,
    everyOperation.types,
  ),
  shown('LockerUid | string | no |', local, everyOperation.optional, everyOperation.types),
  shown(
    'Rule: when neither user is specified, SwapsShipmentUid is set and IsReceiverDelayed is true, a swapping shipment ' +
      'without a To user is created; its From user is the To user of the swapped shipment. The receiver is set later with ' +
      'SetShipmentReceiver.',
    chains('a swap without users goes from the receiver of the swapped shipment, its own receiver set later'),
  ),
  shown(
    'Response: shipmentUid (string), pupUid (string), lockerName (string), success, error, message.',
    everyOperation.answer,
    chains('a swap takes the place of its predecessor, and naming another one is refused'),
  ),
);

const form = [
  everyOperation.path,
  everyOperation.required,
  everyOperation.optional,
  everyOperation.types,
].flat();

export const flowSpecificOperations = section(
  'Flow-specific local operations',
  shown(
    'All under POST /v1/Logistics/, response shape: shipmentUids, success, error, message.',
    everyOperation.path,
    everyOperation.post,
    everyOperation.answer,
  ),
  shown(
    'CreateLocalShipmentAsIssue | PupUid, ToUserUid, AllowLargerLockers, AllowOverflowLockers, Dimension | Details, ' +
      'LockerUid | One issue shipment, dispatcher to user',
    form,
    flows('CreateLocalShipmentAsIssue creates one shipment from the dispatcher to the user'),
  ),
  shown(
    'CreateLocalShipmentAsIssueAndSwapIntake | PupUid, ToUserUid, AllowLargerLockers, AllowOverflowLockers, Dimension | ' +
      'Details, Return (object with ReferenceNo, ReferenceCaseNo, Description), LockerUid | Two shipments: issue ' +
      'dispatcher to user, and swapping intake from the same user to dispatcher',
    form,
    flows(
      'CreateLocalShipmentAsIssueAndSwapIntake creates an issue, and an intake from its user that swaps it',
    ),
  ),
  shown(
    'CreateLocalShipmentAsStock | PupUid, AllowLargerLockers, AllowOverflowLockers, Dimension | Details, LockerUid | One ' +
      'stock shipment without receiving user',
    form,
    flows('CreateLocalShipmentAsStock creates one shipment without a receiver'),
  ),
  shown(
    'CreateLocalShipmentAsStockAfterSwapIntake | PriorShipmentUid (the return shipment), Dimension | Details | A new ' +
      'swapping stock shipment after an existing intake shipment',
    form,
    flows('CreateLocalShipmentAsStockAfterSwapIntake creates stock that swaps the intake'),
  ),
  shown(
    'CreateLocalShipmentAsIssueFromStock | PriorShipmentUid (stock shipment), ToUserUid | Issue (object with ' +
      'ReferenceCaseNo) | Issues the existing stock shipment to the user (sets the receiver)',
    form,
    flows('CreateLocalShipmentAsIssueFromStock creates nothing, and gives the stock shipment its receiver'),
  ),
  shown(
    'CreateLocalShipmentAsIssueFromStockAndSwapIntake | PriorShipmentUid, ToUserUid | Return (ReferenceNo, ' +
      'ReferenceCaseNo, Description), Issue (ReferenceCaseNo) | Issues the stock shipment to the user and creates an ' +
      'intake shipment as a swap on it',
    form,
    flows(
      'CreateLocalShipmentAsIssueFromStockAndSwapIntake issues the stock, and creates an intake that swaps it',
    ),
  ),
  shown(
    'CreateLocalShipmentAsIntake | PupUid, FromUserUid, AllowLargerLockers, AllowOverflowLockers, Dimension | Details, ' +
      'LockerUid | One intake shipment, user to dispatcher',
    form,
    flows('CreateLocalShipmentAsIntake creates one shipment from the user to the dispatcher'),
  ),
  shown(
    'CreateLocalShipmentAsIntakeAndCircularStock | PupUid, FromUserUid, AllowLargerLockers, AllowOverflowLockers, ' +
      'Dimension | Details, LockerUid | Two shipments: an intake, and a second carrying a circular prior reference so ' +
      'that, when the item is dropped off, the second becomes ready for pick up (available as stock again)',
    form,
    flows(
      'CreateLocalShipmentAsIntakeAndCircularStock creates an intake, and stock that is ready once it is dropped off',
    ),
  ),
  shown(
    'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock | PriorShipmentUid, ToUserUid | Return ' +
      '(ReferenceNo, ReferenceCaseNo, Description), Issue (ReferenceCaseNo), Details (ReferenceNo, ReferenceCaseNo, ' +
      'Description) | Three shipments: issue of the stock shipment, a subsequent intake for the same ToUserUid, and a ' +
      'circular stock shipment after the intake.',
    form,
    flows(
      'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock issues the stock, and creates an intake ' +
        'after it and circular stock after that',
    ),
  ),
  shown(
    'When no details are specified, the details of the stock shipment are used',
    flows(
      'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock without Details takes those of the stock ' +
        'shipment',
    ),
  ),
);

export const collectOnlyOperations = [
  section(
    'CreateCollectOnlyShipment',
    shown(
      'POST /v1/Logistics/CreateCollectOnlyShipment (the documented example posts to the AsCollectByUser variant below).',
      everyOperation.path,
      everyOperation.post,
    ),
    shown('Books a locker for a single-time collect only.', collected),
    shown('When ToUserUid is given it is a collect-only booking by that user;', collected),
    shown('when absent the dispatcher is the collector.', collected, notNamed),
    shown(
      'Request: PupUid, AllowLargerLockers, AllowOverflowLockers, KeepBookedAfterPickUp (boolean, required; … ), ' +
        'Dimension (all required); ToUserUid, Details, LockerUid (optional).',
      everyOperation.required,
      everyOperation.optional,
      everyOperation.types,
    ),
    shown('true turns the single collection into an indefinite locker booking', keptBooked),
    shown('Response: shipmentUid, pupUid, lockerName, success, error, message.', everyOperation.answer),
  ),
  section(
    'CreateCollectOnlyShipmentAsCollectByDispatcher',
    shown(
      'POST /v1/Logistics/CreateCollectOnlyShipmentAsCollectByDispatcher.',
      everyOperation.path,
      everyOperation.post,
    ),
    shown('The collector is the current dispatcher.', collected, keptBooked),
    shown(
      'Request: PupUid, AllowLargerLockers, AllowOverflowLockers, KeepBookedAfterPickUp, Dimension (required); Details, ' +
        'LockerUid (optional).',
      everyOperation.required,
      everyOperation.optional,
      everyOperation.types,
    ),
    shown('Response: shipmentUids, success, error, message.', everyOperation.answer),
  ),
  section(
    'CreateCollectOnlyShipmentAsCollectByUser',
    shown(
      'POST /v1/Logistics/CreateCollectOnlyShipmentAsCollectByUser.',
      everyOperation.path,
      everyOperation.post,
    ),
    shown('Collected by the specified user.', collected, keptBooked),
    shown(
      'Request: PupUid, ToUserUid, AllowLargerLockers, AllowOverflowLockers, KeepBookedAfterPickUp, Dimension ' +
        '(required); Details, LockerUid (optional; null allowed).',
      everyOperation.required,
      everyOperation.optional,
      everyOperation.types,
    ),
    shown('Response: shipmentUids, success, error, message.', everyOperation.answer),
  ),
];

export const shipmentManagement = section(
  'Shipment management',
  shown(
    'SetShipmentDetails | /v1/Logistics/SetShipmentDetails | shipmentUid, Description, ReferenceNo, ReferenceCaseNo (all ' +
      'listed as mandatory; strings, null accepted for Description). … | success, error, message',
    everyOperation.path,
    everyOperation.required,
    everyOperation.types,
    everyOperation.answer,
  ),
  shown(
    'Overrides the details',
    states('details are overridden while the shipment is active, description by null too'),
  ),
  shown(
    'AddShipmentObject | /v1/Logistics/AddShipmentObject | shipmentUid (required); details (required): referenceNo, ' +
      'description, weight (grams), count, dimension (centimeters); … | shipmentUid, shipmentObjectUid, success, error, ' +
      'message',
    everyOperation.path,
    everyOperation.required,
    everyOperation.types,
    everyOperation.answer,
    history('GetShipmentObjects lists what was added and not removed, in order'),
  ),
  shown(
    'changePickUpAccess (boolean, optional, creates a new pick up access code)',
    codes('AddShipmentObject makes new codes where asked, the old ones open no more'),
    everyOperation.optional,
    everyOperation.types,
  ),
  shown(
    'changeDropOffAccess (boolean, optional, creates a new drop off access code).',
    codes('AddShipmentObject makes new codes where asked, the old ones open no more'),
    everyOperation.optional,
    everyOperation.types,
  ),
  shown(
    'New codes are read with GetShipmentAccessCode',
    codes('AddShipmentObject makes new codes where asked, the old ones open no more'),
  ),
  shown(
    'RemoveShipmentObject | /v1/Logistics/RemoveShipmentObject | shipmentUid, shipmentObjectUid (both required) | ' +
      'shipmentUid, shipmentObjectUid, success, error, message',
    form,
    everyOperation.answer,
    history('GetShipmentObjects lists what was added and not removed, in order'),
  ),
  shown(
    'SetShipmentReceiver | /v1/Logistics/SetShipmentReceiver | shipmentUid (required), toUserUid (required; ignored when ' +
      'removing) … | success, error, message',
    form,
    everyOperation.answer,
    states('a receiver is removed while registered or ready for drop off, toUserUid ignored'),
  ),
  shown(
    'caseReferenceNew (optional; when non-null overrides the case reference number, …)',
    shipments('caseReferenceNew overrides the case number of a shipment, and null leaves it'),
  ),
  shown(
    'applies only when removeReceiver is false',
    states('a receiver is removed while registered or ready for drop off, toUserUid ignored'),
  ),
  shown(
    'removeReceiver (boolean, optional, default false)',
    everyOperation.optional,
    everyOperation.types,
    shipments('caseReferenceNew overrides the case number of a shipment, and null leaves it'),
  ),
  shown(
    'CancelShipment | /v1/Logistics/CancelShipment | shipmentUid (required). Cancels and releases booked lockers | ' +
      'success, error, message',
    form,
    everyOperation.answer,
    shipments('CancelShipment ends a shipment and releases its locker, which can be booked again'),
  ),
  shown(
    'SimulateLockerAccess | /v1/Logistics/SimulateLockerAccess | pupUid, lockerName, pinCode (all required strings). … | ' +
      'success, error, message',
    form,
    everyOperation.answer,
  ),
  shown(
    'Staging environment only',
    sandbox('in production all of /sandbox and SimulateLockerAccess are NotAvailable'),
  ),
  shown(
    'UnlockShipmentLocker | /v1/Logistics/UnlockShipmentLocker | shipmentUid (required); unlockGoal (optional: DropOff, ' +
      'PickUp or null); … | success, error, message',
    form,
    everyOperation.answer,
    shipments('UnlockShipmentLocker is refused with another goal, and for a shipment that is completed'),
  ),
  shown(
    'pinCode (optional; when empty no code validation is applied and the locker unlocks regardless of code).',
    everyOperation.optional,
    unlocking(
      "a pinCode is checked against the goal's code, without a goal against either, and not at all when empty",
    ),
  ),
  shown(
    'Fails when the shipment is in an invalid state or has no locker assigned',
    shipments(
      'a locker unlocks without a goal in the state %s, and for a goal only in the state of that goal',
      'UnlockShipmentLocker is refused with another goal, and for a shipment that is completed',
    ),
  ),
  leftOpen(
    'States from which CancelShipment is accepted: not shown.',
    'States: States from which CancelShipment is accepted',
  ),
);
