// The wall protocol: what a locker installation's controller and the service say to each other over one WebSocket, one JSON
// object in each text frame. It is ours: the published interface names no way to connect a wall.
import { z } from 'zod';
import { filledText, uid } from '../wire/fields.ts';
import { textOf } from '../wire/text.ts';

/** The address of the WebSocket. The token of the upgrade says which pick up point the wall is. */
export const WALL_PATH = '/v1/Walls/connect';
/** The name of this protocol in Sec-WebSocket-Protocol. */
export const WALL_PROTOCOL = 'lockerflow.wall.v1';
/** The scope of a wall's credentials. */
export const WALL_SCOPE = 'wall';
/** A longer frame ends the connection. A hello with 2,000 doors fits. */
export const LONGEST_WALL_FRAME = 262_144;

/** A clock that was never set, or a time that no database holds, is a mistake of the wall: it is told so at once. */
const INSTANTS = { from: '2000-01-01T00:00:00.000Z', before: '2100-01-01T00:00:00.000Z' } as const;
const instant = z.iso
  .datetime({ offset: true, precision: 3 })
  .refine(
    (text) => Date.parse(text) >= Date.parse(INSTANTS.from) && Date.parse(text) < Date.parse(INSTANTS.before),
    `must be from ${INSTANTS.from} on and before ${INSTANTS.before}: set the clock`,
  )
  .describe('an instant, in milliseconds, in the years 2000 to 2099');
const messageId = z
  .int()
  .min(1)
  .describe(
    'greater than that of every earlier message of the journal; a message that is sent again keeps its id',
  );
const commandId = uid.describe('names one opening of one door; the service gives it');

/** A code that was typed longer ago opens nothing. */
export const CODE_LIVES_MS = 10_000;

/**
 * How many wrong codes a wall takes, and after how long it takes one more. With 24 codes in use a guess is right once in
 * 40,000 times: 20 an hour find none in 11 weeks on average.
 */
export const WRONG_CODES = { most: 20, refillMs: 180_000 } as const;

export const doorStates = ['open', 'closed'] as const;
export const commandStates = ['waiting', 'opened', 'failed'] as const;
export const unlockGoals = ['DropOff', 'PickUp'] as const;

const door = z.object({
  lockerUid: uid,
  door: z.enum(doorStates),
});

const command = z.object({
  commandId,
  state: z.enum(commandStates).describe('waiting: taken, and the door is neither open nor failed yet'),
});

const wallFields = { id: messageId, at: instant.describe('when it happened, by the clock of the wall') };

/**
 * The first message of a connection. A wall keeps a journal: its messages in order, until the service has acknowledged
 * them. `journal` names it; a wall that lost its journal begins a new one under a new name.
 */
const hello = z.object({
  type: z.literal('hello'),
  journal: uid,
  now: instant.describe('by the clock of the wall: the service reads the times in its messages by it'),
  doors: z.array(door).max(2_000).describe('every door of the wall, as it is now'),
  commands: z.array(command).max(2_000).describe('every command that the wall has not been told to forget'),
  controller: textOf(0, 200).nullish().describe('name and version, for people who look at the log'),
});

/**
 * A code is never on the wall's disk, and is not sent again after CODE_LIVES_MS: the person has gone. The service refuses an
 * older one, so that no door springs open with nobody before it.
 */
const codeTyped = z.object({
  type: z.literal('codeTyped'),
  ...wallFields,
  code: filledText.describe('what the person typed'),
  lockerUid: uid.nullish().describe('the door where it was typed, if each door has its own keys'),
});

const doorOpened = z.object({
  type: z.literal('doorOpened'),
  ...wallFields,
  lockerUid: uid,
  commandId: commandId.nullish().describe('the command that opened it; absent if none did: a key, or force'),
});

const doorClosed = z.object({ type: z.literal('doorClosed'), ...wallFields, lockerUid: uid });

const commandFailed = z.object({
  type: z.literal('commandFailed'),
  ...wallFields,
  commandId,
  reason: textOf(0, 500).describe('why the door stayed shut, in words for people'),
});

/** What goes into the journal: each is acknowledged, and taken once. */
export const journalMessages = [codeTyped, doorOpened, doorClosed, commandFailed] as const;
export const journalMessage = z.discriminatedUnion('type', journalMessages);
export type JournalMessage = z.infer<typeof journalMessage>;

const takenByWall = z.object({
  type: z.literal('taken'),
  commandId: commandId.describe('of the openDoor, ask or forget that the wall has now written down'),
});

const commandState = z.object({
  type: z.literal('commandState'),
  commandId,
  state: z
    .enum([...commandStates, 'unknown'])
    .describe('unknown: never taken, or forgotten. The wall will not carry it out from now on'),
});

export const wallMessages = [hello, ...journalMessages, takenByWall, commandState] as const;
/** From the wall to the service. */
export const wallMessage = z.discriminatedUnion('type', wallMessages);
export type WallMessage = z.infer<typeof wallMessage>;

const knownLocker = z.object({
  lockerUid: uid,
  lockerName: filledText,
  size: filledText,
});

/** Answers hello. The wall then sends its journal on from `taken` + 1. */
const welcome = z.object({
  type: z.literal('welcome'),
  pupUid: uid,
  name: filledText.describe('of the pick up point'),
  now: instant.describe('by the clock of the service: the times in commands go by it'),
  taken: z.int().min(0).describe('the id of the last message of this journal that the service has'),
  lockers: z.array(knownLocker),
});

const takenByService = z.object({
  type: z.literal('taken'),
  id: messageId.describe('this message and all before it are kept by the service; the wall may drop them'),
});

const codeAnswered = z.object({
  type: z.literal('codeAnswered'),
  id: messageId.describe('of the codeTyped'),
  opens: z
    .object({
      lockerUid: uid,
      commandId,
      goal: z.enum(unlockGoals),
    })
    .nullable()
    .describe('null if the code opens no door now'),
  error: z.string().nullish().describe('an error code of the interface, like InvalidAccessCode'),
  message: z.string().nullish().describe('why not, in words for people who look at the log'),
  retryAt: instant.nullish().describe('after too many wrong codes: earlier ones are refused unseen'),
});

const openDoor = z.object({
  type: z.literal('openDoor'),
  commandId,
  lockerUid: uid,
  by: instant.describe('the door must not open after this instant, by the clock of the service'),
});

const ask = z.object({
  type: z.literal('ask'),
  commandId: commandId.describe('the wall answers with its commandState'),
});

const forget = z.object({
  type: z.literal('forget'),
  commandId: commandId.describe('the service has its outcome. A waiting command is not carried out any more'),
});

/** Sent before the service closes the connection because of what the wall sent. */
const refused = z.object({
  type: z.literal('refused'),
  message: z.string().describe('what was wrong, what was expected, and what to do'),
});

export const serviceMessages = [
  welcome,
  takenByService,
  codeAnswered,
  openDoor,
  ask,
  forget,
  refused,
] as const;
/** From the service to the wall. A wall ignores a type that it does not know. */
export const serviceMessage = z.discriminatedUnion('type', serviceMessages);
export type ServiceMessage = z.infer<typeof serviceMessage>;
