// The migrations of a flow, the newest first, each with how far it is.
import type { MigrationBatch, MigrationGroup } from '../../flows/flows-view.ts';
import { Button } from '../parts/button.tsx';
import { Table } from '../parts/frames.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Time } from '../parts/time.tsx';
import { postJson, useDoing } from '../shell/api.ts';

interface MigrationsProps {
  /** Where the API has the migrations of the flow. */
  readonly path: string;
  readonly batches: readonly MigrationBatch[];
  /** Undefined for a person who may not migrate. */
  readonly takeBack: ((to: number) => void) | undefined;
}

export function Migrations({ path, batches, takeBack }: MigrationsProps) {
  return (
    <>
      <h3>Migrations</h3>
      <ol class="migrations plain">
        {batches.map((batch) => (
          <li key={batch.startedAt}>
            <Batch path={path} batch={batch} takeBack={takeBack} />
          </li>
        ))}
      </ol>
    </>
  );
}

type BatchProps = Omit<MigrationsProps, 'batches'> & { readonly batch: MigrationBatch };

function Batch({ path, batch, takeBack }: BatchProps) {
  const { to, by, why, back, startedAt, closedAt, status } = batch;
  const telling = useDoing(
    (what: 'pause' | 'resume') => postJson(`${path}/${to}/${what}`),
    () => undefined,
  );
  const isOpen = closedAt === null;
  return (
    <>
      <p>
        <strong>
          {back ? 'Back to' : 'To'} version {to}
        </strong>{' '}
        by {by}, <Time at={startedAt} />: {why}
      </p>
      <p role="status">{status ? formatStatus(batch) : 'No worker says how far it is.'}</p>
      {status && <Groups groups={status.groups} />}
      {telling.refusal && <RefusalNote refusal={telling.refusal} />}
      {takeBack && (
        <div class="row">
          {isOpen && status?.phase === 'running' && (
            <Button press={() => telling.run('pause')} isBusy={telling.isBusy}>
              Pause
            </Button>
          )}
          {isOpen && (status?.phase === 'paused' || status?.phase === 'stopped') && (
            <Button press={() => telling.run('resume')} isBusy={telling.isBusy} kind="main">
              Resume
            </Button>
          )}
          {!isOpen && !back && to > 1 && <Button press={() => takeBack(to)}>Take back…</Button>}
        </div>
      )}
    </>
  );
}

function formatStatus({ status, closedAt }: MigrationBatch): string {
  if (!status) return '';
  const { phase, migrated, stopped, sweeps } = status;
  const count = `${migrated} ${migrated === 1 ? 'process' : 'processes'} migrated`;
  if (phase === 'done') return `Done: ${count}.`;
  if (closedAt !== null) return `Ended: ${count}.`;
  if (phase === 'stopped') return `Stopped by itself: ${stopped}. ${count} before.`;
  return `${phase === 'paused' ? 'Paused' : 'Running'}: ${count}${sweeps > 1 ? `, sweep ${sweeps}` : ''}.`;
}

const outcomes: Readonly<Record<string, string>> = {
  waits: 'wait',
  needsPlan: 'need the plan',
  refused: 'refused',
  ended: 'have ended',
  unanswered: 'did not answer',
  already: 'were there before',
};

/** Processes in whose way the same thing stands, with what to do about it. */
export function Groups({ groups }: { readonly groups: readonly MigrationGroup[] }) {
  if (groups.length === 0) return null;
  return (
    <Table head={['Processes', 'What stands in the way', 'Remedy', 'One of them']}>
      {groups.map(({ outcome, code, at, reason, remedy, count, example }) => (
        <tr key={`${outcome} ${code} ${at} ${remedy}`}>
          <th scope="row">
            {count} {outcomes[outcome] ?? outcome}
          </th>
          <td>{reason}</td>
          <td>{remedy || '–'}</td>
          <td>
            <a href={`/process/${encodeURIComponent(example)}`}>{example}</a>
          </td>
        </tr>
      ))}
    </Table>
  );
}
