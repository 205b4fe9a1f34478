// A flow with stages, and processes of it in each.
import type { Installation } from '../end-to-end/installation.ts';

export const shelfFile = (name: string, meaning: string) => `name: ${name}
meaning: ${meaning}
initial: kept
states:
  kept: { on: { called: calling, lost: missing, fetched: over } }
  calling:
    title: Its receiver is called
    initial: ringing
    states:
      ringing: { on: { spoken: promised } }
      promised: {}
    on: { fetched: over }
  missing: { on: { fetched: over } }
  over: { type: final }
`;

/** Begins a process for each letter, as `<prefix>-<letter>`, and tells it its events. */
export async function beginEach(
  { flows }: Pick<Installation, 'flows'>,
  [flow, prefix]: readonly [flow: string, prefix: string],
  events: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  for (const [letter, types] of Object.entries(events)) {
    const key = `${prefix}-${letter}`;
    await flows.startPublished(flow, key, {});
    for (const type of types) await flows.fileHandle(key).tell({ type, id: `${letter}-${type}` });
  }
}
