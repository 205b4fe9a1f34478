// The published entry lockerflow/client: start and follow flows, receive callbacks, make a namespace ready for both.

export type { CurrentVersion, Published, PublishResult } from '../flows/language/registry.ts';
export { dataConverter, payloadKeys } from '../shared/codec/data-converter.ts';
export { type PayloadKeys, readPayloadKeys } from '../shared/codec/payload-keys.ts';
export { ensureReconciler, type ReconcilerOptions } from '../shared/routing/reconciler-schedule.ts';
export * from './connect.ts';
export type { InputOf, ResultOf } from './flow-contract.ts';
export * from './flow-errors.ts';
export type { FlowFileText } from './flow-files/check-texts.ts';
export * from './flow-files/flow-file-folder.ts';
export * from './flow-files/flow-file-handle.ts';
export * from './flow-files/flow-not-published.ts';
export { FlowFilesRefused, VersionUnknown } from './flow-files/publish.ts';
export * from './flow-handle.ts';
export * from './locker-flows.ts';
export * from './receiver/http-handler.ts';
export * from './receiver/receive-callback.ts';
export * from './receiver/settings.ts';
export * from './search-attributes.ts';
