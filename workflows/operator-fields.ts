// By which fields Temporal's own lists and pages show every process of ours.
import type { FlowMemo } from '../contract/flows/search-attributes.ts';
import type { ProcessViews } from '../engine/definition/views.ts';

export const operatorFields = {
  versionAttribute: 'LockerFlowVersion',
  actedAttribute: 'LockerActedAt',
  detailsMemo: 'consoleLink' satisfies keyof FlowMemo,
} satisfies Partial<ProcessViews>;
