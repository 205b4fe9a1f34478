// The flows that can be started, built in and published.
import type { FlowOffered } from '../../desk/desk-view.ts';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { useJson } from '../shell/api.ts';

export function StartList() {
  const { data, refusal } = useJson<readonly FlowOffered[]>('/api/desk/flows');
  return (
    <>
      <h1>Start a process</h1>
      {refusal && <RefusalNote refusal={refusal} />}
      <ul class="flow-list">
        {data?.map(({ name, isPublished, description }) => (
          <li key={name} class="card">
            <a href={`/desk/start/${encodeURIComponent(name)}`}>{name}</a>{' '}
            {isPublished && <span class="pill">published</span>}
            {description && <p>{description}</p>}
          </li>
        ))}
      </ul>
    </>
  );
}
