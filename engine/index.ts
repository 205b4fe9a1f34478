// `lockerflow/engine`: any xstate machine as a Temporal workflow.

export {
  type ActivitySettings,
  activity,
  activityAction,
  CANCEL_CALL,
  childWorkflow,
  type Procedure,
  type ProcedureHost,
  procedure,
} from './actor-kinds.ts';
export type {
  ChartView,
  ChartViewState,
  ChartViewTransition,
  Position,
  StatePath,
} from './chart/chart-view.ts';
export { ChartError, type ChartErrorCode, chartErrorCodes, type Finding } from './chart/check.ts';
export { CANCEL_REQUESTED } from './chart/messages.ts';
export type { Progress } from './defaults.ts';
export type {
  Ending,
  Halt,
  MessageEvent,
  Migrated,
  MigrationRequest,
  PendingWork,
  SearchAttributes,
  Versions,
} from './definition.ts';
export { INVALID_EVENT, NOT_POSSIBLE_NOW } from './messages.ts';
export { INVALID_MIGRATION, MIGRATION_REFUSED, MOVED_MEANWHILE } from './migration/migrations.ts';
export type { Obstacle, ObstacleCode, Outcome, Plan, Verdict, VerdictKind } from './migration/plan.ts';
export {
  CHILD_EVENT,
  type ChildEnd,
  type FromChild,
  PARENT_MEMO,
  type ParentMemo,
  SUBSCRIPTION,
  type ToChild,
} from './temporal/family.ts';
export { CLOCK, type ClockStatus, MIGRATE, MIGRATION_VERDICT, MOVE_CLOCK } from './temporal/handlers.ts';
export { type Relayed, relay } from './temporal/relay.ts';
export { type StatechartOptions, statechart, type Workflow } from './temporal/workflow.ts';
