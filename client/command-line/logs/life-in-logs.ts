// One life in the logs of all processes: every line that names a flow or a shipment, and every line that names one of the
// shipments which those lines name.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

export interface LoggedEvent {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly level: number;
  readonly part: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

export interface Life {
  readonly shipmentUids: readonly string[];
  readonly events: readonly LoggedEvent[];
}

/** The fields of a line by which it is found. docs/operate.md has them. */
const SHIPMENTS = ['shipmentUid', 'shipmentUids', 'claimedShipmentUid'] as const;
const FLOWS = ['workflowId', 'workflowIds', 'caseNumber', 'caseNumbers'] as const;

/** @param key a flow's key, a case number or a shipmentUid */
export async function lifeIn(files: readonly string[], key: string): Promise<Life> {
  const shipmentUids = new Set<string>();
  await forEachEvent(files, [key], (event) => {
    if (namesIn(event, [...SHIPMENTS, ...FLOWS]).includes(key))
      // Whoever has written a refused callback may have claimed any shipment.
      for (const uid of namesIn(event, ['shipmentUid', 'shipmentUids'])) shipmentUids.add(uid);
  });
  const wanted = new Set([key, ...shipmentUids]);
  const events: LoggedEvent[] = [];
  await forEachEvent(files, [...wanted], (event) => {
    if (namesIn(event, [...SHIPMENTS, ...FLOWS]).some((name) => wanted.has(name))) events.push(event);
  });
  return { shipmentUids: [...shipmentUids], events: events.sort((one, other) => one.time - other.time) };
}

function namesIn(event: LoggedEvent, fields: readonly string[]): string[] {
  return fields.flatMap((field) => event[field] ?? []).filter((name) => typeof name === 'string');
}

/** Those of a line that has one of the words: most lines are about others, and are not parsed. */
async function forEachEvent(
  files: readonly string[],
  words: readonly string[],
  take: (event: LoggedEvent) => void,
): Promise<void> {
  const written = words.map((word) => JSON.stringify(word).slice(1, -1));
  for (const file of files)
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      if (!written.some((word) => line.includes(word))) continue;
      const event = eventIn(line);
      if (event) take(event);
    }
}

/** Undefined if the line is not an event, like Node's own output. */
function eventIn(line: string): LoggedEvent | undefined {
  try {
    const { time, level, part, msg, ...fields } = JSON.parse(line);
    if (typeof time !== 'number') return undefined;
    return { time, level: Number(level), part: String(part ?? '?'), msg: String(msg ?? ''), ...fields };
  } catch {
    return undefined;
  }
}
