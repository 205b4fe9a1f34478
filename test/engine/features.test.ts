// The engine does as xstate's own actors do, feature by feature, and docs/statecharts.md names them all.
import { expect, test } from 'vitest';
import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  createActor,
  type EventObject,
  SimulatedClock,
} from 'xstate';
import { type ActivityCall, activity } from '../../engine/actor-kinds.ts';
import { findingsOf } from '../../engine/chart/check.ts';
import type { Delivery } from '../../engine/definition.ts';
import { actions } from './features/actions.ts';
import type { Happening } from './features/feature.ts';
import { states } from './features/states.ts';
import { PlayedMachine } from './played-machine.ts';

const features = { ...states, ...actions };

interface SnapshotView {
  readonly status: string;
  readonly value: unknown;
  readonly context: unknown;
  readonly output: unknown;
  readonly tags: unknown;
  readonly meta: unknown;
  readonly children: readonly string[];
}

const seen = (snapshot: AnyMachineSnapshot): SnapshotView => ({
  status: snapshot.status,
  value: snapshot.value,
  context: snapshot.context,
  output: snapshot.output,
  tags: [...snapshot.tags],
  meta: snapshot.getMeta(),
  children: snapshot.status === 'active' ? Object.keys(snapshot.children).sort() : [],
});

const eventOf = (happening: Exclude<Happening, number>): EventObject =>
  typeof happening === 'string' ? { type: happening } : happening;

/** What is seen after the start and after each happening, and everything that was emitted. */
function byXstate(machine: AnyStateMachine, happenings: readonly Happening[]): unknown[] {
  const clock = new SimulatedClock();
  const emitted: EventObject[] = [];
  const actor = createActor(machine, { clock, logger: () => undefined });
  actor.on('*', (event) => void emitted.push(event));
  actor.start();
  const steps = [seen(actor.getSnapshot())];
  for (const happening of happenings) {
    if (typeof happening === 'number') clock.increment(happening);
    else actor.send(eventOf(happening));
    steps.push(seen(actor.getSnapshot()));
  }
  return [...steps, emitted];
}

function byDriver(machine: AnyStateMachine, happenings: readonly Happening[]): unknown[] {
  const outbox = { type: 'said', call: activity('deliver').call as ActivityCall<Delivery> };
  const played = new PlayedMachine(machine, undefined, { outbox });
  const steps = [seen(played.snapshot)];
  for (const happening of happenings) {
    if (typeof happening === 'number') played.pass(happening);
    else played.send(eventOf(happening));
    steps.push(seen(played.snapshot));
  }
  return [...steps, played.world.takeSent().map((sent) => sent.to === 'outside' && sent.event)];
}

test.each(Object.entries(features))('%s', (_, [machine, ...happenings]) => {
  expect(findingsOf(machine)).toEqual([]);
  const expected = byXstate(machine, happenings);
  expect(byDriver(machine, happenings)).toEqual(expected);
});
