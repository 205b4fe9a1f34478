// Flows cancelled in each state that people can leave them in, with everything real: nothing of them stays on the wall,
// nothing of others goes from it, whether or not the flow knows which of its shipments is which. A sixth of the states
// with each vendor in the short form, another sixth with the other one; all of them in the long form.
import { describe, expect, test } from 'vitest';
import { FlowCancelled } from '../../client/flow-errors.ts';
import { untilDelivered } from '../service/callbacks/support.ts';
import { spreadOf } from '../support/form.ts';
import { parkedForGood } from '../support/parked-for-good.ts';
import { bareVendor, ourService } from './installation.ts';
import { Play } from './play.ts';
import { type Story, stories, storyOf } from './stories.ts';
import { useInstallation } from './use-installation.ts';

/** Being cancelled is the only end that a kept-booked locker has. */
const isKept = ({ request }: Story) => request.keepBookedAfterPickUp === true;
const moments = stories
  .filter((story) => !isKept(story))
  .flatMap((story) => story.deeds.map((_, deeds) => ({ title: story.title, story, deeds })));

const isNew = (link: unknown) => link !== 'prior';
const hasSeveral = ({ legs }: Story) => Object.values(legs).filter(isNew).length > 1;

describe.each([
  { name: 'our service', vendor: ourService, setsReferences: true, cancelled: spreadOf(moments, 6, 0) },
  {
    // Nothing tells which shipment is which but what happens to it.
    name: 'a bare vendor and no references',
    vendor: bareVendor,
    setsReferences: false,
    cancelled: spreadOf(moments, 6, 3),
  },
])('with $name', ({ vendor, setsReferences, cancelled }) => {
  const installation = useInstallation(vendor, { means: { setsReferences } });

  test.concurrent.each(cancelled)(
    '$title is undone when it is cancelled after $deeds deeds',
    async (moment) => {
      const { story, deeds } = moment;
      const play = await Play.begin({ installation: installation(), story });
      await play.doAll(story.deeds.slice(0, deeds));
      if (deeds === 0)
        expect((await play.untilFollowed()).unassigned.length > 0).toBe(!setsReferences && hasSeveral(story));
      await play.handle.cancel();
      await expect(play.handle.result()).rejects.toThrow(FlowCancelled);
      const { activity, itemsLeft } = await play.handle.progress();
      expect(activity).toBe('Ended');
      await play.expectUndone(itemsLeft);
    },
  );

  test('a kept-booked flow that is cancelled is done, and leaves its locker as it was', async () => {
    const play = await Play.begin({
      installation: installation(),
      story: storyOf('CollectOnly kept booked for the dispatcher'),
    });
    await play.untilBooked();
    await play.handle.cancel();
    const { outcome, itemsLeft } = await play.handle.result();
    expect(outcome).toBe('Done');
    expect(itemsLeft).toEqual([]);
    await play.expectUndone(itemsLeft);
  });

  test('no callback of cancelled shipments stays parked', async () => {
    const { client, taskQueue, service, received } = installation();
    await untilDelivered(service);
    expect(received.length).toBeGreaterThan(cancelled.length);
    expect(await parkedForGood(client, taskQueue)).toEqual([]);
  });
});
