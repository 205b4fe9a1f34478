// Checks the whole input of a flow. One error names every invalid field, in camelCase, as in the input. The client checks
// before it starts a flow; the flow's first activity checks again, because other SDKs start flows too.
import { z } from 'zod';
import { type OperationName, operationRow, operations, type Request } from '../operations/operations.ts';
import { unwrapped } from '../wire/casing.ts';
import { ContractError, type FieldIssue } from '../wire/errors.ts';
import { inPlainWords, wordsOf } from '../wire/format-issue.ts';
import type { Capability } from '../wire/peer.ts';
import { duration } from '../wire/text.ts';
import {
  type FlowInput,
  flowClocks,
  notifiedEvents,
  overduePolicies,
  type Role,
  type Stage,
} from './flow-input.ts';

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
export const userFields = { toUserUid: 'toUser', fromUserUid: 'fromUser' } as const;
export type UidField = keyof typeof userFields;
const uidFields = Object.keys(userFields) as UidField[];

/** The input's `tell` of a flow that can tell these events. */
export function notificationSchema<const Events extends readonly string[]>(events: Events) {
  return z.strictObject({
    events: z.array(z.enum(events)).min(1, `must have at least one of ${events.join(', ')}`),
    to: z
      .string()
      .regex(
        /^[A-Za-z][A-Za-z0-9_-]{0,63}$/,
        'must be the name of a connector: a letter, then letters, digits, _ and -, 64 at most',
      )
      .nullish(),
  });
}

/** Without the rules of the operation and of the flow's deadlines. */
export const flowInputShape = z.strictObject({
  request: z.record(z.string(), z.unknown()),
  deadlines: z.record(z.string(), z.record(z.string(), duration.nullish()).nullish()).nullish(),
  onOverdue: z.enum(overduePolicies).nullish(),
  waitForLocker: duration.nullish(),
  tell: notificationSchema(notifiedEvents)
    .extend({ remindBefore: duration.nullish() })
    .refine(({ events, remindBefore }) => !events.includes('reminder') || remindBefore != null, {
      path: ['remindBefore'],
      message: 'is required for the event reminder: how long before each deadline it is sent, like P1D',
    })
    .refine(({ events, remindBefore }) => events.includes('reminder') || remindBefore == null, {
      path: ['remindBefore'],
      message: 'must not be given without reminder in events; add reminder there, or leave this out',
    })
    .nullish(),
  clock: z.enum(flowClocks).nullish(),
});

const anyDeadlines = z.object({
  deadlines: z.record(z.string(), z.record(z.string(), z.unknown()).nullish()),
});
type AnyDeadlines = z.infer<typeof anyDeadlines>['deadlines'];

/** As JSON; that of a flow file has the same bound. Each wrong field of it costs time, and words. */
const LONGEST_INPUT = 32_768;

export function requireShortInput(input: unknown): void {
  const { length } = JSON.stringify(input) ?? '';
  if (length <= LONGEST_INPUT) return;
  const message = `the input has ${length.toLocaleString('en')} characters as JSON; expected at most ${LONGEST_INPUT.toLocaleString('en')}`;
  throw new ContractError('InvalidRequest', [{ field: '', message }]);
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
  const outer = flowInputShape.safeParse(input, inPlainWords);
  const issues = [
    ...unknownFields(flowInputShape, input, []),
    ...(outer.error ? fieldIssues([], outer.error) : []),
  ];
  // Every part is checked even where another is wrong, so that one error names all faults.
  const { request } = flowInputShape.shape;
  const given = z.object({ request }).safeParse(input).data?.request;
  const checked = given && checkRequest(rules.operation, given);
  const deadlines = anyDeadlines.safeParse(input).data?.deadlines ?? {};
  const all = [
    ...issues,
    ...(checked?.issues ?? []),
    ...checkDeadlines(rules, deadlines),
    ...(capabilities?.has('accessMessages') === false ? unnoticedDeadlines(rules, deadlines, given) : []),
  ];
  if (all.length > 0 || !checked || !outer.data) throw new ContractError('InvalidRequest', all);
  return {
    ...(Object.fromEntries(Object.entries(outer.data).filter(([, value]) => value != null)) as Omit<
      FlowInput,
      'request'
    >),
    request: checked.request,
    users: checked.users,
  };
}

interface CheckedRequest {
  readonly request: Record<string, unknown>;
  readonly users: Partial<Record<UidField, Request<'CreateOrGetAccount'>>>;
  readonly issues: FieldIssue[];
}

function checkRequest(operation: OperationName, given: Record<string, unknown>): CheckedRequest {
  const { request: schema } = operationRow(operation);
  const issues: FieldIssue[] = [];
  const users: CheckedRequest['users'] = {};
  const fields = { ...given };
  for (const uidField of uidFields) {
    const user = given[userFields[uidField]];
    delete fields[userFields[uidField]];
    if (user == null) continue;
    const account = checkUser(schema, uidField, given);
    issues.push(...account.issues);
    if (account.user) users[uidField] = account.user;
    // A placeholder for the uid that is not known yet, so that the operation's own rules can be checked.
    if (uidField in schema.shape) fields[uidField] = 'a uid';
  }
  issues.push(...unknownFields(schema, fields, ['request']));
  const { data, error } = schema.safeParse(fields, inPlainWords);
  if (error) issues.push(...fieldIssues(['request'], error));
  const request: Record<string, unknown> = { ...data };
  for (const uidField of uidFields) if (given[userFields[uidField]] != null) delete request[uidField];
  return { request, users, issues };
}

function checkUser(schema: z.ZodObject, uidField: UidField, given: Record<string, unknown>) {
  const field = ['request', userFields[uidField]];
  const issue = (message: string) => ({ issues: [{ field: field.join('.'), message }], user: undefined });
  if (!(uidField in schema.shape)) return issue(`is not a field of this operation, which has no ${uidField}`);
  if (given[uidField] != null) return issue(`must not be given together with ${uidField}; give one of them`);
  const user: unknown = given[userFields[uidField]];
  const account = operations.CreateOrGetAccount.request;
  const withPickUpPoint = z.record(z.string(), z.unknown()).safeParse(user).data;
  if (!withPickUpPoint) return issue('must be an object with the fields of the account, like emailAddress');
  const { data, error } = account.safeParse(
    { pickUpPointUid: given.pupUid, ...withPickUpPoint },
    inPlainWords,
  );
  const issues = [
    ...unknownFields(account, withPickUpPoint, field),
    ...(error ? fieldIssues(field, error) : []),
  ];
  return { issues, user: data };
}

function checkDeadlines(rules: FlowInputRules, deadlines: AnyDeadlines): FieldIssue[] {
  const valid = rules.deadlines.map(({ role, stage }) => `${role}.${stage}`);
  const expected =
    valid.length > 0 ? `this flow has the deadlines ${valid.join(', ')}` : 'this flow has none';
  return Object.entries(deadlines)
    .flatMap(([role, byStage]) => Object.keys(byStage ?? {}).map((stage) => `${role}.${stage}`))
    .filter((pair) => !valid.includes(pair))
    .map((pair) => ({ field: `deadlines.${pair}`, message: `is not a deadline of this flow; ${expected}` }));
}

/** Deadlines that would pass whatever happens: nobody tells the flow that they are met. */
function unnoticedDeadlines(
  rules: FlowInputRules,
  deadlines: AnyDeadlines,
  request: Readonly<Record<string, unknown>> = {},
): FieldIssue[] {
  return rules.deadlines.flatMap(({ role, stage, keptBookedBy }) => {
    if (!keptBookedBy || request[keptBookedBy] !== true || deadlines[role]?.[stage] == null) return [];
    const message = `must not be given with request.${keptBookedBy} true: this locker service does not report pick-ups from a locker that stays booked (LOCKER_CAPABILITIES has no accessMessages); leave one of the two out`;
    return [{ field: `deadlines.${role}.${stage}`, message }];
  });
}

/** A flow would silently ignore a misspelt optional field, so it is an error. */
export function unknownFields(
  schema: z.core.$ZodType,
  value: unknown,
  path: readonly PropertyKey[],
): FieldIssue[] {
  const inner = unwrapped(schema);
  if (!(inner instanceof z.ZodObject) || typeof value !== 'object' || value === null) return [];
  const message = `is not a field here; expected ${Object.keys(inner.shape).join(', ')}`;
  return Object.entries(value).flatMap(([key, item]) => {
    const field = Object.hasOwn(inner.shape, key) ? inner.shape[key] : undefined;
    return field
      ? unknownFields(field, item, [...path, key])
      : [{ field: [...path, key].join('.'), message }];
  });
}

export function fieldIssues(path: readonly PropertyKey[], error: z.ZodError): FieldIssue[] {
  return error.issues.flatMap((issue) => {
    // unknownFields names them, with the fields that are known.
    if (issue.code === 'unrecognized_keys') return [];
    const field = [...path, ...issue.path].map(String).join('.');
    return [{ field, message: field === '' ? `the input ${wordsOf(issue)}` : wordsOf(issue) }];
  });
}
