// Every flow from its start to its result, from each state that its prior may have, with everything real: against our own
// service with and without extra fields in callbacks, and against a vendor that has exactly the interface. In the short form
// the last two play each second one, in turn. What they take and tell is as docs/flow-schemas.json says.
import { afterAll, describe, test } from 'vitest';
import { isRecording, recordExamples } from '../contract/flow-schemas/said-by-flows.ts';
import { spreadOf } from '../support/suite.ts';
import { bareVendor, ourService, ourServiceWithoutExtraFields } from './installation.ts';
import { Play } from './play.ts';
import { stories } from './stories.ts';
import { useInstallation } from './use-installation.ts';

afterAll(recordExamples);

const vendors = [ourService, ...(isRecording ? [] : [ourServiceWithoutExtraFields]), bareVendor];

describe.each(vendors)('with $name', (vendor) => {
  const installation = useInstallation(vendor);

  const played =
    vendor === ourService || isRecording ? stories : spreadOf(stories, 2, vendor === bareVendor ? 0 : 1);

  test.concurrent.each(played)('$title ends as its story says', async (story) => {
    const play = await Play.begin({ installation: installation(), story });
    // An example shows a flow that follows its shipments.
    if (isRecording) await play.untilFollowed();
    await play.doAll();
    await play.progress();
    await play.expectDone();
  });
});
