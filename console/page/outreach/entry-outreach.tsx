// What an entry of Work offers to reach outside: a mechanic at a door or a wall that cannot be opened, and a message where a person of its
// case is affected.
import type { EntryKind, WorkEntry } from '../../processes/processes-view.ts';
import { Mechanic } from './mechanic-button.tsx';
import { MessageButton } from './message-button.tsx';

/** Somebody waits for the item, or must bring it. */
const affected: ReadonlySet<EntryKind> = new Set(['door', 'openDoor', 'late', 'decision']);

export function EntryOutreach({
  entry: { kind, key, pupUid, lockerName, many },
}: {
  readonly entry: WorkEntry;
}) {
  const hasCase = key !== null && many === undefined;
  return (
    <div class="row">
      {hasCase && affected.has(kind) && <MessageButton processKey={key} />}
      {(kind === 'door' || kind === 'outOfOrder') && pupUid !== null && (
        <Mechanic pupUid={pupUid} lockerName={lockerName} processKey={hasCase ? key : null} mayAct />
      )}
    </div>
  );
}
