// The versions of a flow with the processes on each, what differs between two of them, and the migrations from one to another.
import { useState } from 'preact/hooks';
import type { FlowStatus, MigrationBatch, VersionStatus } from '../../flows/flows-view.ts';
import type { ConsoleUser } from '../../sign-in/sign-in-view.ts';
import { Button } from '../parts/button.tsx';
import { SelectField } from '../parts/field.tsx';
import { addressWith, goTo } from '../shell/address.ts';
import { useLive } from '../shell/live.ts';
import { MigrateDialog, type Migrating } from './migrate-dialog.tsx';
import { Migrations } from './migrations.tsx';
import { VersionDiff } from './version-diff.tsx';
import './flow-versions.css';

export interface FlowVersionsProps {
  readonly flow: string;
  readonly status: FlowStatus;
  /** The newest published version; null: it is built in. */
  readonly newest: number | null;
  readonly search: URLSearchParams;
  readonly user: ConsoleUser;
}

export function FlowVersions({ flow, status, newest, search, user }: FlowVersionsProps) {
  const path = `/v1/flows/${encodeURIComponent(flow)}/migrations`;
  const { data } = useLive<{ readonly items: readonly MigrationBatch[] }>(path);
  const [migrating, setMigrating] = useState<Migrating>();
  const mayMigrate = user.roles.includes('administer');
  const { versions } = status;
  const known = versions.flatMap(({ version }) => version ?? []);
  const target = newest ?? Math.max(1, ...known);
  return (
    <section class="card flow-versions" aria-labelledby="versions-title">
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
      {newest !== null && newest > 1 && <Compare newest={newest} search={search} />}
      {newest !== null && <Compared flow={flow} search={search} />}
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
    <div class="table-frame">
      <table>
        <thead>
          <tr>
            <th scope="col">Version</th>
            <th scope="col">Open</th>
            <th scope="col">In the states</th>
          </tr>
        </thead>
        <tbody>
          {versions.map(({ definition, version, open, asked, states }) => (
            <tr key={definition ?? ''} data-version={version ?? undefined}>
              <th scope="row">
                {definition ?? 'not told yet'}{' '}
                {version !== null && version === newest && <span class="pill good">newest</span>}
              </th>
              <td>{open === 0 ? '–' : open}</td>
              <td>
                {Object.entries(states)
                  .map(([state, count]) => `${state}: ${count}`)
                  .join(', ')}
                {asked < open && <span class="soft"> {askedWords(asked)}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Only the newest open processes of a flow are asked. */
const askedWords = (asked: number): string => (asked === 0 ? 'none was asked' : `of the newest ${asked}`);

/** What is compared stands in the address: /flows/Parcel?from=1&to=2. */
function Compare({ newest, search }: { readonly newest: number; readonly search: URLSearchParams }) {
  const numbers = Array.from({ length: newest }, (_, index) => newest - index);
  const to = search.get('to') ?? '';
  const from = search.get('from') ?? '';
  const choose = (changes: Readonly<Record<string, string>>) => goTo(addressWith(search, changes));
  const options = numbers.map((number) => (
    <option key={number} value={String(number)}>
      {number}
    </option>
  ));
  return (
    <div class="side-by-side">
      <SelectField
        label="What differs in version"
        value={to}
        onChange={({ currentTarget: { value } }) =>
          choose({ to: value, from: value === '' ? '' : String(Math.max(1, Number(value) - 1)) })
        }
      >
        <option value="">–</option>
        {options}
      </SelectField>
      {to !== '' && (
        <SelectField
          label="from version"
          value={from}
          onChange={({ currentTarget: { value } }) => choose({ from: value })}
        >
          {options}
        </SelectField>
      )}
    </div>
  );
}

function Compared({ flow, search }: { readonly flow: string; readonly search: URLSearchParams }) {
  const [from, to] = [Number(search.get('from')), Number(search.get('to'))];
  const isChosen = [from, to].every((each) => Number.isSafeInteger(each) && each > 0);
  return isChosen ? <VersionDiff flow={flow} from={from} to={to} /> : null;
}
