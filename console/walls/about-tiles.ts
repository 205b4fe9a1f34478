// For whom the lockers of a wall are, what lies there, and until when: as the processes say that have them, else the shipments.
import type { Response } from '../../contract/operations/operations.ts';
import { subjectOfPerson } from '../../flows/language/subjects.ts';
import { commandErrorOf } from '../../processes/outcome.ts';
import { callTemporal } from '../../processes/temporal-context.ts';
import { formatContent } from '../../processes/views/format-item.ts';
import type { FoundFlow } from '../../processes/views/found-flows.ts';
import { newestRunsOf } from '../../processes/views/newest-runs.ts';
import { t } from '../../shared/texts/text.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { deskAccount } from '../people.ts';
import type { ConsoleReaders } from '../readers.ts';
import type { HeldBy, TileAbout, WallLocker } from './walls-view.ts';

type Shipment = Response<'GetShipments'>['items'][number];

export async function aboutTiles(
  parts: Pick<ConsoleParts, 'client' | 'service' | 'shared'>,
  { summaries, subjects }: ConsoleReaders,
  lockers: readonly WallLocker[],
  records: ReadonlyMap<string, Shipment>,
): Promise<Readonly<Record<string, TileAbout>>> {
  const all = lockers.flatMap(({ shipments, leftShipmentUid, leftWorkflowId }): Held[] => [
    ...shipments,
    ...(leftShipmentUid === null ? [] : [{ shipmentUid: leftShipmentUid, workflowId: leftWorkflowId }]),
  ]);
  const [flows, desk] = await Promise.all([flowsOf(parts, all), deskAccount(parts)]);
  const begun = performance.now();
  const open = [...flows.values()].filter(({ status }) => status === 'Running');
  const [abouts, answers] = await Promise.all([
    subjects.of(
      all.map((held) => {
        const { shipmentUid } = held;
        const flow = flows.get(held.workflowId ?? '');
        const shipmentUids = [...new Set([shipmentUid, ...(flow?.shipmentUids ?? [])])];
        return { runId: shipmentUid, subjects: flow?.subjects ?? senderOf(held, desk), shipmentUids };
      }),
    ),
    summaries.current(
      open.map(({ workflowId: key, runId }) => ({ key, runId })),
      performance.now() - begun,
    ),
  ]);
  const entries = all.map(({ shipmentUid, workflowId, isInside = true }) => {
    const { people = [], item = null } = abouts.get(shipmentUid) ?? {};
    const { summary } = answers.get(flows.get(workflowId ?? '')?.runId ?? '') ?? {};
    const { until: at, isOverdue = false, step = null } = summary?.next ?? { until: null };
    const record = records.get(shipmentUid);
    const about: TileAbout = {
      people: people.flatMap(({ name }) => name ?? []),
      item: itemIn(record, item, desk),
      due: at === null ? null : { at, isOverdue, clockAheadMs: summary?.clockAheadMs ?? 0 },
      // While it is being put in, it is still for whoever brings it.
      isForDesk: step === 'deskTakesOut' && isInside,
    };
    return [shipmentUid, about] as const;
  });
  return Object.fromEntries(entries);
}

/**
 * Where the shipment is not described, another one of its process may be: the item is the same, unless it was swapped with it.
 *
 * @param ofCase what the case is known by
 */
export function itemIn(
  record:
    | Pick<Shipment, 'description' | 'referenceNo' | 'referenceCaseNo' | 'swapsShipmentUid' | keyof Parties>
    | undefined,
  ofCase: string | null,
  desk: string | null,
): string | null {
  if (record?.description) return formatContent(record);
  if (!record?.swapsShipmentUid) return ofCase;
  return formatContent(record) ?? (isToDesk(record, desk) ? t`The returned item` : null);
}

type Held = Pick<HeldBy, 'shipmentUid' | 'workflowId'> & Partial<Parties & Pick<HeldBy, 'isInside'>>;
type Parties = Pick<HeldBy, 'fromUserUid' | 'toUserUid'>;

/** Somebody brings it to the desk, and it is for nobody else. */
export const isToDesk = ({ fromUserUid, toUserUid }: Parties, desk: string | null): boolean =>
  fromUserUid !== null && fromUserUid !== desk && (toUserUid === null || toUserUid === desk);

/** What is for the desk is of whoever brings it. */
function senderOf({ fromUserUid = null, toUserUid = null }: Held, desk: string | null): string[] {
  return fromUserUid !== null && isToDesk({ fromUserUid, toUserUid }, desk)
    ? [subjectOfPerson(fromUserUid)]
    : [];
}

/** By key; none where Temporal does not answer: the wall is the service's, and is shown without them. */
async function flowsOf(
  parts: Pick<ConsoleParts, 'client'>,
  held: readonly Held[],
): Promise<ReadonlyMap<string, FoundFlow>> {
  const keys = [...new Set(held.flatMap(({ workflowId }) => workflowId ?? []))];
  return await callTemporal(parts, () => newestRunsOf(parts.client, keys)).catch((error) => {
    if (commandErrorOf(error)) return new Map<string, FoundFlow>();
    throw error;
  });
}
