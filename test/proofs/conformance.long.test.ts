// The cases of the SCXML test framework as workflows on a real Temporal: with a worker that lives, and with one that is
// killed before the first event and between any two.
import { expect, test } from 'vitest';
import { type Case, cases } from '../driver/conformance/cases.ts';
import { begin, type Playing, playOne, playToEnd, see, workflows } from '../driver/conformance/durable.ts';
import { leftOut } from '../driver/conformance/left-out.ts';
import { expectedOf } from '../driver/conformance/pure.ts';
import { killedWorker } from '../driver/killed-worker.ts';
import { newTaskQueue, startWorker, temporalClient } from '../support/temporal.ts';

const passing = cases.filter(({ name }) => !(name in leftOut));
/** At once: each has tasks of its own, and a machine has two processors. */
const AT_ONCE = 24;
const TIMEOUT_MS = 3_600_000;

const isOfW3c = ({ name }: Case) => name.startsWith('w3c');
const groups = Array.from({ length: Math.ceil(passing.length / AT_ONCE) }, (_, index) =>
  passing.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
);

/** @param between is done before each round of events */
async function playAll(
  group: readonly Case[],
  taskQueue: string,
  between: () => Promise<void>,
): Promise<void> {
  const client = await temporalClient();
  const all = await Promise.all(group.map((played) => begin(client, taskQueue, played)));
  const scripted = all.filter(({ played }) => !isOfW3c(played));
  await Promise.all(scripted.map(see));
  const rounds = Math.max(1, ...scripted.map(({ played }) => played.script.events.length));
  for (let round = 0; round < rounds; round++) {
    await between();
    await Promise.all(scripted.map((playing) => playOne(playing, round)));
  }
  await Promise.all(all.filter(({ played }) => isOfW3c(played)).map(playToEnd));
  expect(seenOf(all)).toEqual(Object.fromEntries(all.map(({ played }) => [played.name, expectedOf(played)])));
}

const seenOf = (all: readonly Playing[]) =>
  Object.fromEntries(all.map(({ played, seen }) => [played.name, seen]));

test.each(groups.map((group, index) => ({ group, index, count: group.length })))(
  'group $index: $count cases pass on Temporal',
  { timeout: TIMEOUT_MS },
  async ({ group }) => {
    const taskQueue = newTaskQueue();
    await startWorker({ workflows, taskQueue });
    await playAll(group, taskQueue, async () => undefined);
  },
);

test.each(groups.map((group, index) => ({ group, index, count: group.length })))(
  'group $index: $count cases pass with a worker that is killed between the events',
  { timeout: TIMEOUT_MS },
  async ({ group }) => {
    const taskQueue = newTaskQueue();
    await using worker = await killedWorker(workflows, taskQueue);
    await playAll(group, taskQueue, worker.kill);
  },
);
