// A deadline that passes in each state that people can leave a flow in: what is booked is undone, the wall is as it was
// but for what lies in it, and the result tells that.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Role } from '../../contract/flow-input.ts';
import { flowRules } from '../../contract/flow-rules.ts';
import { wrongInDatabase } from '../support/stored-invariants.ts';
import { type Installation, ourService, startInstallation } from './installation.ts';
import { Play } from './play.ts';
import { stories } from './stories.ts';

/** What is waited for when that is what somebody has to do next, if it can have a deadline. */
const waits = stories
  // How a prior comes to begin changes nothing of how it is undone.
  .filter(({ deeds }) => deeds.every(([role]) => role !== 'former'))
  .filter(({ request }) => !('keepBookedAfterPickUp' in request && request.keepBookedAfterPickUp === true))
  .flatMap((story) =>
    story.deeds.flatMap(([role, deed], deeds) => {
      const pair = { role, stage: deed === 'setReceiver' ? 'receiver' : deed };
      const isDeadline = flowRules[story.flow].deadlines.some(
        (each) => each.role === pair.role && each.stage === pair.stage,
      );
      return isDeadline ? [{ story, deeds, ...pair, role: role as Role, title: story.title }] : [];
    }),
  );

let installation: Installation;
beforeAll(async () => {
  installation = await startInstallation(ourService);
});
afterAll(async () => {
  expect(await wrongInDatabase(installation.service.database)).toEqual([]);
  await installation[Symbol.asyncDispose]();
});

test.concurrent.each(waits)('$title is undone when the $stage of its $role is overdue', async (wait) => {
  const { story, deeds, role, stage } = wait;
  const input = { deadlines: { [role]: { [stage]: 'PT1S' } }, onOverdue: 'cancel' };
  const play = await Play.begin({ installation, story, input });
  await play.doAll(story.deeds.slice(0, deeds));
  const result = await play.handle.result();
  expect(result).toMatchObject({ outcome: 'Overdue', overdue: [{ role, stage }] });
  const left = await play.stored();
  const isGivenBack = (each: Role) => story.legs[each] === 'prior' && left.get(each)?.toUserUid === null;
  for (const [each, { stateCode }] of left) {
    const isLeftToItsFlow = story.flow === 'StockAfterSwapIntake' && each === 'intake';
    if (!isGivenBack(each) && !isLeftToItsFlow)
      expect([each, stateCode]).toEqual([each, expect.stringMatching(/^(Cancelled|Completed)$/)]);
  }
  expect(result.itemsLeft).toEqual(await play.itemsLeft());
});
