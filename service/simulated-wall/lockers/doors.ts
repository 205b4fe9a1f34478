// What happens at the doors, as pure functions: the state before, and what somebody does, give the state after and what
// the wall tells the service. No clock, no timer, no message id: wall.ts has those.
import type { ServiceMessage } from '../../../contract/wall/wall-messages.ts';
import type { Command, DoorFault, KeptMessage, Locker, WallState } from './wall-state.ts';

/** A message without its id and its time, which it gets when it is put into the journal. */
export type Fact = KeptMessage extends infer Each
  ? Each extends unknown
    ? Omit<Each, 'id' | 'at'>
    : never
  : never;

export interface Step {
  readonly state: WallState;
  readonly facts: readonly Fact[];
}

/** The present, by the clock of the wall and by the clock of the service, in milliseconds. */
export interface Now {
  readonly here: number;
  readonly there: number;
}

export type OpenDoor = Extract<ServiceMessage, { type: 'openDoor' }>;

// After its last instant a command opens nothing, so it need not be remembered. The clocks differ by less than this.
const CLOCKS_DIFFER_MS = 300_000;
// The instant of a command that never came is not known; this is far longer than a command is valid.
const REMEMBERED_MS = 3_600_000;

const unchanged = (state: WallState): Step => ({ state, facts: [] });

export const lockerOf = ({ lockers }: WallState, uid: string): Locker | undefined =>
  lockers.find(({ lockerUid }) => lockerUid === uid);

/** The command is written down, before anything is done for it. The same command again changes nothing. */
export function take(state: WallState, { commandId, lockerUid, by }: OpenDoor, now: Now): WallState {
  if (state.commands[commandId]) return state;
  return withCommand(state, commandId, { lockerUid, by, state: 'waiting' }, now);
}

/** Carries a waiting command out: its one and only effect. Any other command has none. */
export function carryOut(state: WallState, commandId: string, now: Now): Step {
  const command = state.commands[commandId];
  if (command?.state !== 'waiting') return unchanged(state);
  const locker = lockerOf(state, command.lockerUid ?? '');
  const failed = (reason: string): Step => ({
    state: withCommand(state, commandId, { ...command, state: 'failed' }, now),
    facts: [{ type: 'commandFailed', commandId, reason }],
  });
  if (!locker) return failed('the wall has no such locker');
  if (command.by === null || now.there >= Date.parse(command.by))
    return failed('the command is too late: its time to open the door is over');
  const opened = (after: WallState): Step => ({
    state: withCommand(after, commandId, { ...command, state: 'opened' }, now),
    facts: [{ type: 'doorOpened', lockerUid: locker.lockerUid, commandId }],
  });
  // It need not move: somebody has opened it with the key.
  if (locker.door === 'open' && locker.contact === 'open') return opened(state);
  if (locker.fault === 'Stuck') return failed('the door is stuck');
  if (locker.fault === 'SaysShut') {
    const step = failed('the contact of the door says that it stayed shut');
    return { ...step, state: withLocker(step.state, { ...locker, door: 'open' }) };
  }
  const door = locker.fault === 'SaysOpened' ? locker.door : 'open';
  return opened(withLocker(state, { ...locker, door, contact: 'open' }));
}

/** With a mechanic's key: no command, and no fault keeps the door from opening. */
export function openWithKey(state: WallState, locker: Locker): Step {
  const { lockerUid, fault, contact } = locker;
  const tells = fault !== 'SaysShut' && contact === 'closed';
  return {
    state: withLocker(state, { ...locker, door: 'open', contact: tells ? 'open' : contact }),
    facts: tells ? [{ type: 'doorOpened', lockerUid }] : [],
  };
}

/** A person pushes the door, also one that only says that it is open. */
export function close(state: WallState, locker: Locker): Step {
  const { lockerUid } = locker;
  return {
    state: withLocker(state, { ...locker, door: 'closed', contact: 'closed' }),
    facts: locker.contact === 'open' ? [{ type: 'doorClosed', lockerUid }] : [],
  };
}

/** A person puts something in, or takes it out: the wall does not see that. */
export function moveItem(state: WallState, locker: Locker, present: boolean): Step {
  const { lockerName, door } = locker;
  if (door === 'closed') throw new TypeError(`The door of locker ${lockerName} is shut; open it first`);
  return unchanged(withLocker(state, { ...locker, item: present }));
}

export const setFault = (state: WallState, locker: Locker, fault: DoorFault): Step =>
  unchanged(withLocker(state, { ...locker, fault }));

/** The service needs its outcome no more. If it waits, or has not come yet, no door opens for it any more. */
export function forget(state: WallState, commandId: string, now: Now): WallState {
  const { lockerUid = null, by = null } = state.commands[commandId] ?? {};
  return withCommand(state, commandId, { lockerUid, by, state: 'unknown' }, now);
}

/** What became of it. One that never came is written down: should it come late, it opens no door. */
export function asked(state: WallState, commandId: string, now: Now): WallState {
  return state.commands[commandId] ? state : forget(state, commandId, now);
}

function withCommand(state: WallState, commandId: string, command: Omit<Command, 'at'>, now: Now): WallState {
  const commands = Object.entries(state.commands).filter(([, each]) => !isOver(each, now));
  const at = new Date(now.here).toISOString();
  return { ...state, commands: { ...Object.fromEntries(commands), [commandId]: { ...command, at } } };
}

function isOver({ state, by, at }: Command, { here, there }: Now): boolean {
  if (state !== 'unknown') return false;
  return by === null ? here > Date.parse(at) + REMEMBERED_MS : there > Date.parse(by) + CLOCKS_DIFFER_MS;
}

const withLocker = (state: WallState, locker: Locker): WallState => ({
  ...state,
  lockers: state.lockers.map((each) => (each.lockerUid === locker.lockerUid ? locker : each)),
});
