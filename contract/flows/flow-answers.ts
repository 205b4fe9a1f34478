// What a process tells: its answer to the query `progress`, the same shape for each, as a schema for programs in other languages.
// Its TypeScript types come from the schema.
import { z } from 'zod';
import { activities, bookingFields, bookingSchema } from './booking-progress.ts';
import { chartProgress } from './chart-progress.ts';
import { roles as allRoles, type Roles, stages } from './flow-input.ts';
import { instant } from './flow-result.ts';
import type { Note } from './note.ts';
import type { Of, OfRoles, Same } from './schema-types.ts';
import { waitCodeMeanings } from './wait-code-meanings.ts';
import { decisionReasons, waitCodes, waitingForKinds } from './wait-codes.ts';

/** What a process does, unless a booking is the whole of it. */
const activitiesOfChart = ['Running', 'NeedsPerson', 'Ended'] as const;

export const phases = ['Open', 'Overdue', 'NeedsPerson'] as const;
export type Phase = (typeof phases)[number];

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

true satisfies Same<z.infer<typeof note>, Note>;

export type WaitingFor = OfRoles<typeof waitingFor>;
/** What every process answers to the query `progress`. */
export type ProcessProgress = Of<typeof processProgressSchema>;
/** The answer of a shipment flow. */
export type Progress = Of<ReturnType<typeof progressSchema>>;
