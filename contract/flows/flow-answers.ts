// What a process tells: its answer to the query `progress`, the same shape for each, and the result of a shipment flow, as schemas
// for programs in other languages. Their TypeScript types come from these schemas.
import { z } from 'zod';
import type { OperationName } from '../operations/operations.ts';
import { stateCodes } from '../wire/states.ts';
import { chartProgress, type Json } from './chart-progress.ts';
import { roles as allRoles, type Role, stages } from './flow-input.ts';
import type { Resolve } from './flow-messages.ts';
import type { Note } from './note.ts';
import { accountDetailNames } from './onboard-input.ts';
import { decisionReasons, waitCodeMeanings, waitCodes, waitingForKinds } from './wait-codes.ts';

// Json is readonly already, and has no end.
type DeepReadonly<T> = Json extends T
  ? T
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;
type Alike<A, B> = [A, B, keyof A, keyof B] extends [B, A, keyof B, keyof A] ? true : never;
/** Each is assignable to the other, and has the same keys. */
export type Same<A, B> = Alike<DeepReadonly<A>, DeepReadonly<B>>;

export type Roles = readonly [Role, ...Role[]];

export const outcomes = ['Done', 'Overdue', 'Cancelled'] as const;
/**
 * Done: every leg met its done rule. Overdue: a passed deadline made the flow cancel. Cancelled: a leg was cancelled for
 * any other reason.
 */
export type Outcome = (typeof outcomes)[number];

const instant = z.string().meta({ description: 'ISO 8601 with an offset, like 2031-05-01T12:00:00Z' });
const stage = z.enum(stages).meta({ description: 'What the shipment waits for' });

const shipmentFields = {
  shipmentUid: z.string(),
  stateCode: z.string().nullable().meta({ description: 'Its last known state; null: none is known' }),
  stateStart: z
    .string()
    .nullable()
    .meta({ description: 'When that state began: ISO 8601; without an offset it means UTC' }),
  pupUid: z.string().nullable(),
  lockerName: z.string().nullable(),
};

const leg = z.object(shipmentFields);
const followedLeg = leg.extend({
  done: z.boolean().meta({ description: 'Whether the leg has met its done rule' }),
  pickedUpAt: z.string().exactOptional().meta({
    description:
      'Of a kept-booked locker: the last pick-up that the flow knows of; without an offset it means UTC',
  }),
});

function byRole<Schema extends z.ZodType>(roles: Roles, schema: Schema) {
  const shape = Object.fromEntries(roles.map((role) => [role, schema.exactOptional()]));
  return z.object(shape) as unknown as z.ZodType<Partial<Record<Role, z.infer<Schema>>>>;
}

/** With several roles, a shipment may be one whose role is not known. */
function atTheEnd(roles: Roles) {
  const [only, ...others] = roles;
  return others.length > 0
    ? byRole(roles, leg)
    : (z.object({ [only]: leg }) as unknown as ReturnType<typeof byRole<typeof leg>>);
}

const unassigned = (roles: Roles) =>
  z
    .array(leg.extend({ possibleRoles: z.array(z.enum(roles)) }))
    .meta({ description: 'Shipments of the flow whose roles are not known' });

const itemsLeft = (roles: Roles) =>
  z
    .array(
      z.object({
        role: z.enum(roles).nullable(),
        shipmentUid: z.string(),
        pupUid: z.string().nullable(),
        lockerName: z.string().nullable(),
      }),
    )
    .meta({ description: 'Items that cancelled shipments left in their lockers: somebody must fetch them' });

const overdue = (roles: Roles) =>
  z
    .array(z.object({ role: z.enum(roles), stage, deadline: instant }))
    .meta({ description: 'Each deadline that passed, also where the shipment moved on later' });

export const resultSchema = (roles: Roles) =>
  z.object({
    outcome: z.enum(outcomes).meta({
      description:
        'Done: each leg has met its done rule. Overdue: a passed deadline made the flow cancel. Cancelled: any other end with a cancelled leg',
    }),
    shipments: atTheEnd(roles).meta({ description: 'What is known of each shipment at the end, by role' }),
    overdue: overdue(roles),
    itemsLeft: itemsLeft(roles),
    unassigned: unassigned(roles),
  });

const activities = ['Booking', 'Following', 'Undoing', 'NeedsPerson', 'Ended'] as const;
/** What a process does, unless a booking is the whole of it. */
const activitiesOfChart = ['Running', 'NeedsPerson', 'Ended'] as const;

const judgements = [
  'next',
  'skippedAhead',
  'repeated',
  'stale',
  'unknown',
  'contradictory',
  /** The item was picked up, and the state stays as it is, because the locker is kept booked. */
  'pickedUp',
  /** It came before the flow knew its shipments. */
  'postponed',
  /** It came after the flow had ended. */
  'afterTheEnd',
] as const;
/** What the flow made of a report: the judgement of contract/machines/, or why there is none. */
export type ReportJudgement = (typeof judgements)[number];

export const phases = ['Open', 'Overdue', 'NeedsPerson'] as const;
export type Phase = (typeof phases)[number];

const deadline = (roles: Roles) =>
  z.object({
    role: z.enum(roles),
    stage,
    until: instant,
    passed: z.boolean(),
    ahead: z
      .literal(true)
      .exactOptional()
      .meta({ description: 'Set before its stage has begun: it holds from then on' }),
  });

const reportEntry = z.object({
  shipmentUid: z.string(),
  stateCode: z.string(),
  stateStart: z.string().nullable(),
  receivedAt: instant,
  judgement: z.enum(judgements).meta({ description: 'What the flow made of the report' }),
  times: z.number().int().min(1).meta({ description: 'How often it came' }),
  pickedUpAt: z.string().exactOptional().meta({ description: 'If it told of a pick-up: when that was' }),
});

const resolution = z.object({
  action: z.enum(['retry', 'adopt', 'setState', 'giveUp'] satisfies Resolve['action'][]),
  by: z.string(),
  onBehalfOf: z.string().exactOptional(),
  why: z.string(),
  at: instant,
});

const replacedCaseNo = z.object({
  former: z.string().nullable().meta({ description: 'null: it had none' }),
  by: z.string(),
});

const doubt = z.object({
  why: z.string(),
  candidates: z.array(z.string()).meta({ description: "Shipments that may be the booking's" }),
  retryMayBookTwice: z.boolean().nullable().meta({
    description:
      'Whether `retry` may book a second time; null: the flow does not know whether the service can be asked',
  }),
});

const waitingFor = (roles: Roles) =>
  z.object({
    kind: z.enum(waitingForKinds),
    code: z.enum(waitCodes).meta({ description: waitCodeMeanings }),
    params: z
      .record(z.string(), z.unknown())
      .exactOptional()
      .meta({ description: 'The values in `words`, by name; absent: there are none' }),
    words: z.string().meta({ description: 'For people, in one line, made of code and params' }),
    who: z.string().nullable().meta({
      description: 'Who can bring it: service, sender, receiver, dispatcher or operator; null: not known',
    }),
    since: z.string().nullable(),
    until: z.string().nullable(),
    isOverdue: z.literal(true).exactOptional(),
    role: z.enum(roles).exactOptional(),
    stage: z.enum(stages).exactOptional().meta({ description: 'What somebody must do for the leg' }),
    shipmentUid: z.string().exactOptional(),
    reason: z
      .enum(decisionReasons)
      .exactOptional()
      .meta({ description: 'The code, if a person must decide' }),
    why: z.string().exactOptional().meta({ description: 'The reason in words, as part of a sentence' }),
    id: z.string().exactOptional(),
    type: z.string().exactOptional(),
    key: z.string().exactOptional(),
    booking: z.string().exactOptional().meta({
      description: 'The id of the booking that waits for it, unless the booking is the whole process',
    }),
    holder: z.string().exactOptional().meta({ description: 'Who holds the question of an answer' }),
    events: z.array(z.string()).exactOptional(),
  });

/** The path that each leg takes if all goes well. */
const expectedLegs = (roles: Roles) =>
  z
    .array(
      z.object({
        role: z.enum(roles),
        states: z.array(z.enum(stateCodes)).meta({
          description:
            'The states that it goes through if all goes well; one that ends in stock ends with ReadyForPickup',
        }),
      }),
    )
    .meta({ description: 'Its legs, in the order of the chain' });

/** What is known of shipments that were booked together. */
const bookingFields = (roles: Roles) => ({
  operation: z.string().meta({ description: 'By which it books' }) as z.ZodType<OperationName>,
  caseNo: z.string().nullable().meta({ description: 'null: not known, or it has none' }),
  activity: z.enum(activities).meta({ description: 'What the flow does' }),
  outcome: z
    .enum(outcomes)
    .nullable()
    .meta({ description: 'Of a flow that has ended; null while it is open, and where it failed' }),
  legs: expectedLegs(roles),
  shipments: byRole(roles, followedLeg).meta({
    description: 'The shipments whose roles are known, by role; empty until the booking is known',
  }),
  unassigned: unassigned(roles),
  deadlines: z.array(deadline(roles)),
  overdue: overdue(roles),
  itemsLeft: itemsLeft(roles),
  reportHistory: z.array(reportEntry).meta({
    description: 'Distinct reports in the order in which they came. Only the newest some hundreds are kept',
  }),
  resolutions: z.array(resolution).meta({ description: "People's decisions" }),
  replacedCaseNo: replacedCaseNo.exactOptional().meta({
    description: 'Where the flow has given issued stock another case number, and could read its former one',
  }),
  doubt: doubt.exactOptional().meta({
    description: 'Only while it is not known whether the booking was made, and a person must decide',
  }),
});

export const bookingSchema = z.object({
  id: z.string().meta({ description: 'Within its process' }),
  isWhole: z.boolean().meta({
    description:
      'Whether the process is this booking, as a built-in flow is: then the process has its fields, too',
  }),
  ...bookingFields(allRoles),
});

export const note = z.object({
  text: z.string(),
  by: z.string(),
  onBehalfOf: z
    .string()
    .exactOptional()
    .meta({ description: 'The person for whom a program said that it acted' }),
  at: instant,
});

const processFields = (roles: Roles) => ({
  flow: z.string(),
  version: z
    .number()
    .int()
    .min(0)
    .meta({ description: 'The version of the definition by which it runs; 0: it has none yet' }),
  phase: z.enum(phases).nullable().meta({ description: 'Of an open process; null once it has ended' }),
  waitingFor: z.array(waitingFor(roles)).meta({ description: 'What it waits for, the most urgent first' }),
  ...chartProgress,
  bookings: z.array(bookingSchema).meta({ description: 'What it has booked; empty: it books nothing' }),
  note: note.exactOptional().meta({ description: 'The newest note that a person has left on it' }),
});

/** What every process answers to the query `progress`. */
export const processProgressSchema = z.object({
  ...processFields(allRoles),
  activity: z.enum([...activities, ...activitiesOfChart]).meta({ description: 'What it does' }),
});

/** The answer of a shipment flow: its one booking is the whole of it. */
export const progressSchema = (flow: string, roles: Roles) =>
  z.object({
    ...processFields(roles),
    ...bookingFields(roles),
    flow: z.string().meta({ const: flow }),
    version: z.number().int().min(1).meta({ description: 'The version of the declaration by which it runs' }),
  });

const details = z.array(z.enum(accountDetailNames));

export const onboardResultSchema = z.object({
  outcome: z.literal('Done'),
  userUid: z.string(),
  isExisting: z
    .boolean()
    .nullable()
    .meta({ description: 'null: the service answered MutationConfigFailed, which does not say' }),
  canManageUser: z.boolean().nullable().meta({
    description: 'false: another tenant manages the account, so the flow compared and changed nothing',
  }),
  differingDetails: details.meta({
    description: 'Fields of the request that the account still does not have',
  }),
  unknownDetails: details.meta({ description: 'Fields of the request that the service does not show' }),
});

export const onboardProgressSchema = z.object({
  ...processProgressSchema.shape,
  flow: z.string().meta({ const: 'OnboardAccount' }),
  step: z.string().meta({ description: 'Where it stands in its chart, like `finding` or `settingDetails`' }),
  account: z
    .object({ userUid: z.string() })
    .nullable()
    .meta({ description: 'What is known of the account; null until it is found or created' }),
});

type Of<Schema extends z.ZodType> = DeepReadonly<z.infer<Schema>>;
type OfRoles<Make extends (roles: Roles) => z.ZodType> = Of<ReturnType<Make>>;

/** What is known of a shipment at the end; what is not known is null. */
export type LegResult = Of<typeof leg>;
/** A shipment of the flow whose role is still unknown, and the roles that it may have. */
export type UnassignedShipment = OfRoles<typeof unassigned>[number];
/** An item that a cancelled shipment left in its locker: someone must fetch it. */
export type ItemLeft = OfRoles<typeof itemsLeft>[number];
export type FlowResult = OfRoles<typeof resultSchema>;
export type OverdueStage = FlowResult['overdue'][number];
/** The result of OnboardAccount. */
export type OnboardResult = Of<typeof onboardResultSchema>;

true satisfies Same<z.infer<typeof note>, Note>;

export type FollowedLeg = Of<typeof followedLeg>;
export type WaitingFor = OfRoles<typeof waitingFor>;
/** One distinct report; a repetition only raises `times`. */
export type ReportEntry = Of<typeof reportEntry>;
export type DeadlineProgress = OfRoles<typeof deadline>;
export type Resolution = Of<typeof resolution>;
/** The case number of the prior shipment, and the one that the booking gives it: undoing the flow gives the former back. */
export type ReplacedCaseNo = Of<typeof replacedCaseNo>;
export type BookingDoubt = Of<typeof doubt>;
/** What a process knows of shipments that it has booked together. */
export type BookingProgress = Of<typeof bookingSchema>;
/** What every process answers to the query `progress`. */
export type ProcessProgress = Of<typeof processProgressSchema>;
/** The answer of a shipment flow. */
export type Progress = Of<ReturnType<typeof progressSchema>>;
export type OnboardProgress = Of<typeof onboardProgressSchema>;
