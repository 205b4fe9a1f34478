// What a wall remembers through a loss of power: its doors, what became of the service's commands, and its journal, the
// messages that the service has not acknowledged. Plain data; never a code that a person typed.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  commandStates,
  doorStates,
  type JournalMessage,
  journalMessage,
  type WallMessage,
} from '../../../contract/wall/wall-messages.ts';

const CONTROLLER = 'lockerflow simulated wall';

/**
 * What may be wrong with a door. Stuck: it stays shut. Slow: it opens some seconds later. SaysOpened: it stays shut, and
 * its contact says that it is open. SaysShut: it opens, and its contact says that it is shut.
 */
export const doorFault = z.enum(['None', 'Stuck', 'Slow', 'SaysOpened', 'SaysShut']);
export type DoorFault = z.infer<typeof doorFault>;

const locker = z.object({
  lockerUid: z.string(),
  lockerName: z.string(),
  size: z.string(),
  /** As a person sees it. */
  door: z.enum(doorStates),
  /** As its contact says, and so as the service is told. */
  contact: z.enum(doorStates),
  /** Whether something lies in it. */
  item: z.boolean(),
  fault: doorFault,
});
export type Locker = Readonly<z.infer<typeof locker>>;

/** One that was forgotten or never came is kept for a while: should it come late, it must open no door. */
const command = z.object({
  lockerUid: z.string().nullable(),
  state: z.enum([...commandStates, 'unknown']),
  /** The door must not open afterwards, by the clock of the service; null if the command itself never came. */
  by: z.string().nullable(),
  /** When it came to this state, by the clock of the wall. */
  at: z.string(),
});
export type Command = Readonly<z.infer<typeof command>>;

const isKept = (message: JournalMessage): message is KeptMessage => message.type !== 'codeTyped';

export const wallState = z
  .object({
    /** The name of the journal. */
    journal: z.string(),
    /** The id of its last message; also of one that is not kept, so that no id is given twice. */
    lastId: z.int(),
    messages: z
      .array(
        journalMessage
          .refine(isKept, 'must not be a typed code')
          .transform((message) => message as KeptMessage),
      )
      .readonly(),
    lockers: z.array(locker.readonly()).readonly(),
    commands: z.record(z.string(), command.readonly()).readonly(),
  })
  .readonly();

/** A typed code is kept in memory alone, and not for long. */
export type KeptMessage = Exclude<JournalMessage, { type: 'codeTyped' }>;

export type WallState = z.infer<typeof wallState>;

/** A wall without doors: the service names its lockers, and then it has a door for each. */
export const newWallState = (): WallState => ({
  journal: randomUUID(),
  lastId: 0,
  messages: [],
  lockers: [],
  commands: {},
});

interface KnownLocker {
  readonly lockerUid: string;
  readonly lockerName: string;
  readonly size: string;
}

/** The wall has a door for each locker that the service knows; a door that was there before stays as it is. */
export function installed(state: WallState, known: readonly KnownLocker[]): WallState {
  const before = new Map(state.lockers.map((each) => [each.lockerUid, each]));
  const untouched = { door: 'closed', contact: 'closed', item: false, fault: 'None' } as const;
  const lockers = known.map(({ lockerUid, lockerName, size }) => ({
    ...untouched,
    ...before.get(lockerUid),
    lockerUid,
    lockerName,
    size,
  }));
  return { ...state, lockers };
}

/** What the wall tells the service first. */
export const helloOf = ({ journal, lockers, commands }: WallState): WallMessage => ({
  type: 'hello',
  journal,
  now: new Date().toISOString(),
  doors: lockers.map(({ lockerUid, contact }) => ({ lockerUid, door: contact })),
  commands: Object.entries(commands).flatMap(([commandId, { state }]) =>
    state === 'unknown' ? [] : [{ commandId, state }],
  ),
  controller: CONTROLLER,
});
