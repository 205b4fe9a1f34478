// Every error code that an answer may carry: its HTTP status, whether the same call may succeed later, its meaning.
// interface: Errors; ASSUMPTION: assumptions: The wire (statuses and the codes that the interface does not show).

interface ErrorRow {
  readonly status: number;
  /** True when the same request, sent again later without any other change, may succeed by itself. */
  readonly retryable: boolean;
  readonly meaning: string;
}

/** `InternalError` comes with it, and with Retry-After, where the service had no database connection for the request. */
export const OVERLOADED_STATUS = 503;

export const errors = {
  InvalidRequest: {
    status: 400,
    retryable: false,
    meaning: 'The body is not JSON, or a field is missing, of a wrong type or against a stated rule',
  },
  Unauthorized: { status: 401, retryable: false, meaning: 'No, an expired or a wrong access token' },
  AccessDenied: {
    status: 403,
    retryable: false,
    meaning: 'The account exists but is managed by another service provider; GetAccount returns its uid',
  },
  UnknownOperation: { status: 404, retryable: false, meaning: 'No such path, or not with this method' },
  InvalidShipment: {
    status: 404,
    retryable: false,
    meaning: 'The shipment is unknown or not manageable by the current account',
  },
  InvalidPupUid: {
    status: 404,
    retryable: false,
    meaning: 'The pick up point uid is invalid, absent or nonexistent',
  },
  InvalidUserUid: { status: 404, retryable: false, meaning: 'No or invalid user uid' },
  InvalidLockerUid: {
    status: 404,
    retryable: false,
    meaning: 'The locker is unknown or not one of this pick up point',
  },
  InvalidShipmentObject: {
    status: 404,
    retryable: false,
    meaning: 'The shipment has no such shipment object',
  },
  InvalidShipmentState: {
    status: 409,
    retryable: false,
    meaning: 'The shipment is in a state in which the action is not possible',
  },
  NoLockerAvailable: {
    status: 409,
    retryable: true,
    meaning: 'No locker that this booking permits is free now',
  },
  NoFittingLocker: {
    status: 409,
    retryable: false,
    meaning: 'The item is too big for every locker that this booking permits, free or not',
  },
  EmailAlreadyRegistered: {
    status: 409,
    retryable: false,
    meaning: 'The e-mail address is registered for another account',
  },
  UserNameAlreadyRegistered: {
    status: 409,
    retryable: false,
    meaning: 'The user name is registered for another account',
  },
  AccountInUse: {
    status: 409,
    retryable: false,
    meaning: 'The account has active shipments or is the main account of a tenant',
  },
  UnlockNotAllowed: { status: 409, retryable: false, meaning: 'The unlockGoal is not allowed now' },
  MutationConfigFailed: {
    status: 409,
    retryable: false,
    meaning: 'The account was created or updated but the mutation configuration could not be applied',
  },
  InvalidAccessCode: {
    status: 403,
    retryable: false,
    meaning: 'The access code is wrong or opens nothing now',
  },
  MissingFile: { status: 400, retryable: false, meaning: 'No file specified' },
  InvalidHeader: { status: 400, retryable: false, meaning: 'Invalid file headers' },
  InvalidImportType: { status: 400, retryable: false, meaning: 'File type not supported' },
  NoRequestData: { status: 400, retryable: false, meaning: 'No request data object' },
  NoRequestFile: { status: 400, retryable: false, meaning: 'No request file' },
  PayloadTooLarge: { status: 413, retryable: false, meaning: 'The body or the file is over the limit' },
  NotAvailable: { status: 403, retryable: false, meaning: 'Only a staging service has this operation' },
  RateLimitExceeded: {
    status: 429,
    retryable: true,
    meaning: 'Too many requests; Retry-After tells when to try again',
  },
  UnlockFailed: {
    status: 502,
    retryable: true,
    meaning: 'The unlock failed for an unknown reason, possibly hardware',
  },
  InternalError: { status: 500, retryable: true, meaning: 'The service failed; the outcome is unknown' },
} as const satisfies Record<string, ErrorRow>;

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

/** A peer may send codes that nobody has heard of: undefined for those. */
export const errorRow = (code: string): ErrorRow | undefined =>
  Object.hasOwn(errors, code) ? errors[code as ErrorCode] : undefined;
