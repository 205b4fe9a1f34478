// Every flow from its start to its result, from each state that its prior may have, with everything real: against our own
// service with and without extra fields in callbacks, and against a vendor that has exactly the interface. `npm test` plays the
// shortest story of each flow at our own service, and a few at the basic service. What they take and tell is as
// docs/flow-schemas.json says.
import { afterAll, describe, test } from 'vitest';
import { isRecording, recordExamples } from '../contract/flow-schemas/said-by-flows.ts';
import { basicService, ourService, ourServiceWithoutExtraFields } from './installation.ts';
import { Play } from './play.ts';
import { type Story, stories, storyOf } from './stories.ts';
import { useInstallation } from './use-installation.ts';

afterAll(recordExamples);

const inOrder = stories.toSorted((one, other) => other.steps.length - one.steps.length);
const shortestOfEachFlow = [...new Map(inOrder.map((story) => [story.flow, story])).values()];
/** What `npm test` plays at each; the long suite plays all. */
const plays = [
  { vendor: ourService, often: shortestOfEachFlow },
  { vendor: ourServiceWithoutExtraFields, often: [] },
  { vendor: basicService, often: ['Issue', 'IntakeAndCircularStock'].map(storyOf) },
]
  .filter(({ vendor }) => !isRecording || vendor !== ourServiceWithoutExtraFields)
  .map((play) => ({ ...play, name: play.vendor.name }));

describe.each(plays)('with $name', ({ vendor, often }) => {
  const installation = useInstallation(vendor);
  const endsAsTold = async (story: Story) => {
    const play = await Play.begin({ installation: installation(), story });
    // An example shows a flow that follows its shipments.
    if (isRecording) await play.untilFollowed();
    await play.doAll();
    await play.progress();
    await play.expectDone();
  };

  const others = stories.filter((story) => !often.includes(story));
  test.concurrent.each(often)('$title ends as its story says', endsAsTold);
  test.concurrent.each(others)('$title ends as its story says', { tags: 'long' }, endsAsTold);
});
