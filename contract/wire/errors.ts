// Every error code that an answer may carry: its HTTP status, whether the same call may succeed later, its meaning.
// interface: Errors; ASSUMPTION: assumptions: The wire (statuses and the codes that the interface does not show).

interface ErrorRow {
  readonly status: number;
  /** True when the same request may succeed later, although the caller changes nothing. */
  readonly retryable: boolean;
  readonly meaning: string;
}

/** The status of `InternalError`, with Retry-After, when the service had no database connection for the request. */
export const OVERLOADED_STATUS = 503;

const refusal = (status: number, meaning: string): ErrorRow => ({ status, retryable: false, meaning });
const retryable = (status: number, meaning: string): ErrorRow => ({ status, retryable: true, meaning });

export const errors = {
  InvalidRequest: refusal(
    400,
    'The body is not JSON, or a field is missing, has a wrong type or breaks a rule',
  ),
  Unauthorized: refusal(401, 'The access token is missing, wrong or expired'),
  AccessDenied: refusal(
    403,
    'The account exists but is managed by another service provider; GetAccount returns its uid',
  ),
  UnknownOperation: refusal(404, 'There is no operation with this path and method'),
  InvalidShipment: refusal(404, 'The shipment is unknown, or the caller cannot manage it'),
  InvalidPupUid: refusal(
    404,
    'The pick up point uid is missing or invalid, or there is no such pick up point',
  ),
  InvalidUserUid: refusal(404, 'The user uid is missing or invalid'),
  InvalidLockerUid: refusal(404, 'The locker is unknown, or belongs to another pick up point'),
  InvalidShipmentObject: refusal(404, 'The shipment has no such object'),
  InvalidShipmentState: refusal(409, "The shipment's state does not allow the operation"),
  NoLockerAvailable: retryable(409, 'None of the lockers that this booking allows is free now'),
  NoFittingLocker: refusal(409, 'The item is too big for every locker that this booking allows, free or not'),
  EmailAlreadyRegistered: refusal(409, 'The e-mail address is registered for another account'),
  UserNameAlreadyRegistered: refusal(409, 'The user name is registered for another account'),
  AccountInUse: refusal(409, 'The account has active shipments or is the main account of a tenant'),
  UnlockNotAllowed: refusal(409, "The shipment's state does not allow the unlockGoal"),
  MutationConfigFailed: refusal(
    409,
    'The account was created, updated or found, but the mutation configuration could not be applied. The answer has its userUid',
  ),
  InvalidAccessCode: refusal(
    403,
    "The access code is wrong, or opens nothing in the shipment's present state",
  ),
  MissingFile: refusal(400, 'No file specified'),
  InvalidHeader: refusal(400, 'Invalid file headers'),
  InvalidImportType: refusal(400, 'File type not supported'),
  NoRequestData: refusal(400, 'No request data object'),
  NoRequestFile: refusal(400, 'No request file'),
  PayloadTooLarge: refusal(413, 'The body or the file is over the limit'),
  NotAvailable: refusal(403, 'The operation exists in staging only'),
  RateLimitExceeded: retryable(429, 'Too many requests; Retry-After says when to try again'),
  UnlockFailed: retryable(502, 'The unlock failed for an unknown reason, possibly hardware'),
  InternalError: retryable(500, 'The service failed; it is unknown whether the operation took effect'),
};

export type ErrorCode = keyof typeof errors;

/** Codes that any operation may answer with (interface: "Generic error codes, all operations"). */
export const genericErrorCodes = [
  'InvalidRequest',
  'Unauthorized',
  'UnknownOperation',
  'PayloadTooLarge',
  'RateLimitExceeded',
  'InternalError',
] as const satisfies readonly ErrorCode[];

/** Undefined for an unknown code: a service may send codes that are not in the table. */
export const errorRow = (code: string): ErrorRow | undefined =>
  Object.hasOwn(errors, code) ? errors[code as ErrorCode] : undefined;
