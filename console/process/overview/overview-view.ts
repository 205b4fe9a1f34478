// What a person should see of a process first, without knowing its chart: for whom it is, where the item is, what happens next and
// when, what is wrong, what to do. The descriptions are those of the API's document.
import { z } from 'zod';
import { waitCodes } from '../../../contract/flows/wait-codes.ts';
import { doubtAnswer } from '../../../processes/booking-doubt.ts';
import { actors } from '../../../processes/views/awaited.ts';

const instant = z.string().nullable();
const texts = z.array(z.string());

const stage = z.object({
  title: z.string(),
  /** past: it has been there; present: it is there now; future: it may come there; failed: it got no further there. */
  status: z.enum(['past', 'present', 'future', 'failed']),
  /** When it came there, where that is known. */
  since: instant,
  /** The end of the present stage, by the clock of the process. */
  until: instant,
  isOverdue: z.boolean(),
});
export type Stage = Readonly<z.infer<typeof stage>>;

/** A shipment; or the states of a flow file, or a region of them. Without a title, the process has but one. */
const lane = z.object({ title: z.string().nullable(), stages: z.array(stage) });
export type Lane = Readonly<z.infer<typeof lane>>;

export const progressBar = z
  .array(lane)
  .meta({ description: 'Its stages: a lane for each shipment, or for the states of a flow file' });
export type ProgressBar = readonly Lane[];

const upcomingEvent = z.object({
  code: z
    .enum(waitCodes)
    .nullable()
    .meta({ description: 'Of what it waits for; null: it is none of `waitingFor`' }),
  words: z.string(),
  actor: z
    .object({ who: z.enum(actors), words: z.string() })
    .exactOptional()
    .meta({ description: 'Who does it at a locker, as `words` begins: who may know people can name them' }),
  /** By the clock of the process. */
  until: instant,
  isOverdue: z.boolean(),
});
export type UpcomingEvent = Readonly<z.infer<typeof upcomingEvent>>;

/** Where an item is, or will be. */
const itemLocation = z.object({
  words: z.string(),
  pupUid: z.string().nullable(),
  isWithPerson: z.literal(true).exactOptional().meta({
    description: 'Somebody has it: who may know people is told who (`subject`)',
  }),
  booked: z.string().exactOptional().meta({
    description: 'Where somebody has it: what is booked for it, as in "locker 8 is booked for it"',
  }),
});
export type ItemLocation = Readonly<z.infer<typeof itemLocation>>;

/** For colours, never the only sign: it does not work, a moment has passed, it is past, it does not answer; or none of these. */
const tone = z.enum(['fault', 'late', 'over', 'offline', 'plain']);
export type Tone = z.infer<typeof tone>;

/** Who does not come for an item, and who does not bring one. */
const lateCodes = ['PickUpIsLate', 'DropOffIsLate'] as const;

/** A way out of what is wrong; the page draws each as a button beside it. */
const remedy = z.object({
  kind: z.enum(['act', 'move', 'startAgain', 'flow', 'wall']).meta({
    description:
      'act: one of `actionForms`; move, startAgain: the commands; flow: its page, for who maintains it; wall: a locker on the page of its wall',
  }),
  id: z.string().nullable().meta({
    description: 'act: of the form; wall: of the locker; else null',
  }),
  pupUid: z.string().exactOptional().meta({ description: 'wall: of the pick up point' }),
});
export type Remedy = Readonly<z.infer<typeof remedy>>;

export const overview = z.object({
  title: z.string().meta({ description: 'The flow, for people' }),
  status: z.object({ words: z.string(), tone }),
  where: z.array(itemLocation),
  itemNow: z.string().nullable().meta({
    description: 'The key of the other open process that has its item now; null: none has',
  }),
  movedTo: z.string().nullable().meta({
    description: 'Of a cancelled process: the key of the one that it was moved to; null: it was not',
  }),
  next: z.array(upcomingEvent).meta({ description: 'What happens next, the most urgent first' }),
  wrong: texts,
  hasFault: z.boolean().meta({
    description: 'Whether something in `wrong` is a fault: to be late alone is none',
  }),
  technical: texts.meta({ description: 'Of what is wrong, what only who maintains a flow reads' }),
  tried: texts.meta({ description: 'More of what is wrong, for who wants to know it: what was tried' }),
  doubts: z.array(doubtAnswer).meta({ description: 'Of bookings in doubt: what the locker service has' }),
  unread: texts.meta({
    description: 'What could not be read: something may be wrong, or to do, that is not here',
  }),
  todo: z.string().nullable().meta({ description: 'What a person should do; null: nothing' }),
  todoCode: z
    .enum(lateCodes)
    .nullable()
    .meta({ description: 'Where `todo` is about somebody who is late: with what' }),
  desk: texts.meta({
    description: 'What the desk is to do at lockers now, as in "put the item into locker 13"',
  }),
  primary: z.string().nullable().meta({ description: 'The id of the choice that does it' }),
  remedies: z.array(remedy).meta({ description: 'The ways out, the best first' }),
  parent: z.string().nullable().meta({ description: 'The key of the process that has started it' }),
});
export type ProcessOverview = Readonly<z.infer<typeof overview>>;

/** One of many for which the case does the same. */
const casePart = z.object({
  id: z.string().meta({ description: 'Within the case; `subject` has by it whom and what it is about' }),
  key: z.string().nullable().meta({ description: 'Of its process; null: it has none, or none yet' }),
  stage: z.enum(['notBegun', 'toBring', 'inside', 'open', 'done', 'failed', 'cancelled']).meta({
    description:
      'toBring: nobody has put it in yet; inside: it is in its locker; open: something else is under way',
  }),
  where: z.array(itemLocation),
  next: upcomingEvent.nullable(),
});
export type CasePart = Readonly<z.infer<typeof casePart>>;

export const caseParts = z.array(casePart).meta({
  description:
    'Of a case that does the same for many, at most 100: who is late first, then what the desk is to do, then who has not come',
});

/** In which a shipment is, or will be. */
export const locker = z.object({
  key: z.string().meta({ description: 'The process of its shipment' }),
  shipmentUid: z.string(),
  /** What becomes of the shipment, as in "Return: to be dropped off". */
  words: z.string(),
  pupUid: z.string().nullable(),
  lockerName: z.string().nullable(),
  goal: z
    .enum(['DropOff', 'PickUp'])
    .nullable()
    .meta({ description: 'What it is opened for; null: nobody has anything to do there now' }),
  isForDesk: z.boolean().meta({ description: 'Whether the desk is to do that' }),
});
export type LockerShown = Readonly<z.infer<typeof locker>>;

/** With where it stands, in words. */
export const child = z.object({
  key: z.string(),
  title: z.string(),
  words: z.string(),
  isOpen: z.boolean(),
  events: z.int().meta({ description: 'Of its history; 0: not known' }),
});
export type ChildShown = Readonly<z.infer<typeof child>>;

/** Their role, like Receiver, and their name, if the account can be seen. */
const person = z.object({ role: z.string(), name: z.string(), userUid: z.string().nullable() });
export type PersonShown = Readonly<z.infer<typeof person>>;

const dataRow = z.object({ label: z.string(), value: z.string() });
export type DataRow = Readonly<z.infer<typeof dataRow>>;

const dataGroup = z.object({
  title: z.string(),
  isTechnical: z.literal(true).exactOptional().meta({ description: 'Only for who looks after the system' }),
  rows: z.array(dataRow),
});
export type DataGroup = Readonly<z.infer<typeof dataGroup>>;

/** What only those see who may act on the process: it is about people. */
const partSubject = z.object({
  id: z.string().meta({ description: 'As in `parts` of the details' }),
  key: z.string().meta({ description: 'Of its process, if it is one and has begun' }),
  people: z.array(person),
  item: z.string().nullable(),
});
export type PartSubject = Readonly<z.infer<typeof partSubject>>;

export const subject = z.object({
  people: z.array(person),
  /** What is sent; null: nobody has said. */
  item: z.string().nullable(),
  data: z.array(dataGroup),
  names: z.array(z.object({ uid: z.string(), name: z.string() })).meta({
    description: 'Of shipments whose uids are in the texts of its questions',
  }),
  parts: z.array(partSubject).meta({ description: 'Of a case that does the same for many' }),
  holder: person.nullable().meta({
    description: 'Who has its item now, where `where` says that somebody has it; null: it is not known',
  }),
});
export type ProcessSubject = Readonly<z.infer<typeof subject>>;
