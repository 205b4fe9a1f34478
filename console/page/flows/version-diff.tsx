// What differs between two versions of a flow, as a list of changes.
import type { FlowDifference } from '../../flows/flows-view.ts';
import { NotYet } from '../parts/refusal-note.tsx';
import { useJson } from '../shell/api.ts';
import { currentMessages } from '../shell/locale.ts';

interface VersionDiffProps {
  readonly flow: string;
  readonly from: number;
  readonly to: number;
}

export function VersionDiff({ flow, from, to }: VersionDiffProps) {
  const path = `/v1/flows/${encodeURIComponent(flow)}/versions/${to}/diff?from=${from}`;
  const { data, refusal } = useJson<FlowDifference>(path);
  const { versions: words } = currentMessages();
  if (!data) return <NotYet refusal={refusal} words={words.comparing(String(from), String(to))} />;
  const { changes } = data;
  return (
    <section class="diff" aria-labelledby="diff-title">
      <h3 id="diff-title">{words.changes(String(from), String(to))}</h3>
      {changes.length === 0 ? (
        <p>{words.noChange}</p>
      ) : (
        <ul>
          {changes.map((change) => (
            <li key={JSON.stringify(change)}>{wordsOf(change)}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

type Difference = FlowDifference['changes'][number];

const wordsOf = ({ state, words }: Difference): string =>
  `${state || currentMessages().versions.wholeFlow}: ${words}`;
