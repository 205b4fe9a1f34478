// The flow file on which a process began, as its history has it: its start has brought it, or a marker has what it fetched.
import type { FlowFileActivities } from '../../activities/flow-file-activities.ts';
import type { Decode, HistoryEvent } from './history-event.ts';

const FETCH: keyof FlowFileActivities = 'fetchFlowDefinition';

interface AboutFetching {
  readonly activity_type?: string;
  readonly complete_time?: NonNullable<HistoryEvent['eventTime']>;
}

export interface FileAtStart {
  /** What cannot be decoded is none. */
  readonly published: unknown;
  /** When it was fetched. */
  readonly fetchedAt?: AboutFetching['complete_time'];
}

/** Undefined: the event has none. */
export async function fileAtStartIn(event: HistoryEvent, decode: Decode): Promise<FileAtStart | undefined> {
  const { workflowExecutionStartedEventAttributes: started, markerRecordedEventAttributes: marker } = event;
  // After its input, and what a run hands over to the next.
  const brought = started?.input?.payloads?.[2];
  if (brought) return { published: await decode(brought) };
  const { data, result } = marker?.details ?? {};
  const [fetched] = result?.payloads ?? [];
  if (!fetched) return undefined;
  const about = (await decode(data?.payloads?.[0])) as AboutFetching | null;
  const isOther = about?.activity_type !== undefined && about.activity_type !== FETCH;
  return isOther ? undefined : { published: await decode(fetched), fetchedAt: about?.complete_time };
}
