// A deadline that passes in each state that people can leave a flow in: what is booked is undone, the wall is as it was
// but for what lies in it, and the result tells that. With each vendor a sixth of the states in the short form, all of them
// in the long form.
import { describe, expect, test } from 'vitest';
import type { Role } from '../../contract/flows/flow-input.ts';
import { flowRules } from '../../contract/flows/flow-rules.ts';
import { spreadOf } from '../support/form.ts';
import { bareVendor, ourService, type Vendor } from './installation.ts';
import { Play } from './play.ts';
import { stories } from './stories.ts';
import { useInstallation } from './use-installation.ts';

/** What is waited for when that is what somebody has to do next, if it can have a deadline. */
const waits = stories
  // How a prior comes to begin changes nothing of how it is undone.
  .filter(({ deeds }) => deeds.every(([role]) => role !== 'former'))
  .filter(({ request }) => request.keepBookedAfterPickUp !== true)
  .flatMap((story) =>
    story.deeds.flatMap(([role, deed], deeds) => {
      const pair = { role, stage: deed === 'setReceiver' ? 'receiver' : deed };
      const isDeadline = flowRules[story.flow].deadlines.some(
        (each) => each.role === pair.role && each.stage === pair.stage,
      );
      return isDeadline ? [{ story, deeds, ...pair, role: role as Role, title: story.title }] : [];
    }),
  );

const waitsOfOverdue = (vendor: Vendor) =>
  vendor === ourService ? spreadOf(waits, 6, 0) : spreadOf(waits.filter(isTold), 6, 3);

/** Where nobody can be asked, only a callback tells a new shipment's role, or the state of a prior: nothing has begun before. */
function isTold({ story: { legs }, deeds, stage }: (typeof waits)[number]): boolean {
  const isOneNewShipment = Object.values(legs).length === 1 && !Object.values(legs).includes('prior');
  return deeds > 0 || stage !== 'dropOff' || isOneNewShipment;
}

describe.each([ourService, bareVendor])('with $name', (vendor) => {
  const installation = useInstallation(vendor);

  test.concurrent.each(waitsOfOverdue(vendor))(
    '$title is undone when the $stage of its $role is overdue',
    async ({ story, deeds, role, stage }) => {
      const input = { deadlines: { [role]: { [stage]: 'PT1S' } }, onOverdue: 'cancel' };
      const play = await Play.begin({ installation: installation(), story, input });
      await play.doAll(story.deeds.slice(0, deeds));
      const result = await play.handle.result();
      expect(result).toMatchObject({ outcome: 'Overdue', overdue: [{ role, stage }] });
      await play.expectUndone(result.itemsLeft);
    },
  );
});

describe('with a bare vendor', () => {
  const installation = useInstallation(bareVendor);

  test.concurrent.each(
    spreadOf(
      waits.filter((wait) => !isTold(wait)),
      6,
    ),
  )(
    '$title is not overdue before it knows that the $stage of its $role has begun',
    async ({ story, role, stage }) => {
      const input = { deadlines: { [role]: { [stage]: 'PT0.001S' } }, onOverdue: 'cancel' };
      const play = await Play.begin({ installation: installation(), story, input });
      expect((await play.untilFollowed()).deadlines).toEqual([]);
      await play.doAll();
      await play.expectDone();
    },
  );
});
