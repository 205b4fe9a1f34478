// What became of each of many processes, or would become of it: grouped by the outcome.
import type { BulkOutcome } from '../../processes/processes-view.ts';
import { inFigures } from '../parts/format.ts';
import { Table } from '../parts/frames.tsx';
import { InWords } from '../parts/time.tsx';

/** More rows nobody reads, and thousands would make each step of the dialog slow. */
const MAX_SHOWN = 200;

export const isBad = ({ refusal }: BulkOutcome): boolean => refusal !== null;

interface Group {
  readonly title: string;
  readonly outcomes: readonly BulkOutcome[];
}

/** By what became of them; those that are refused first: they are what a person must look at. */
function groupsOf(outcomes: readonly BulkOutcome[], good: string): Group[] {
  const codes = new Map<string, BulkOutcome[]>();
  for (const each of outcomes) {
    const code = each.refusal?.code ?? '';
    codes.set(code, [...(codes.get(code) ?? []), each]);
  }
  const refused = [...codes].filter(([code]) => code !== '');
  return [
    ...refused
      .sort(([, one], [, other]) => other.length - one.length)
      .map(([, some]) => ({ title: `Refused: ${reasonOf(some)}`, outcomes: some })),
    ...(codes.has('') ? [{ title: good, outcomes: codes.get('') ?? [] }] : []),
  ];
}

/** The words of the first, without what is of that process alone. */
const reasonOf = ([first]: readonly BulkOutcome[]): string =>
  (first?.refusal?.message ?? '').replace(`${first?.key}: `, '').split('; ', 1)[0] ?? '';

interface OutcomesProps {
  readonly outcomes: readonly BulkOutcome[];
  /** What the others are, as a title. */
  readonly good: string;
}

export function Outcomes({ outcomes, good }: OutcomesProps) {
  let left = MAX_SHOWN;
  const others = Math.max(0, outcomes.length - MAX_SHOWN);
  return (
    <div class="outcomes">
      {groupsOf(outcomes, good).map(({ title, outcomes: all }) => {
        const shown = all.slice(0, left);
        left -= shown.length;
        return (
          <section key={title}>
            <h3>
              <InWords text={title} /> ({all.length})
            </h3>
            {shown.length > 0 && (
              <Table head={['Key', 'Outcome']}>
                {shown.map(({ key, refusal, words }) => (
                  <tr key={key} data-key={key}>
                    <th scope="row">{key}</th>
                    <td class={refusal ? 'bad-text' : undefined}>
                      <InWords text={inPlainWords(refusal?.message ?? words ?? '')} />
                    </td>
                  </tr>
                ))}
              </Table>
            )}
          </section>
        );
      })}
      {others > 0 && <p class="soft">{inFigures(others)} more are not shown here.</p>}
    </div>
  );
}

const stages = { dropOff: 'drop-off', pickUp: 'pick-up', receiver: 'receiver' };

/** The server names a deadline as commands take it: issue.dropOff. */
const inPlainWords = (text: string): string =>
  text.replaceAll(
    /\b(\w+)\.(dropOff|pickUp|receiver)\b/g,
    (_, role: string, stage: 'dropOff' | 'pickUp' | 'receiver') => `${stages[stage]} of ${role}`,
  );
