// `lockerflow/driver`: any xstate machine as a Temporal workflow.
export { type ActivitySettings, activity, activityAction } from './actors/activity-call.ts';
export { childWorkflow } from './actors/child-workflow.ts';
export { type Procedure, procedure } from './actors/procedure.ts';
export { ChartError, type ChartErrorCode, chartErrorCodes, type Finding } from './chart/chart-error.ts';
export type {
  ChartView,
  ChartViewState,
  ChartViewTransition,
  Position,
  StatePath,
} from './chart/chart-view.ts';
export { CANCEL_REQUESTED } from './chart/messages.ts';
export type { Alarm, Clock } from './clock.ts';
export type { Standing } from './defaults.ts';
export type {
  Awaited,
  Ending,
  Held,
  MessageEvent,
  SearchAttributes,
  Versions,
} from './definition.ts';
export type { Workflow } from './flow.ts';
export { CANCEL_CALL } from './invokes.ts';
export { CLOCK, type ClockStanding, INVALID_EVENT, MOVE_CLOCK } from './listen.ts';
export { type StatechartOptions, statechart } from './statechart.ts';
export { CHILD_EVENT } from './telling/parent.ts';
export { type Relayed, relay } from './telling/relay.ts';
export { NOT_POSSIBLE_NOW } from './updates.ts';
