// Turns a search into a query of Temporal's visibility store that finds only flows. Every value is quoted.

import { flowTypes, internalWorkflows } from '../../contract/flows/flow-types.ts';
import { instantMs, instantText } from '../../flows/language/duration.ts';
import { subjectOfItem, subjectOfPerson } from '../../flows/language/subjects.ts';
import { isSearchable, literal } from '../../shared/routing/owners.ts';
import { wrongInput } from '../outcome.ts';
import { needsPerson } from './needs-person.ts';

export interface FlowQueryOptions {
  readonly flow?: readonly string[];
  readonly phase?: string;
  readonly case?: string;
  readonly pickUpPoint?: string;
  readonly shipment?: string;
  readonly definition?: string;
  /** The uid of an account: of whoever sends, receives, or is marked in the input of a flow file. */
  readonly person?: string;
  /** A reference number, or what a flow file marks as its item. */
  readonly item?: string;
  /** Keys by which events find it, as `device=laptop-7`: each must hold. */
  readonly where?: readonly string[];
  /** ISO 8601, with an offset. */
  readonly startedAfter?: string;
  readonly startedBefore?: string;
  readonly open?: true;
  readonly closed?: true;
  readonly query?: string;
  /** Whether this Temporal reports processes at which a worker fails. */
  readonly problems?: boolean;
  /** More of the same, each of which must hold. */
  readonly also?: readonly string[];
}

const attributeOptions: Readonly<Record<string, keyof FlowQueryOptions>> = {
  LockerCase: 'case',
  LockerPickUpPoint: 'pickUpPoint',
  LockerShipmentUids: 'shipment',
  LockerFlowVersion: 'definition',
};

const namesIn = (names: readonly string[]) => `(${names.map(quoted).join(', ')})`;
const typeIn = (names: readonly string[]) => `WorkflowType IN ${namesIn(names)}`;

/**
 * Nothing but processes has a phase: those of flow files from their start, or from their first step if another SDK has started
 * them. Some never come to that; but the workers of our task queue run nothing else, whatever its name. A store on SQL takes the
 * conditions from left to right, and reads the attributes of a row to know its phase: that is last.
 */
const processesOf = (taskQueue: string) =>
  `(${typeIn(flowTypes)} OR (${onTaskQueue(taskQueue)} AND WorkflowType NOT IN ${namesIn(internalWorkflows)}) OR LockerPhase IS NOT NULL)`;

/**
 * Throws CommandError (wrongInput) for a value that cannot be searched.
 * @param taskQueue of our workers
 */
export function flowQuery(options: FlowQueryOptions, taskQueue: string): string {
  const conditions: string[] = [];
  requireVersion(options);
  for (const [attribute, name] of Object.entries(attributeOptions)) {
    const value = options[name];
    if (typeof value === 'string') conditions.push(`${attribute} = ${quoted(value)}`);
  }
  for (const subject of subjectsIn(options)) conditions.push(`LockerSubjects = ${quoted(subject)}`);
  if (options.phase !== undefined) conditions.push(inPhase(options.phase, options.problems));
  if (options.open || options.phase !== undefined) conditions.push("ExecutionStatus = 'Running'");
  if (options.closed) conditions.push("ExecutionStatus != 'Running'");
  if (options.startedAfter !== undefined) conditions.push(`StartTime >= ${instant(options.startedAfter)}`);
  if (options.startedBefore !== undefined) conditions.push(`StartTime < ${instant(options.startedBefore)}`);
  for (const each of [options.query ?? [], options.also ?? []].flat()) conditions.push(`(${each})`);
  // The last: few rows of a hundred thousand come so far.
  conditions.push(options.flow ? typeIn(options.flow) : processesOf(taskQueue));
  return conditions.join(' AND ');
}

function inPhase(phase: string, problems?: boolean): string {
  // A flow that still books has no phase in the store yet.
  if (phase === 'Open') return "(LockerPhase = 'Open' OR LockerPhase IS NULL)";
  return phase === 'NeedsPerson' ? needsPerson(problems) : `LockerPhase = ${quoted(phase)}`;
}

const subjectsIn = ({ person, item, where = [] }: FlowQueryOptions): string[] => [
  ...(person === undefined ? [] : [subjectOfPerson(person)]),
  ...(item === undefined ? [] : [subjectOfItem(item)]),
  ...where,
];

const NARROWING = [
  'flow',
  'phase',
  'case',
  'pickUpPoint',
  'shipment',
  'definition',
  'person',
  'item',
  'where',
  'startedAfter',
  'startedBefore',
  'query',
] as const;

/** Whether it selects flows: without one, the query means every flow. */
export const isNarrowed = (options: FlowQueryOptions): boolean =>
  NARROWING.some((name) => options[name] !== undefined);

export function quoted(value: string): string {
  if (!isSearchable(value))
    throw wrongInput(
      `${JSON.stringify(value.slice(0, 50))} cannot be searched for; expected 1 to 200 characters without " and \\`,
    );
  return literal(value);
}

/** Another task queue may be another tenant's: of its processes nothing is shown. */
export const onTaskQueue = (taskQueue: string): string => `TaskQueue = ${quoted(taskQueue)}`;

function requireVersion({ definition }: FlowQueryOptions): void {
  if (definition !== undefined && !/^.+@\d+$/.test(definition))
    throw wrongInput(`${definition} is not a version of a flow; expected one like Issue@1`);
}

/** ISO 8601. */
export interface Span {
  readonly since: string;
  /** Absent: until now. */
  readonly until?: string | undefined;
}

export const within = (at: 'StartTime' | 'CloseTime', { since, until }: Span): string[] => [
  `${at} >= '${since}'`,
  ...(until === undefined ? [] : [`${at} < '${until}'`]),
];

function instant(text: string): string {
  const at = instantMs(text);
  if (at === null) throw wrongInput(`${text} is not an instant; expected one like 2031-05-01T12:00:00Z`);
  return `'${instantText(at)}'`;
}
