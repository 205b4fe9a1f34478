// Reading a whole history takes up to some hundred megabytes, and the thread that answers requests: few are read at a time, and
// callers take turns. What is made of a history is part of its turn.
import { CallersInTurn } from '../heavy/callers-in-turn.ts';

export const AT_ONCE = 2;
/** That wait, of one caller: a person has several pages open, each of which reads some. */
export const MAX_PER_CALLER = 20;
const MAX_WAITING = 100;

/** One for the whole process: what it bounds is this machine's. */
export const historiesInTurn = new CallersInTurn({
  what: 'histories',
  most: MAX_WAITING,
  maxPerCaller: MAX_PER_CALLER,
  mayBegin: (_, running) => running.length < AT_ONCE,
});
