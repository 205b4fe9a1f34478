// Plays a plan in its world, and holds the promises when all is quiet again: each flow has come to its right end, nothing is
// booked twice or left held, and no callback that was acknowledged is lost or counts twice.
import { rm } from 'node:fs/promises';
import { expect } from 'vitest';
import { LockerFlows } from '../../../../client/locker-flows.ts';
import { calm, disturb, Progress } from './disturb.ts';
import { wrongEnd, wrongInReportHistories, wrongInStore, wrongInUnmatched } from './ended-right.ts';
import { PatientPeople, untilDone } from './patience.ts';
import type { Plan } from './plan.ts';
import { clearAway, type PlayedFlow, playFlow } from './played-flow.ts';
import { StandsStill, whileItMoves } from './stands-still.ts';
import type { World } from './world.ts';

const say = (words: string) => process.stdout.write(`chaos: ${words}\n`);

interface Played {
  readonly flows: readonly PlayedFlow[];
  /** What could not be played to its end. */
  readonly wrong: readonly string[];
}

/**
 * Each lane plays flows one after another, all of them at one locker. When one stands still no further one is begun: the
 * others may stand still too, each after minutes.
 */
async function playAll(
  world: World,
  { seed, flows: planned }: Plan,
  progress: Progress,
  lanes: number,
): Promise<Played> {
  const people = await PatientPeople.at(world.serviceAddress, world.database);
  const flows = new LockerFlows(world.client);
  // One for all lanes: each takes the next.
  const left = planned.entries();
  const [played, wrong]: [PlayedFlow[], string[]] = [[], []];
  let standsStill = false;
  const lane = async (number: number): Promise<void> => {
    let pupUid: string | undefined;
    for (const [index, flow] of left) {
      if (standsStill) return;
      if (pupUid === undefined) {
        pupUid = `pup-${number}-${index}`;
        await people.newPickUpPoint(pupUid, 1);
      }
      const key = `chaos-${seed}-${index}`;
      const player = { flows, people, progress, pupUid };
      const watched = { ...player, client: world.client, twice: world.twice, workflowId: key };
      try {
        played.push(await whileItMoves(watched, (attempt) => playFlow(player, key, flow, attempt)));
        await clearAway(player);
      } catch (error) {
        standsStill ||= error instanceof StandsStill;
        wrong.push(`${flow.story.title} (${key}): ${error}`);
        // What is wrong there is not to befall the flows after it.
        pupUid = undefined;
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
  progress.end();
  return { flows: played, wrong };
}

async function untilOutboxIsEmpty({ database, twice }: World): Promise<void> {
  await untilDone(async () => {
    const pending = await database.selectFrom('callback_queue').select('shipment_id').limit(1).execute();
    if (pending.length > 0) throw new Error('callbacks are still to be delivered');
  });
  await twice.finish();
}

async function allThatIsWrong(world: World, flows: readonly PlayedFlow[]): Promise<string[]> {
  const endedByThemselves = Object.entries(world.components).flatMap(([name, component]) =>
    component.endedByItself.map((words) => `the ${name} ended by itself: ${words}`),
  );
  return [
    ...flows.flatMap(wrongEnd),
    ...endedByThemselves,
    ...(await wrongInStore(world)),
    ...(await wrongInReportHistories(world, flows)),
    ...(await wrongInUnmatched(world, flows)),
  ];
}

/** `lanes`: how many flows are open at a time. */
export async function playPlan<Components extends string, Links extends string>(
  plan: Plan<Components, Links>,
  lanes: number,
  startWorld: (plan: Plan) => Promise<World<Components, Links>>,
): Promise<void> {
  say(`CHAOS_SEED=${plan.seed}: ${plan.flows.length} flows in ${plan.steps} steps`);
  const begun = performance.now();
  const seconds = () => Math.round((performance.now() - begun) / 1_000);
  await using world = await startWorld(plan);
  say(`all is up after ${seconds()} s; the logs are in ${world.folder}, and stay there if anything is wrong`);
  const progress = new Progress();
  const disturbing = disturb(world, plan, progress);
  // Told below; before that it may fail at any time.
  disturbing.catch(() => undefined);
  const { flows, wrong } = await playAll(world, plan, progress, lanes);
  // A flow that was given up goes on when it likes: what it leaves is not to be waited for.
  expect([...wrong, ...flows.flatMap(wrongEnd)].join('\n')).toBe('');
  const { kills, faults } = await disturbing;
  await calm(world);
  await untilOutboxIsEmpty(world);
  const { acknowledged, repeated } = world.twice;
  say(
    `${flows.length} flows ended in ${seconds()} s; killed ${JSON.stringify(kills)}; ${faults} faults of the network; ${acknowledged.length} callbacks acknowledged, ${repeated} sent once more`,
  );
  expect([...wrong, ...(await allThatIsWrong(world, flows))].join('\n')).toBe('');
  expect(Object.values(kills).reduce((sum, each) => sum + each, 0)).toBe(plan.kills.length);
  expect(faults).toBe(plan.faults.length);
  await world[Symbol.asyncDispose]();
  await rm(world.folder, { recursive: true });
}
