// What differs between two versions of a declaration, and what it says of the processes that run, held against what each of the
// recorded processes itself says.
// In a process of its own: the engine adds actions to the machines that it has run.
import { Client, Connection } from '@temporalio/client';
import { expect, onTestFinished, test } from 'vitest';
import { leavesOf } from '../../../engine/defaults.ts';
import type { Declaration } from '../../../flows/built-in/declaration.ts';
import { issue, issueAndSwapIntake } from '../../../flows/built-in/flows.ts';
import { bothCharts } from '../../../flows/language/diff/both-charts.ts';
import { formatDiff, formatStateVerdicts } from '../../../flows/language/diff/format-diff.ts';
import { HistoryPlayer } from '../../../flows/language/simulation/play-history.ts';
import { recordedFlow } from '../../../processes/views/backtest/recorded-process.ts';
import { declarationDiff } from '../../../workflows/comparing/declaration-diff.ts';
import { PlayedFlow } from '../../../workflows/comparing/played-flow.ts';
import { shipmentWorkflow } from '../../../workflows/shipments/shipment-flow.ts';
import { waits } from '../recording/derived-histories.ts';
import { historyOf, recordings } from '../recording/recordings.ts';

const leg = issue.legs.issue;
const changedLeg = (changed: Partial<typeof leg>): Declaration => ({
  ...issue,
  legs: { issue: { ...leg, ...changed } as typeof leg },
});

const edits: Readonly<Record<string, Declaration>> = {
  nothing: issue,
  'a leg is done earlier': changedLeg({ done: ['ReadyForPickup', 'Completed'] as never }),
  'a deadline is no longer taken': changedLeg({ deadlines: ['pickUp'] as never }),
  'a leg is left to others': changedLeg({ undo: 'leave' as never }),
  'a leg is added': { ...issue, legs: { ...issue.legs, intake: issueAndSwapIntake.legs.intake } },
};

test('it names the fields of the declaration that differ, and draws both charts in one', () => {
  const { 'a leg is done earlier': earlier = issue, 'a leg is added': added = issue } = edits;
  const diff = declarationDiff(issue, { ...earlier, meaning: 'Brings an item to a user.' });
  expect(formatDiff(diff).split('\n')).toEqual([
    'Issue: 2 changes',
    '  ~ the flow',
    expect.stringMatching(/^ {6}~ meaning .* -> Brings an item to a user\.$/),
    '  ~ issue',
    '      ~ done ["Completed"] -> ["ReadyForPickup","Completed"]',
  ]);
  expect(JSON.stringify(bothCharts(diff.charts))).toContain('"mark":"changed"');
  const { changes, charts, states } = declarationDiff(issue, added);
  expect(formatDiff({ flow: 'Issue', changes })).toBe('Issue: 1 change\n  + intake added');
  expect(JSON.stringify(bothCharts(charts))).toContain('"mark":"added"');
  expect(declarationDiff(added, issue).changes).toMatchObject([
    { part: 'leg', how: 'removed', state: 'intake' },
  ]);
  expect(states.length).toBeGreaterThan(10);
});

test('the same declaration differs in nothing, and everybody is carried', () => {
  const { changes, states } = declarationDiff(issue, issue);
  expect(changes).toEqual([]);
  expect(formatStateVerdicts(states).split('\n').length).toBe(2);
  expect(new Set(states.map(({ verdict }) => verdict))).toEqual(new Set(['carried']));
});

// It only reads payloads.
const client = new Client({ connection: Connection.lazy() });
const waiting = (await recordings())
  .filter(({ name }) => name.startsWith('Issue@1/'))
  .flatMap(({ name, recording }) =>
    waits(historyOf(recording).events).map(({ open }, index) => ({
      name: `${name} ${index}`,
      key: recording.workflowId,
      runs: [open],
    })),
  );

/** Each look at the clock of the machine shows a later time: what is played must not look at it. */
function letClockRun(): void {
  const real = globalThis.Date;
  let looks = 0;
  const now = () => real.now() + 1_000 * ++looks;
  globalThis.Date = class extends real {
    constructor(...given: readonly unknown[]) {
      super(...((given.length > 0 ? given : [now()]) as [number]));
    }

    static override now = now;
  } as DateConstructor;
  onTestFinished(() => {
    globalThis.Date = real;
  });
}

test.each(Object.entries(edits))(
  '%s: whoever is in a state that is carried says so itself',
  async (_, changed) => {
    letClockRun();
    const { states } = declarationDiff(issue, changed);
    const verdicts = new Map(states.map(({ state, verdict }) => [state, verdict]));
    const { definitions } = shipmentWorkflow({ 1: issue, 2: changed });
    let carried = 0;
    for (const { name, key, runs } of waiting) {
      const recorded = await recordedFlow(client, { key, runs });
      const player = new HistoryPlayer(recorded, new PlayedFlow(recorded, definitions[1]?.() as never, 1));
      player.play();
      const { value, isOpen } = player.standing as { readonly value: unknown; readonly isOpen: boolean };
      const isCarried = leavesOf(value).every((state) => verdicts.get(state) === 'carried');
      if (!isOpen || !isCarried) continue;
      carried += 1;
      expect([name, player.migrate({ version: 2 }, {})]).toEqual([name, true]);
    }
    expect(carried).toBeGreaterThanOrEqual(5);
  },
);
