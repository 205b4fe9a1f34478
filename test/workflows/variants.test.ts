// Callbacks come twice, late, in another order, with unknown states, or not at all: the result is the same. Plays every
// story in every such variant, for our own service and for a bare vendor.
import { beforeAll, describe, expect, test } from 'vitest';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import type { FlowResult } from '../../contract/flows/flow-result.ts';
import type { Booked } from '../../flows/booking/activities.ts';
import { Outside, reportOf } from './outside.ts';
import { Playing } from './playing.ts';
import { requestOf, type Story, stories } from './stories.ts';

interface Recorded {
  readonly request: object;
  readonly booked: Booked;
  readonly reports: readonly ShipmentReport[];
  /** How many of the reports came before the answer to the booking. */
  readonly early: number;
  /** The further reports of a service that also reports each shipment when it is made. */
  readonly created: readonly ShipmentReport[];
}

/** Plays the story once, with a quarter of an hour between actions. */
async function recorded(story: Story, isBare: boolean): Promise<Recorded> {
  let moment = Date.now();
  const outside = new Outside({ isBare });
  outside.now = () => new Date(moment);
  const request = await requestOf(story, outside);
  const before = outside.sent.length;
  let booked: Booked | undefined;
  const { book } = outside.activities;
  const playing = new Playing(
    story.flow,
    { request },
    {
      book: async (input) => {
        booked = await book(input);
        return booked;
      },
    },
  );
  await playing.answer();
  const early = outside.sent.length - before;
  const made = new Date(moment).toISOString().replace('Z', '');
  const created = [...outside.roles.values()]
    .filter((uid) => uid !== request.priorShipmentUid)
    .map((uid) => reportOf(uid, outside.stateOf(uid), made));
  for (const [role, action] of story.actions) {
    moment += 900_000;
    await outside.does(outside.uid(role), action);
  }
  if (!booked) throw new TypeError('nothing was booked');
  return { request, booked, reports: outside.sent.slice(before), early, created };
}

type Reported = Pick<ShipmentReport, 'shipmentUid' | 'stateCode' | 'stateStart'>;

interface Variant {
  readonly kind: string;
  /** The index of the callback that comes wrong. */
  readonly index: number;
  readonly reports: readonly ShipmentReport[];
  readonly early: number;
}

function variantsOf({ reports, early, created }: Recorded): Variant[] {
  const each = (kind: string, change: (report: ShipmentReport, index: number) => Partial<Variant>) =>
    reports.map((report, index) => ({
      kind,
      index,
      reports,
      early,
      ...change(report, index),
    }));
  const last = reports.at(-1);
  return [
    { kind: 'as it is', index: 0, reports, early },
    {
      kind: 'all twice',
      index: 0,
      reports: reports.flatMap((report) => [report, report]),
      early: early * 2,
    },
    ...each('twice', (report, index) => ({ reports: reports.toSpliced(index, 0, report) })),
    ...each('overtaken', (report, index) => ({
      reports: reports.toSpliced(index, 1).toSpliced(index + 1, 0, report),
    })),
    ...each('lost, and reported by the reconciler', (report, index) => ({
      reports: [...reports.toSpliced(index, 1), { ...report, source: 'reconciler' as const }],
      early: index < early ? early - 1 : early,
    })),
    ...each('beside an unknown state', ({ shipmentUid }, index) => ({
      reports: reports.toSpliced(index, 0, reportOf(shipmentUid, 'Quarantined', null)),
    })),
    ...each('repeated much later', (report) => ({
      reports: [...reports.slice(0, -1), report, ...(last ? [last] : [])],
    })),
    {
      kind: 'with a callback on creation, before the answer',
      index: 0,
      reports: [...created, ...reports],
      early: early + created.length,
    },
    {
      kind: 'with a callback on creation',
      index: 0,
      reports: [...reports.slice(0, early), ...created, ...reports.slice(early)],
      early,
    },
  ];
}

/** The report history keeps reports with different keys as different entries. */
const keyOf = ({ shipmentUid, stateCode, stateStart }: Reported) =>
  `${shipmentUid} ${stateCode} ${stateStart}`;
const kept = (reportHistory: readonly Reported[]) => [...new Set(reportHistory.map(keyOf))];

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
  return { ending, emitted, calls, reportHistory: progress.reportHistory, phase: progress.phase };
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
        expect(kept(run.reportHistory), name).toEqual(expect.arrayContaining(kept(asItIs.reportHistory)));
        expect(kept(run.reportHistory).length, name).toBe(new Set(variant.reports.map(keyOf)).size);
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
