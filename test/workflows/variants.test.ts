// Callbacks come twice, late, overtaken, with states that nobody knows, or not at all: the result is the same.
// Every story, for our own service and for a bare one, in every such variant.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Booked } from '../../activities/flow-activities.ts';
import type { ShipmentReport } from '../../contract/flow-messages.ts';
import type { FlowResult } from '../../contract/flow-result.ts';
import { Outside, reportOf } from './outside.ts';
import { Playing } from './playing.ts';
import { requestOf, type Story, stories } from './stories.ts';

interface Recorded {
  readonly request: object;
  readonly booked: Booked;
  readonly reports: readonly ShipmentReport[];
  /** So many of the reports came before the booking was answered. */
  readonly early: number;
}

/** Plays the outside once, a quarter of an hour between deeds. */
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
  for (const [role, deed] of story.deeds) {
    moment += 900_000;
    await outside.does(outside.uid(role), deed);
  }
  if (!booked) throw new TypeError('nothing was booked');
  return { request, booked, reports: outside.sent.slice(before), early };
}

type Reported = Pick<ShipmentReport, 'shipmentUid' | 'stateCode' | 'stateStart'>;

interface Variant {
  readonly name: string;
  readonly reports: readonly ShipmentReport[];
  readonly early: number;
}

function variantsOf({ reports, early, booked }: Recorded): Variant[] {
  const each = (name: string, change: (report: ShipmentReport, index: number) => Partial<Variant>) =>
    reports.map((report, index) => ({ name: `${name} ${index}`, reports, early, ...change(report, index) }));
  const last = reports.at(-1);
  return [
    { name: 'as it is', reports, early },
    { name: 'all twice', reports: reports.flatMap((report) => [report, report]), early: early * 2 },
    ...each('twice', (report, index) => ({ reports: reports.toSpliced(index, 0, report) })),
    ...each('overtaken', (report, index) => ({
      reports: reports.toSpliced(index, 1).toSpliced(index + 1, 0, report),
    })),
    ...each('lost, and told by the reconciler', (report, index) => ({
      reports: [...reports.toSpliced(index, 1), { ...report, source: 'reconciler' as const }],
      early: index < early ? early - 1 : early,
    })),
    ...each('beside an unknown state', ({ shipmentUid }, index) => ({
      reports: reports.toSpliced(index, 0, reportOf(shipmentUid, 'Quarantined', null)),
    })),
    ...each('told again much later', (report) => ({
      reports: [...reports.slice(0, -1), report, ...(last ? [last] : [])],
    })),
    {
      name: 'with a callback on creation',
      reports: [
        ...reports.slice(0, early),
        ...booked.shipments.flatMap(({ shipmentUid, stateCode, stateStart }) =>
          stateCode ? [reportOf(shipmentUid, stateCode, stateStart)] : [],
        ),
        ...reports.slice(early),
      ],
      early,
    },
  ];
}

async function played(story: Story, { request, booked }: Recorded, { reports, early }: Variant) {
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
  for (const report of reports.slice(0, early)) playing.hear(report);
  await playing.answer();
  for (const report of reports.slice(early)) playing.hear(report);
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
      asItIs = await played(story, record, { name: '', reports, early });
    });

    test('it ends as done with every role known, once its callbacks have come', () => {
      const { result } = asItIs.ending as { result: FlowResult };
      expect(result).toMatchObject({ outcome: 'Done', itemsLeft: isKept(story) ? [{}] : [], unassigned: [] });
      expect(asItIs).toMatchObject({ emitted: [], calls: ['book'] });
    });

    test('it comes to the same in every variant of its callbacks', async () => {
      for (const variant of variantsOf(record)) {
        const run = await played(story, record, variant);
        expect({ variant: variant.name, ending: run.ending, calls: run.calls, emitted: run.emitted }).toEqual(
          {
            variant: variant.name,
            ending: asItIs.ending,
            calls: asItIs.calls,
            emitted: [],
          },
        );
        expect(kept(run.ledger), variant.name).toEqual(expect.arrayContaining(kept(asItIs.ledger)));
        expect(kept(run.ledger).length, variant.name).toBe(new Set(variant.reports.map(keyOf)).size);
      }
    });

    test('no prefix of its callbacks ends it', async () => {
      const { reports, early } = record;
      for (let count = early; count < reports.length; count++) {
        const run = await played(story, record, { name: '', reports: reports.slice(0, count), early });
        expect(run.ending).toBeUndefined();
      }
    });
  });
});

const keyOf = ({ shipmentUid, stateCode, stateStart }: Reported) =>
  `${shipmentUid} ${stateCode} ${stateStart}`;
const kept = (ledger: readonly Reported[]) => [...new Set(ledger.map(keyOf))];

/** A kept-booked locker may hold an item when it is cancelled (decisions §3, an item left behind). */
const isKept = ({ request }: Story) => request?.keepBookedAfterPickUp === true;
