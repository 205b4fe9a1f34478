// The ways in which the callbacks of a story can come wrong: twice, late, in another order, with unknown states, or not at
// all. The callbacks of the outside are recorded once, and each variant sends them again.
import type { Booked } from '../../activities/flow-activities.ts';
import type { ShipmentReport } from '../../contract/flows/flow-messages.ts';
import { Outside, reportOf } from './outside.ts';
import { Playing } from './playing.ts';
import { requestOf, type Story } from './stories.ts';

export interface Recorded {
  readonly request: object;
  readonly booked: Booked;
  readonly reports: readonly ShipmentReport[];
  /** How many of the reports came before the answer to the booking. */
  readonly early: number;
  /** The further reports of a service that also reports each shipment when it is made. */
  readonly created: readonly ShipmentReport[];
}

/** Plays the story once, with a quarter of an hour between actions. */
export async function recorded(story: Story, isBare: boolean): Promise<Recorded> {
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

export type Reported = Pick<ShipmentReport, 'shipmentUid' | 'stateCode' | 'stateStart'>;

export interface Variant {
  readonly kind: string;
  /** The index of the callback that comes wrong. */
  readonly index: number;
  readonly reports: readonly ShipmentReport[];
  readonly early: number;
}

export function variantsOf({ reports, early, created }: Recorded): Variant[] {
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

/** The ledger keeps reports with different keys as different entries. */
export const keyOf = ({ shipmentUid, stateCode, stateStart }: Reported) =>
  `${shipmentUid} ${stateCode} ${stateStart}`;
export const kept = (ledger: readonly Reported[]) => [...new Set(ledger.map(keyOf))];
