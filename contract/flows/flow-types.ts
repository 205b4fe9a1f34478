// The workflow types of the flows, as services that start them and the Temporal Web UI know them.
import { flowRules, type ShipmentFlowType } from './flow-rules.ts';
import { OUTREACH_DELIVERY } from './outreach.ts';

export type FlowType = ShipmentFlowType | 'OnboardAccount';

export const isBuiltIn = (name: string): name is FlowType => flowTypes.some((each) => each === name);
export const flowTypes = [...Object.keys(flowRules), 'OnboardAccount'] as readonly FlowType[];

/** The default task queue. A client and its workers must use the same one. */
export const TASK_QUEUE = 'lockerflow';

/** Keeps callbacks that no flow waits for: one workflow per shipment, or per type of other messages. */
export const UNMATCHED_CALLBACK = 'UnmatchedCallback';

/** Reserves a shipment for the flow that adopted it after a lost answer. */
export const ADOPTED_SHIPMENT = 'AdoptedShipment';

/** Keeps an item that somebody has, and that no process waits for any more, until a person says what became of it. */
export const ITEM_OUT = 'ItemOut';

/** Keeps an entry of Work out of sight until a moment. */
export const SNOOZED_ENTRY = 'SnoozedEntry';

/** Keeps a note that somebody left on a case that had ended. */
export const NOTE_AFTER_END = 'NoteAfterEnd';

/** A schedule runs it. It looks up the changes whose callbacks may be missing. */
export const RECONCILE_SHIPMENTS = 'ReconcileShipments';

/** A schedule runs it. It notifies people of what is new in Work. */
export const NOTIFY_OF_WORK = 'NotifyOfWork';

/** Delivers events of a process that the outside has not taken soon. */
export const EVENT_DELIVERY = 'EventDelivery';

/** Keeps events by correlation, and hands them to the processes that they match: one for each key and value. */
export const CORRELATION_QUEUE = 'CorrelationQueue';

/** Names the flows that an event of one type may start. */
export const EVENT_STARTS = 'EventStarts';

/** Brings the running processes of a flow to another version. */
export const MIGRATION = 'Migration';

/** Does one command for many processes. */
export const BATCH = 'Batch';

/** Workflows that lockerflow runs for itself: nobody outside sends them a message or cancels them. */
export const internalWorkflows: readonly string[] = [
  UNMATCHED_CALLBACK,
  ADOPTED_SHIPMENT,
  ITEM_OUT,
  SNOOZED_ENTRY,
  NOTE_AFTER_END,
  RECONCILE_SHIPMENTS,
  NOTIFY_OF_WORK,
  EVENT_DELIVERY,
  OUTREACH_DELIVERY,
  CORRELATION_QUEUE,
  EVENT_STARTS,
  MIGRATION,
  BATCH,
  'FlowDefinition',
];

/** The names of our own workflow types. A flow file must not use one of them. */
export const builtInFlows: readonly string[] = [...flowTypes, ...internalWorkflows];
