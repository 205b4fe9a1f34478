// What a process of a flow file has fetched at its start, as the marker of its history has it.
import type { FlowFileActivities } from '../../activities/flow-file-activities.ts';
import type { Decode, HistoryEvent } from './history-event.ts';

const FETCH: keyof FlowFileActivities = 'fetchFlowDefinition';

interface AboutFetching {
  readonly activity_type?: string;
  readonly complete_time?: NonNullable<HistoryEvent['eventTime']>;
}

export interface FetchedFile {
  readonly fetched: unknown;
  readonly completeTime: AboutFetching['complete_time'];
}

/** Undefined: the event is no marker of that. */
export async function fetchedFileIn(
  { markerRecordedEventAttributes: marker }: HistoryEvent,
  decode: Decode,
): Promise<FetchedFile | undefined> {
  const { data, result } = marker?.details ?? {};
  const [fetched] = result?.payloads ?? [];
  if (!fetched) return undefined;
  const about = (await decode(data?.payloads?.[0])) as AboutFetching | null;
  const isOther = about?.activity_type !== undefined && about.activity_type !== FETCH;
  return isOther ? undefined : { fetched: await decode(fetched), completeTime: about?.complete_time };
}
