// The published entry lockerflow/contract: the wire format of the locker API and the inputs, messages and results of flows,
// as zod schemas, tables and types.

export * from './flows/account-operations.ts';
export * from './flows/actions.ts';
export {
  type BookingDoubt,
  type BookingProgress,
  bookingSchema,
  type DeadlineProgress,
  type FollowedLeg,
  type ReplacedCaseNo,
  type ReportEntry,
  type ReportJudgement,
  type Resolution,
} from './flows/booking-progress.ts';
export * from './flows/flow-answers.ts';
export * from './flows/flow-input.ts';
export * from './flows/flow-input-check.ts';
export * from './flows/flow-messages.ts';
export {
  type FlowResult,
  type ItemLeft,
  type LegResult,
  type Outcome,
  type OverdueStage,
  outcomes,
  resultSchema,
  type UnassignedShipment,
} from './flows/flow-result.ts';
export * from './flows/flow-rules.ts';
export * from './flows/flow-types.ts';
export * from './flows/onboard-answers.ts';
export * from './flows/onboard-input.ts';
export type { Same } from './flows/schema-types.ts';
export * from './flows/search-attributes.ts';
export { shipmentReport } from './flows/shipment-report.ts';
export * from './flows/unmatched-callback.ts';
export * from './operations/operation.ts';
export * from './operations/operations.ts';
export * from './operations/parse.ts';
export { type CallbackAuthType, callbackAuthTypes } from './operations/platform.ts';
export {
  MAX_COUNTED_ITEMS,
  MAXIMUM_PAGE_SIZE,
  type ShipmentRecord,
  shipmentOrders,
} from './operations/shipment-reading.ts';
export * from './wall/wall-messages.ts';
export * from './wire/callback.ts';
export * from './wire/callback-types.ts';
export * from './wire/contract-error.ts';
export * from './wire/errors.ts';
export * from './wire/request-headers.ts';
export * from './wire/sandbox-clock.ts';
export * from './wire/service-profile.ts';
export * from './wire/states.ts';
export * from './wire/token.ts';
