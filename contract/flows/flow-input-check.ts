// Checks the whole input of a flow. One error names every invalid field, in camelCase, as in the input. The client checks
// before it starts a flow; the flow's first activity checks again, because other SDKs start flows too.
import { z } from 'zod';
import { type OperationName, operationRow, operations, type Request } from '../operations/operations.ts';
import { unwrapped } from '../wire/casing.ts';
import { ContractError, type FieldIssue } from '../wire/contract-error.ts';
import { duration } from '../wire/duration.ts';
import { eitherOfTwo, type FieldRule, orInstead, rule, rulesOf, withRules } from '../wire/field-rule.ts';
import { formatIssue, plainMessages } from '../wire/format-issue.ts';
import type { Capability } from '../wire/service-profile.ts';
import {
  type FlowInput,
  flowClocks,
  notifiedEvents,
  overduePolicies,
  type Role,
  type Stage,
} from './flow-input.ts';
import { LONGEST_WAIT_MS } from './longest-wait.ts';

/** The rules that a flow declares for its input. */
export interface FlowInputRules {
  readonly operation: OperationName;
  readonly deadlines: readonly DeadlineRule[];
}

export interface DeadlineRule {
  readonly role: Role;
  readonly stage: Stage;
  /** Where this field of the request is true, no state tells that the stage is over, only the message ShipmentAccess. */
  readonly keptBookedBy?: string;
}

export interface CheckedFlowInput extends FlowInput {
  /** The operation's request. A uid field is absent where the input gives an account in its place. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly users: Readonly<Partial<Record<UidField, Request<'CreateOrGetAccount'>>>>;
}

/** The field that may take the place of each uid. */
const userFields = { toUserUid: 'toUser', fromUserUid: 'fromUser' } as const;
export type UidField = keyof typeof userFields;
const uidFields = Object.keys(userFields) as UidField[];

const inPlaceOfUid = 'In the place of a uid: the flow finds or creates this account first.';
const account = operations.CreateOrGetAccount.request;
const user = account.meta({ description: inPlaceOfUid });
const userAtBooking = withRules(
  account.extend({ pickUpPointUid: account.shape.pickUpPointUid.optional() }).meta({
    description: `${inPlaceOfUid} Its pick up point is that of the booking, unless it is given.`,
  }),
  rulesOf(account) as FieldRule<never>[],
);
export const accountSchemas = { User: user, UserAtPickUpPointOfBooking: userAtBooking } as const;

/** The operation's request, with accounts in the place of uids. */
function requestSchema(operation: OperationName): z.ZodObject {
  const { request, meaning } = operationRow(operation);
  const shape: Record<string, z.ZodType> = { ...request.shape };
  let rules = rulesOf(request);
  for (const uidField of uidFields) {
    const uid = shape[uidField];
    if (!uid) continue;
    const userField = userFields[uidField];
    const isRequired = !uid.isOptional();
    if (isRequired) shape[uidField] = uid.nullish();
    shape[userField] = ('pupUid' in shape ? userAtBooking : user).nullish();
    rules = [
      ...rules.map((each) => orInstead(each, uidField, userField)),
      eitherOfTwo(uidField, userField, isRequired),
    ];
  }
  return withRules(z.object(shape).meta({ description: meaning }), rules);
}

function deadlinesSchema(deadlines: readonly DeadlineRule[]) {
  const length = duration
    .nullish()
    .meta({ description: 'An ISO 8601 duration like P3D or PT2H30M, from the start of the stage' });
  const roles = [...new Set(deadlines.map(({ role }) => role))].map((role) => {
    const ofRole = deadlines.filter((deadline) => deadline.role === role);
    const stages = z.strictObject(Object.fromEntries(ofRole.map(({ stage }) => [stage, length])));
    return [role, stages.nullish().meta({ description: `Deadlines of ${role}` })];
  });
  return z
    .strictObject(Object.fromEntries(roles))
    .nullish()
    .meta({ description: 'By role and stage. A stage without one waits as long as it takes' });
}

/** The input's `tell` of a flow that can tell these events. */
export const tellSchema = <const Events extends readonly string[]>(events: Events) =>
  z.strictObject({
    events: z.array(z.enum(events)).min(1, `must have at least one of ${events.join(', ')}`),
    to: z
      .string()
      .regex(
        /^[A-Za-z][A-Za-z0-9_-]{0,63}$/,
        'must be the name of a connector: a letter, then letters, digits, _ and -, 64 at most',
      )
      .nullish(),
  });

/** What the inputs of all flows have in common. */
export const tellDescription = {
  description: 'What the outside is told, through a connector of the workers. Nothing if not given',
};
export const clock = z
  .enum(flowClocks)
  .nullish()
  .meta({ description: "sandbox: the tenant's clock in a service in staging. The real time if not given" });

const hasReminder = { has: ['events', 'reminder'] } as const;
const tell = withRules(tellSchema(notifiedEvents).extend({ remindBefore: duration.nullish() }), [
  rule(
    'remindBefore',
    { any: [{ not: hasReminder }, { given: 'remindBefore' }] },
    'is required for the event reminder: how long before each deadline it is sent, like P1D',
  ),
  rule(
    'remindBefore',
    { any: [hasReminder, { not: { given: 'remindBefore' } }] },
    'must not be given without reminder in events; add reminder there, or leave this out',
  ),
]);

const newFlowInputSchema = ({ operation, deadlines }: FlowInputRules) =>
  z.strictObject({
    request: requestSchema(operation),
    deadlines: deadlinesSchema(deadlines),
    onOverdue: z.enum(overduePolicies).nullish().meta({
      description:
        'After a deadline. wait, the default: mark the leg as overdue and go on; cancel: undo the whole flow',
    }),
    waitForLocker: duration.nullish().meta({
      description: 'How long the flow keeps trying while no locker is free. Not at all if not given',
    }),
    tell: tell.nullish().meta(tellDescription),
    clock,
  });

/** By operation and deadlines, all that a schema is made of. Each process needs one, and making it takes longer than the check. */
const inputSchemas = new Map<string, ReturnType<typeof newFlowInputSchema>>();

/** The whole input of a flow: the check and the JSON Schema are made from it. */
export function flowInputSchema(rules: FlowInputRules): ReturnType<typeof newFlowInputSchema> {
  const key = `${rules.operation} ${rules.deadlines.map(({ role, stage }) => `${role}.${stage}`).join(' ')}`;
  const made = inputSchemas.get(key) ?? newFlowInputSchema(rules);
  inputSchemas.set(key, made);
  return made;
}

/** As JSON; that of a flow file has the same bound. Each wrong field of it costs time, and words. */
const LONGEST_INPUT = 32_768;

export function requireShortInput(input: unknown): void {
  const { length } = JSON.stringify(input) ?? '';
  if (length <= LONGEST_INPUT) return;
  const message = `the input has ${length.toLocaleString('en')} characters as JSON; expected at most ${LONGEST_INPUT.toLocaleString('en')}`;
  throw new ContractError('InvalidRequest', [{ field: '', message }]);
}

/**
 * Without the fields that are null, which means the same as absent. Throws ContractError (InvalidRequest), which names every wrong
 * field.
 * @param more issues that the schema cannot find
 */
export function parseInput<Schema extends z.ZodObject>(
  schema: Schema,
  input: unknown,
  more: readonly FieldIssue[] = [],
): z.infer<Schema> {
  const { data, error } = schema.safeParse(input, plainMessages);
  const issues = [...unknownFields(schema, input), ...(error ? fieldIssues(error) : []), ...more];
  if (issues.length > 0 || !data) throw new ContractError('InvalidRequest', issues);
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value != null)) as z.infer<Schema>;
}

/**
 * Throws ContractError (InvalidRequest).
 * @param capabilities what the locker service offers beyond the interface, where that is known
 */
export function checkFlowInput(
  rules: FlowInputRules,
  input: unknown,
  capabilities?: ReadonlySet<Capability>,
): CheckedFlowInput {
  requireShortInput(input);
  const unnoticed = capabilities?.has('accessMessages') === false ? unnoticedDeadlines(rules, input) : [];
  const more = [...unnoticed, ...lateDeadlines(rules, input)];
  const { request: checked, ...rest } = parseInput(flowInputSchema(rules), input, more);
  const request: Record<string, unknown> = { ...checked };
  const users: Partial<Record<UidField, Request<'CreateOrGetAccount'>>> = {};
  for (const uidField of uidFields) {
    const userField = userFields[uidField];
    const user = request[userField];
    delete request[userField];
    if (user == null) continue;
    delete request[uidField];
    const details = user as Request<'CreateOrGetAccount'>;
    users[uidField] = { ...details, pickUpPointUid: details.pickUpPointUid ?? String(request.pupUid) };
  }
  return { ...(rest as Omit<FlowInput, 'request'>), request, users };
}

/** The request of an operation that a flow file calls. Throws ContractError (InvalidRequest). */
export function checkRequest(operation: OperationName, request: object): Request<OperationName> {
  const schema = z.strictObject({ request: operationRow(operation).request });
  return parseInput(schema, { request }).request as Request<OperationName>;
}

/** A field of what nobody has checked yet. */
const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

/** Deadlines that would pass whatever happens: nobody tells the flow that they are met. */
function unnoticedDeadlines({ deadlines }: FlowInputRules, input: unknown): FieldIssue[] {
  const given = fieldOf(input, 'deadlines');
  return deadlines.flatMap(({ role, stage, keptBookedBy }) => {
    if (!keptBookedBy || fieldOf(fieldOf(input, 'request'), keptBookedBy) !== true) return [];
    if (fieldOf(fieldOf(given, role), stage) == null) return [];
    const message = `must not be given with request.${keptBookedBy} true: this locker service does not report pick-ups from a locker that stays booked (LOCKER_CAPABILITIES has no accessMessages); leave one of the two out`;
    return [{ field: `deadlines.${role}.${stage}`, message }];
  });
}

function lateDeadlines({ deadlines }: FlowInputRules, input: unknown): FieldIssue[] {
  const given = fieldOf(input, 'deadlines');
  return deadlines.flatMap(({ role, stage }) => {
    const { success, data } = duration.safeParse(fieldOf(fieldOf(given, role), stage));
    if (!success || lengthMs(data) <= LONGEST_WAIT_MS) return [];
    return [{ field: `deadlines.${role}.${stage}`, message: 'is more than a hundred years' }];
  });
}

const unitsMs: Readonly<Record<string, number>> = {
  W: 604_800_000,
  D: 86_400_000,
  H: 3_600_000,
  M: 60_000,
  S: 1_000,
};

const lengthMs = (checked: string): number =>
  [...checked.matchAll(/([\d.]+)([WDHMS])/g)].reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (unitsMs[unit] ?? 0),
    0,
  );

/** A flow would silently ignore a misspelt optional field, so it is an error. */
function unknownFields(schema: z.core.$ZodType, value: unknown, path: readonly string[] = []): FieldIssue[] {
  const inner = unwrapped(schema);
  if (!(inner instanceof z.ZodObject) || typeof value !== 'object' || value === null || Array.isArray(value))
    return [];
  const known = Object.keys(inner.shape).join(', ');
  const message =
    path[0] === 'deadlines'
      ? `is not a deadline of this flow; expected ${known}`
      : `is not a field here; expected ${known}`;
  return Object.entries(value).flatMap(([key, item]) => {
    const field = Object.hasOwn(inner.shape, key) ? inner.shape[key] : undefined;
    return field
      ? unknownFields(field, item, [...path, key])
      : [{ field: [...path, key].join('.'), message }];
  });
}

export function fieldIssues(error: z.ZodError): FieldIssue[] {
  return error.issues.flatMap((issue) => {
    // unknownFields names them, with the fields that are known.
    if (issue.code === 'unrecognized_keys') return [];
    const field = issue.path.map(String).join('.');
    return [{ field, message: field === '' ? `the input ${formatIssue(issue)}` : formatIssue(issue) }];
  });
}
