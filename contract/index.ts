// The published entry lockerflow/contract: everything said on the wire and to flows, as zod schemas, tables and types.
export * from './callback.ts';
export * from './contract-error.ts';
export * from './errors.ts';
export * from './flow-input.ts';
export * from './flow-input-check.ts';
export * from './flow-messages.ts';
export * from './flow-result.ts';
export * from './idempotency-key.ts';
export * from './operation.ts';
export * from './operations.ts';
export * from './parse.ts';
export * from './peer.ts';
export * from './request-fields.ts';
export * from './search-attributes.ts';
export { MAXIMUM_PAGE_SIZE, type ShipmentRecord } from './shipment-reading.ts';
export * from './states.ts';
export * from './token.ts';
