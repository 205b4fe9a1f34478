// The versions of a flow with the processes on each, and the migrations from one to another.
import { useState } from 'preact/hooks';
import type { FlowStatus, MigrationBatch, VersionStatus } from '../../flows/flows-view.ts';
import type { ConsoleUser } from '../../sign-in/sign-in-view.ts';
import { Button } from '../parts/button.tsx';
import { Table } from '../parts/frames.tsx';
import { useLive } from '../shell/live.ts';
import { MigrateDialog, type Migrating } from './migrate-dialog.tsx';
import { Migrations } from './migrations.tsx';

interface FlowVersionsProps {
  readonly flow: string;
  readonly status: FlowStatus;
  /** The newest published version; null: it is built in. */
  readonly newest: number | null;
  readonly user: ConsoleUser;
}

export function FlowVersions({ flow, status, newest, user }: FlowVersionsProps) {
  const path = `/v1/flows/${encodeURIComponent(flow)}/migrations`;
  const { data } = useLive<{ readonly items: readonly MigrationBatch[] }>(path);
  const [migrating, setMigrating] = useState<Migrating>();
  const mayMigrate = user.roles.includes('administer');
  const { versions } = status;
  const known = versions.flatMap(({ version }) => version ?? []);
  const target = newest ?? Math.max(1, ...known);
  return (
    <section class="card" aria-labelledby="versions-title">
      <h2 id="versions-title">Versions</h2>
      {versions.length === 0 ? (
        <p>No process is open.</p>
      ) : (
        <VersionTable versions={versions} newest={newest} />
      )}
      {mayMigrate && status.open > 0 && (
        <p>
          <Button press={() => setMigrating({ to: target, isBack: false })}>Migrate processes…</Button>
        </p>
      )}
      {data && data.items.length > 0 && (
        <Migrations
          path={path}
          batches={data.items}
          takeBack={
            mayMigrate ? (to) => setMigrating({ to: Math.max(1, to - 1), from: to, isBack: true }) : undefined
          }
        />
      )}
      {migrating && (
        <MigrateDialog
          path={path}
          flow={flow}
          versions={[...new Set([...known, target])].sort((one, other) => other - one)}
          migrating={migrating}
          close={() => setMigrating(undefined)}
        />
      )}
    </section>
  );
}

interface VersionTableProps {
  readonly versions: readonly VersionStatus[];
  readonly newest: number | null;
}

function VersionTable({ versions, newest }: VersionTableProps) {
  return (
    <Table head={['Version', 'Open']}>
      {versions.map(({ definition, version, open }) => (
        <tr key={definition ?? ''} data-version={version ?? undefined}>
          <th scope="row">
            {version === null ? (definition ?? 'not known yet') : version}{' '}
            {version !== null && version === newest && <span class="pill good">newest</span>}
          </th>
          <td>{open === 0 ? '–' : open}</td>
        </tr>
      ))}
    </Table>
  );
}
