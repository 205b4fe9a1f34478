// The updates of a shipment flow: what people decide, as schemas. The types of contract/flows/ are the source: where a schema
// differs from its type, this file does not compile.
import { z } from 'zod';
import type { Role, Roles, Stage } from '../flows/flow-input.ts';
import type { ExtendDeadline, RemoveReceiver, Resolve, SetReceiver } from '../flows/flow-messages.ts';
import { type AddNote, LONGEST_NOTE } from '../flows/note.ts';
import { LONGEST_MESSAGE, type SendMechanic, type SendMessage } from '../flows/outreach.ts';
import type { Same } from '../flows/schema-types.ts';
import { duration } from '../wire/duration.ts';
import { filledText, instant, text, uid } from '../wire/fields.ts';
import { stateCodes } from '../wire/states.ts';

interface DeadlineOfFlow {
  readonly role: Role;
  readonly stage: Stage;
}

const onBehalfOf = text
  .exactOptional()
  .meta({ description: 'The person for whom a program says that it acts; the history keeps it' });

const askedBy = {
  by: text.exactOptional().meta({ description: 'Who asks for it; the history keeps it' }),
  onBehalfOf,
  why: text.exactOptional().meta({ description: 'Why; the history keeps it' }),
};

const noteName = z.string().min(1).max(200);

const setReceiver = (roles: Roles) =>
  z.strictObject({
    ...askedBy,
    role: z.enum(roles),
    toUserUid: uid,
    caseReferenceNew: text.nullable().exactOptional(),
  });

const removeReceiver = (roles: Roles) => z.strictObject({ ...askedBy, role: z.enum(roles) });

const ends = {
  until: instant.meta({ description: 'The new deadline, in the future: like 2031-05-01T12:00:00Z' }),
  fromNow: duration.meta({ description: 'How long from now: like P3D or PT2H' }),
  extendBy: duration.meta({ description: 'By how much it is later; from now, if it has passed' }),
  shortenBy: duration.meta({ description: 'By how much it is earlier' }),
};
const only = z
  .enum(['later', 'earlier'])
  .exactOptional()
  .meta({ description: 'Refused if the new deadline is not that: without it both are taken' });
const undo = z
  .strictObject({ from: instant.nullable(), until: instant.nullable() })
  .meta({ description: 'A move as it was answered, to be taken back' });

function extendDeadline(deadlines: readonly DeadlineOfFlow[]) {
  return z.union(
    deadlines.flatMap(({ role, stage }) => {
      const which = { ...askedBy, role: z.literal(role), stage: z.literal(stage) };
      return [
        z.strictObject({ ...which, until: ends.until, only }),
        z.strictObject({ ...which, fromNow: ends.fromNow, only }),
        z.strictObject({ ...which, extendBy: ends.extendBy, only }),
        z.strictObject({ ...which, shortenBy: ends.shortenBy, only }),
        z.strictObject({ ...which, undo }),
      ];
    }),
  );
}

function resolve(roles: Roles) {
  const decided = {
    by: filledText.meta({ description: 'Who decides it; the flow keeps it' }),
    onBehalfOf,
    why: filledText.meta({ description: 'Why; the flow keeps it' }),
  };
  const shipments = z
    .strictObject(Object.fromEntries(roles.map((role) => [role, uid.exactOptional()])))
    .meta({ description: 'The uid of the shipment of each role' });
  return z.union([
    z.strictObject({ ...decided, action: z.literal('retry') }),
    z.strictObject({ ...decided, action: z.literal('adopt'), shipments }),
    z.strictObject({
      ...decided,
      action: z.literal('setState'),
      role: z.enum(roles),
      stateCode: z.enum(stateCodes),
    }),
    z.strictObject({ ...decided, action: z.literal('giveUp') }),
  ]);
}

const noteSchema = z
  .strictObject({
    text: z.string().min(1).max(LONGEST_NOTE).meta({
      description: 'What whoever looks at the process next should know; blanks around it are left out',
    }),
    by: noteName.meta({ description: 'Who says it; the process keeps it' }),
    onBehalfOf: noteName
      .exactOptional()
      .meta({ description: 'The person for whom a program says that it acts; the process keeps it' }),
    why: askedBy.why,
  })
  .meta({ description: 'Leaves a note for whoever looks at the process next; it changes nothing' });
true satisfies Same<z.infer<typeof noteSchema>, AddNote>;

const sender = {
  by: noteName.meta({ description: 'Who sends it; the process keeps it' }),
  onBehalfOf: noteName
    .exactOptional()
    .meta({ description: 'The person for whom a program says that it acts; the process keeps it' }),
  why: askedBy.why,
};
const lockerWords = z.string().min(1).max(200);

/** Every process takes them. */
const outreachSchemas = {
  message: z
    .strictObject({
      to: lockerWords.meta({ description: 'The userUid of whom it is for' }),
      text: z.string().min(1).max(LONGEST_MESSAGE).meta({ description: 'What the person is to read' }),
      ...sender,
    })
    .meta({
      description: 'Sends a message to the person whom the process is for; it changes nothing in the process',
    }),
  sendMechanic: z
    .strictObject({
      pupUid: lockerWords,
      lockerName: lockerWords.exactOptional().meta({ description: 'Left out: the whole wall' }),
      problem: z.string().min(1).max(LONGEST_MESSAGE).meta({ description: 'What is wrong there' }),
      ...sender,
    })
    .meta({ description: 'Asks for a mechanic at a door; it changes nothing in the process' }),
};
true satisfies Same<z.infer<typeof outreachSchemas.message>, SendMessage>;
true satisfies Same<z.infer<typeof outreachSchemas.sendMechanic>, SendMechanic>;

/** By the name of the update. */
export const updateSchemas = (roles: Roles, deadlines: readonly DeadlineOfFlow[]) => ({
  setReceiver: setReceiver(roles).meta({ description: 'Sets the receiver of a shipment' }),
  removeReceiver: removeReceiver(roles).meta({ description: 'Removes the receiver of a shipment' }),
  extendDeadline: extendDeadline(deadlines).meta({
    description:
      'Sets a deadline anew, also of a stage that has none: by exactly one of until, fromNow, extendBy, shortenBy and undo',
  }),
  resolve: resolve(roles).meta({
    description:
      'Decides what the flow cannot know. retry: do again what is in doubt. adopt: these are its shipments. setState: this is the state of the shipment. giveUp: end without it',
  }),
});

type UpdateInputs = {
  [Name in keyof ReturnType<typeof updateSchemas>]: z.infer<ReturnType<typeof updateSchemas>[Name]>;
};
true satisfies Same<UpdateInputs['setReceiver'], SetReceiver>;
true satisfies Same<UpdateInputs['removeReceiver'], RemoveReceiver>;
0 as unknown as UpdateInputs['extendDeadline'] satisfies Omit<ExtendDeadline, 'until' | 'fromNow'>;
0 as unknown as UpdateInputs['resolve'] satisfies Resolve;
0 as unknown as Resolve satisfies UpdateInputs['resolve'];

/** What every process takes as an update, by its name. */
export const commonUpdateSchemas = { note: noteSchema, ...outreachSchemas };
