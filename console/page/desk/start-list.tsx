// The flows that can be started, built in and published.
import type { FlowList } from '../../flows/flows-view.ts';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { useJson } from '../shell/api.ts';

export function StartList() {
  const { data, refusal } = useJson<FlowList>('/v1/flows');
  return (
    <>
      <h1>Start a process</h1>
      {refusal && <RefusalNote refusal={refusal} />}
      <ul class="flow-list">
        {data?.items.map(({ flow, version, meaning }) => (
          <li key={flow} class="card">
            <a href={`/desk/start/${encodeURIComponent(flow)}`}>{flow}</a>{' '}
            {version !== null && <span class="pill">published</span>}
            {meaning && <p>{meaning}</p>}
          </li>
        ))}
      </ul>
    </>
  );
}
