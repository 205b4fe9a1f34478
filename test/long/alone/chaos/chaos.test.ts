// @module-tag invariant
// Flows run while every process under them is killed at random and the network between them fails: each comes to its
// right end, nothing is booked twice or left held, and no callback that was acknowledged is lost or counts twice.
// CHAOS_SEED repeats the plan of a run.
import { test } from 'vitest';
import { chaosSeed, planOf } from './plan.ts';
import { playPlan } from './play-plan.ts';
import { oneMachine } from './processes.ts';
import { startWorld } from './world.ts';

const SIZE = { flows: 80, kills: 24, faults: 36 };
/** Flows that are open at a time. */
const LANES = 12;
/** Each kill and fault takes seconds, and so does what it holds up. A flow that stands still is given up after minutes. */
const TIMEOUT_MS = 3_600_000;

const seed = chaosSeed();

test(
  `${SIZE.flows} flows end right while everything is killed ${SIZE.kills} times and the network fails ${SIZE.faults} times (seed ${seed})`,
  {
    timeout: TIMEOUT_MS,
  },
  () => playPlan(planOf(seed, SIZE, oneMachine), LANES, startWorld),
);
