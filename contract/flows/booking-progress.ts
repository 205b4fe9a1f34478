// What a booking tells of its shipments: a part of the answer of its process to the query `progress` (flow-answers.ts).
import { z } from 'zod';
import type { OperationName } from '../operations/operations.ts';
import { stateCodes } from '../wire/states.ts';
import { roles as allRoles, type Roles } from './flow-input.ts';
import type { Resolve } from './flow-messages.ts';
import { byRole, instant, itemsLeft, leg, outcomes, overdue, stage, unassigned } from './flow-result.ts';
import type { Of, OfRoles } from './schema-types.ts';

const followedLeg = leg.extend({
  done: z.boolean().meta({ description: 'Whether the leg has met its done rule' }),
  pickedUpAt: z.string().exactOptional().meta({
    description:
      'Of a kept-booked locker: the last pick-up that the flow knows of; without an offset it means UTC',
  }),
});

export const activities = ['Booking', 'Following', 'Undoing', 'NeedsPerson', 'Ended'] as const;

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
export const bookingFields = (roles: Roles) => ({
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

export type FollowedLeg = Of<typeof followedLeg>;
/** One distinct report; a repetition only raises `times`. */
export type ReportEntry = Of<typeof reportEntry>;
export type DeadlineProgress = OfRoles<typeof deadline>;
export type Resolution = Of<typeof resolution>;
/** The case number of the prior shipment, and the one that the booking gives it: undoing the flow gives the former back. */
export type ReplacedCaseNo = Of<typeof replacedCaseNo>;
export type BookingDoubt = Of<typeof doubt>;
/** What a process knows of shipments that it has booked together. */
export type BookingProgress = Of<typeof bookingSchema>;
