// What the page shows of the flows.
export type { FlowStatus, VersionStatus } from '../../processes/views/flow-status.ts';
export type { FlowList, FlowRow, FlowWithSchemas } from '../../processes/views/flows.ts';
