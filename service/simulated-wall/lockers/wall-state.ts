// What a wall remembers through a loss of power: its doors, what became of the service's commands, and its journal, the
// messages that the service has not acknowledged. Plain data; never a code that a person typed.

import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import {
  commandStates,
  doorStates,
  type JournalMessage,
  journalMessage,
  type WallMessage,
} from '../../../contract/wall/wall-messages.ts';
import { formatIssues, plainMessages } from '../../../contract/wire/format-issue.ts';

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

const wallState = z
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

// A wall's memory on disk, for its next start. A file is replaced as a whole: after a kill at any moment it holds the state
// before a change or the state after it.

const OWNER_ONLY = 0o600;
// The rest of a long list tells a person nothing more.
const MAX_NAMED = 5;

export class WallFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
    mkdirSync(dirname(path), { recursive: true });
  }

  /** Undefined for a wall that has none yet. */
  read(): WallState | undefined {
    let text: string;
    try {
      text = readFileSync(this.#path, 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw this.#wrong('it is not JSON');
    }
    const { data, error } = wallState.safeParse(value, plainMessages);
    if (data) return data;
    throw this.#wrong(formatIssues(error, 'the file').slice(0, MAX_NAMED).join('; '));
  }

  #wrong(what: string): Error {
    return new Error(
      `${this.#path} is not the memory of a wall: ${what}. Move it away; the wall then starts as a new one`,
    );
  }

  /** Before anybody hears of the change. */
  write(state: WallState): void {
    const next = `${this.#path}.next`;
    writeFileSync(next, JSON.stringify(state), { mode: OWNER_ONLY });
    renameSync(next, this.#path);
  }
}

// What the pages are told of a wall, and what they are answered. No code that a person typed is in it.

export interface WallView {
  readonly pupUid: string;
  readonly name: string;
  readonly isConnected: boolean;
  /** False: somebody has pulled out its network cable. */
  readonly isPluggedIn: boolean;
  readonly lockers: readonly Locker[];
}

export interface WallSummary extends Pick<WallView, 'pupUid' | 'name' | 'isConnected'> {
  readonly lockers: number;
}
