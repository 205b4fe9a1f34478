// What an activity that a history has scheduled calls, or delivers: from its name, its input and its summary.
import type { LockerApiCall } from '../../activities/flow-file-activities.ts';
import type { AccountOperation } from '../../contract/flows/account-operations.ts';
import { titleIn } from '../../flows/language/item-title.ts';
import { type Decode, fieldOf, type Of } from './history-event.ts';
import type { CallData } from './timeline-data.ts';

/** These name in their input what they call, or deliver. */
const namedCalls: ReadonlySet<string> = new Set(['callConnector', 'callLockerApi', 'book', 'emitEvent']);

export async function callIn(
  { activityType, input }: Of<'activityTaskScheduledEventAttributes'>,
  summary: string | undefined,
  decode: Decode,
): Promise<CallData> {
  const activity = activityType?.name ?? 'unknown';
  const isNamed = namedCalls.has(activity);
  const given = isNamed ? await decode(input?.payloads?.[0]) : null;
  if (activity === 'emitEvent')
    return {
      activity,
      id: null,
      connector: fieldOf(given, 'to'),
      operation: null,
      event: fieldOf(given, 'type') ?? 'unknown',
    };
  const connector = fieldOf(given, 'connector');
  // The id is not in the input; the name of the call begins with it.
  const id = connector === null ? null : (summary?.split(':')[0] ?? null);
  const itemTitle = isNamed && summary !== undefined ? titleIn(summary) : undefined;
  return {
    activity,
    id,
    connector,
    operation: fieldOf(given, 'operation'),
    ...fieldsIn(given),
    ...(itemTitle !== undefined && { itemTitle }),
  };
}

/** The values are of a person. */
function fieldsIn(call: unknown): Pick<CallData, 'fields'> {
  const { operation, request } = (call ?? {}) as Partial<LockerApiCall>;
  const { fields } = request ?? {};
  const isNamed = operation === ('SetAccount' satisfies AccountOperation) && Array.isArray(fields);
  return isNamed ? { fields: fields.map(String) } : {};
}
