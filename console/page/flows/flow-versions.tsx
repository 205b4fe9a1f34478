// The versions of a flow with the processes on each, what differs between two of them, and the migrations from one to another.
import { useState } from 'preact/hooks';
import type { FlowStages, MigrationBatch, VersionStatus } from '../../flows/flows-view.ts';
import type { ConsoleUser } from '../../sign-in/sign-in-view.ts';
import { Button } from '../parts/button.tsx';
import { SelectField } from '../parts/field.tsx';
import { formatFlow } from '../parts/format-flow.ts';
import { Table } from '../parts/frames.tsx';
import { addressWith, goTo } from '../shell/address.ts';
import { useLive } from '../shell/live.ts';
import { common, currentMessages, inFigures } from '../shell/locale.ts';
import { MigrateDialog, type Migrating } from './migrate-dialog.tsx';
import { Migrations } from './migrations.tsx';
import { VersionDiff } from './version-diff.tsx';

interface FlowVersionsProps {
  readonly flow: string;
  readonly status: FlowStages;
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
  const { versions: words } = currentMessages();
  const known = versions.flatMap(({ version }) => version ?? []);
  const target = newest ?? Math.max(1, ...known);
  return (
    <section class="card flow-versions" aria-labelledby="versions-title">
      <h2 id="versions-title">{words.title}</h2>
      {versions.length === 0 ? (
        <p>{common().noneOpen}</p>
      ) : (
        <VersionTable versions={versions} newest={newest} titles={titlesIn(status)} />
      )}
      {mayMigrate && status.open > 0 && (
        <p>
          <Button press={() => setMigrating({ to: target, isBack: false })}>{words.migrate}</Button>
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

/** What people call the states. */
const titlesIn = ({ lanes }: FlowStages): ReadonlyMap<string, string> =>
  new Map(lanes.flatMap(({ stages }) => stages.map(({ path, title }) => [path, title] as const)));

interface VersionTableProps {
  readonly versions: readonly VersionStatus[];
  readonly newest: number | null;
  readonly titles: ReadonlyMap<string, string>;
}

function VersionTable({ versions, newest, titles }: VersionTableProps) {
  const { versions: words } = currentMessages();
  return (
    <Table head={[words.version, currentMessages().flows.open, ...(newest === null ? [] : [words.inStages])]}>
      {versions.map(({ definition, version, open, asked, states }) => (
        <tr key={definition ?? ''} data-version={version ?? undefined}>
          <th scope="row">
            {version === null ? (definition ?? common().notKnownYet) : version}{' '}
            {version !== null && version === newest && <span class="pill good">{words.newest}</span>}
          </th>
          <td>{open === 0 ? '–' : open}</td>
          {/* The stages of a built-in flow are legs, which are counted above. */}
          {newest !== null && (
            <td>
              {Object.entries(states)
                .map(([state, count]) => `${titles.get(state) ?? formatFlow(state)}: ${count}`)
                .join(', ')}
              {asked < open && <span class="soft"> {askedWords(asked)}</span>}
            </td>
          )}
        </tr>
      ))}
    </Table>
  );
}

/** Only the newest open processes of a flow are asked. */
function askedWords(asked: number): string {
  const { versions: words } = currentMessages();
  return asked === 0 ? words.noneSaid : words.ofNewest(inFigures(asked));
}

/** What is compared stands in the address: /flows/Parcel?from=1&to=2. */
function Compare({ newest, search }: { readonly newest: number; readonly search: URLSearchParams }) {
  const { versions: words } = currentMessages();
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
    <div class="row">
      <SelectField
        label={words.differsIn}
        value={to}
        set={(next) => choose({ to: next, from: next === '' ? '' : String(Math.max(1, Number(next) - 1)) })}
      >
        <option value="">–</option>
        {options}
      </SelectField>
      {to !== '' && (
        <SelectField label={words.from} value={from} set={(next) => choose({ from: next })}>
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
