// One flow: its numbers, its versions, and on request its chart.
import { useState } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import type { FlowStatus, FlowWithSchemas, VersionStatus } from '../../flows/flows-view.ts';
import { useJson } from '../api.ts';
import { Chart } from '../parts/chart.tsx';
import { Table } from '../parts/frames.tsx';
import { NotYet, RefusalNote } from '../parts/refusal-note.tsx';
import { useLive } from '../shell/live.ts';
import type { ViewProps } from '../shell/view.ts';
import { FlowTable } from './flows.tsx';

export function Flow({ params: { flow = '' }, user }: ViewProps) {
  const path = `/v1/flows/${encodeURIComponent(flow)}`;
  const { data: shown, refusal } = useJson<FlowWithSchemas>(path);
  const { data: status, refusal: uncounted } = useLive<FlowStatus>(shown && `${path}/status`);
  if (!shown) return <NotYet refusal={refusal} words={t`Counting the processes …`} />;
  const { title } = shown;
  return (
    <div class="flow-page">
      <h1>{title}</h1>
      <p>
        {shown.meaning} {shown.version !== null && <span class="badge">{t`Version ${shown.version}`}</span>}
      </p>
      {shown.schedules.map(({ name, text }) => (
        <p key={name}>
          {name}: {text}
        </p>
      ))}
      {shown.events.map(({ type, text }) => (
        <p key={type}>{text}</p>
      ))}
      {user.roles.includes('decide') && (
        <p>
          <a href={`/desk/start/${encodeURIComponent(flow)}`}>{t`Start a case`}</a>
        </p>
      )}
      {uncounted && <RefusalNote refusal={uncounted} />}
      {status && (
        <>
          <FlowTable rows={[{ ...shown, ...status }]} />
          <Versions versions={status.versions} newest={shown.version} />
        </>
      )}
      <Machine path={path} title={title} />
    </div>
  );
}

interface VersionsProps {
  readonly versions: readonly VersionStatus[];
  /** The newest published version; null: it is built in. */
  readonly newest: number | null;
}

/** How many processes are on which version; `lockerflow migrate` takes them to another one. */
function Versions({ versions, newest }: VersionsProps) {
  return (
    <section class="card" aria-labelledby="versions-title">
      <h2 id="versions-title">{t`Versions`}</h2>
      {versions.length === 0 ? (
        <p>{t`No process is open.`}</p>
      ) : (
        <Table head={[t`Version`, t`Open`]}>
          {versions.map(({ definition, version, open }) => (
            <tr key={definition ?? ''} data-version={version ?? undefined}>
              <th scope="row">
                {version === null ? (definition ?? t`not known yet`) : version}{' '}
                {version !== null && version === newest && <span class="badge">{t`newest`}</span>}
              </th>
              <td>{open === 0 ? '–' : open}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

/** Drawn when somebody looks at it. */
function Machine({ path, title }: { readonly path: string; readonly title: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t`Show the machine`}</summary>
      {isOpen && <Chart src={`${path}/chart.svg`} label={t`The chart of ${title}.`} />}
    </details>
  );
}
