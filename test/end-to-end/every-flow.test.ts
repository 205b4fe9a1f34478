// Every flow from its start to its result, from each state that its prior may have, with everything real: against our own
// service with and without extra fields in callbacks, and against a vendor that has exactly the interface. `npm test` plays the
// shortest story of each flow at our own service, and a few at the bare vendor. What they take and tell is as
// docs/flow-schemas.json says.
import { afterAll, describe, test } from 'vitest';
import { isRecording, recordExamples } from '../contract/flow-schemas/said-by-flows.ts';
import { isLongSuite } from '../support/suite.ts';
import { bareVendor, ourService, ourServiceWithoutExtraFields } from './installation.ts';
import { Play } from './play.ts';
import { stories, storyOf } from './stories.ts';
import { useInstallation } from './use-installation.ts';

afterAll(recordExamples);

const inOrder = stories.toSorted((one, other) => other.steps.length - one.steps.length);
const shortestOfEachFlow = [...new Map(inOrder.map((story) => [story.flow, story])).values()];
const everyStory = isLongSuite || isRecording;

const plays = [
  { vendor: ourService, played: everyStory ? stories : shortestOfEachFlow },
  { vendor: ourServiceWithoutExtraFields, played: isLongSuite && !isRecording ? stories : [] },
  { vendor: bareVendor, played: everyStory ? stories : ['Issue', 'IntakeAndCircularStock'].map(storyOf) },
]
  .filter(({ played }) => played.length > 0)
  .map((play) => ({ ...play, name: play.vendor.name }));

describe.each(plays)('with $name', ({ vendor, played }) => {
  const installation = useInstallation(vendor);

  test.concurrent.each(played)('$title ends as its story says', async (story) => {
    const play = await Play.begin({ installation: installation(), story });
    // An example shows a flow that follows its shipments.
    if (isRecording) await play.untilFollowed();
    await play.doAll();
    await play.progress();
    await play.expectDone();
  });
});
