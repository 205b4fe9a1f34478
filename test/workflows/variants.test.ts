// Callbacks come twice, late, in another order, with unknown states, or not at all: the result is the same. Plays every
// story in every such variant, for our own service and for a bare vendor.
import { beforeAll, describe, expect, test } from 'vitest';
import type { FlowResult } from '../../contract/flows/flow-answers.ts';
import { kept, keyOf, type Recorded, recorded, type Variant, variantsOf } from './callback-variants.ts';
import { Playing } from './playing.ts';
import { type Story, stories } from './stories.ts';

async function played(
  story: Story,
  { request, booked }: Recorded,
  { reports, early }: Pick<Variant, 'reports' | 'early'>,
) {
  const calls: string[] = [];
  const playing = new Playing(
    story.flow,
    { request },
    {
      book: async () => {
        calls.push('book');
        return booked;
      },
    },
  );
  for (const report of reports.slice(0, early)) playing.receive(report);
  await playing.answer();
  for (const report of reports.slice(early)) playing.receive(report);
  await playing.answer();
  const { ending, emitted, progress } = playing;
  return { ending, emitted, calls, ledger: progress.ledger, phase: progress.phase };
}

describe.each([{ isBare: false }, { isBare: true }])('with a peer that is bare: $isBare', ({ isBare }) => {
  describe.each(stories)('$flow', (story) => {
    let record: Recorded;
    let asItIs: Awaited<ReturnType<typeof played>>;

    beforeAll(async () => {
      record = await recorded(story, isBare);
      const { reports, early } = record;
      asItIs = await played(story, record, { reports, early });
    });

    test('it ends as done with every role known, once its callbacks have come', () => {
      const { result } = asItIs.ending as { result: FlowResult };
      expect(result).toMatchObject({ outcome: 'Done', itemsLeft: [], unassigned: [] });
      expect(asItIs).toMatchObject({ emitted: [], calls: ['book'] });
    });

    test('it ends the same in every variant of its callbacks', async () => {
      for (const variant of variantsOf(record)) {
        const run = await played(story, record, variant);
        const name = `${variant.kind} ${variant.index}`;
        expect({ variant: name, ending: run.ending, calls: run.calls, emitted: run.emitted }).toEqual({
          variant: name,
          ending: asItIs.ending,
          calls: asItIs.calls,
          emitted: [],
        });
        expect(kept(run.ledger), name).toEqual(expect.arrayContaining(kept(asItIs.ledger)));
        expect(kept(run.ledger).length, name).toBe(new Set(variant.reports.map(keyOf)).size);
      }
    });

    test('no prefix of its callbacks ends it', async () => {
      const { reports, early } = record;
      for (let count = early; count < reports.length; count++) {
        const run = await played(story, record, { reports: reports.slice(0, count), early });
        expect(run.ending).toBeUndefined();
      }
    });
  });
});
