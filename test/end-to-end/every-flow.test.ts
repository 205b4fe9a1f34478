// Every flow from its start to its result, from each state that its prior may have, with everything real: against our own
// service, and against a vendor that has exactly the interface.
import { describe, test } from 'vitest';
import { bareVendor, ourService } from './installation.ts';
import { Play } from './play.ts';
import { stories } from './stories.ts';
import { useInstallation } from './use-installation.ts';

describe.each([ourService, bareVendor])('with $name', (vendor) => {
  const installation = useInstallation(vendor);

  test.concurrent.each(stories)('$title ends as its story says', async (story) => {
    const play = await Play.begin({ installation: installation(), story });
    await play.doAll();
    await play.expectDone();
  });
});
