// The published entry lockerflow/api: the client of the locker API.
export { type CallOptions, LockerApi, type LockerApiOptions } from './locker-api.ts';
export { type ClientErrorCode, clientErrors, LockerApiError, type Reached } from './locker-api-error.ts';
