// What has become of each process, or would: those that are refused first, for they are what a person must look at.

import { t } from '../../../shared/texts/text.ts';
import type { BulkOutcome } from '../../processes/processes-view.ts';
import { changeableOfMany } from '../forms/start-again-fields.ts';
import { useChangeTexts } from '../forms/use-change-texts.ts';
import { inFigures } from '../parts/format.ts';
import { Table } from '../parts/frames.tsx';
import { TextWithTimes } from '../parts/time.tsx';
import { CaseName } from './case-name.tsx';
import { isStartAgain } from './lockers-wanted.ts';

export const isBad = ({ refusal, now }: BulkOutcome): boolean => Boolean(refusal ?? now?.isBad);

/** More rows nobody reads, and thousands would make each step of the dialog slow. */
export const MAX_SHOWN = 200;

interface OutcomesProps {
  /** The first of them, or all. */
  readonly outcomes: readonly BulkOutcome[];
  readonly total: number;
  /** What becomes of each is worth a second look. */
  readonly isHarm: boolean;
}

export function Outcomes({ outcomes, total, isHarm }: OutcomesProps) {
  const wordsOf = useOutcomeWords();
  if (outcomes.length === 0) return null;
  const inOrder = outcomes.toSorted((one, other) => Number(isBad(other)) - Number(isBad(one)));
  const others = total - Math.min(outcomes.length, MAX_SHOWN);
  return (
    <div class="outcomes">
      <Table head={[t`Case`, t`Outcome`]}>
        {inOrder.slice(0, MAX_SHOWN).map((each) => (
          <tr key={each.key} data-key={each.key}>
            <th scope="row">
              <CaseName named={{ key: each.key, about: each.about ?? null }} />
            </th>
            <td class={isBad(each) || isHarm ? 'is-fault tone' : undefined}>
              <TextWithTimes text={wordsOf(each)} />
            </td>
          </tr>
        ))}
      </Table>
      {others > 0 && <p class="soft">{t`${inFigures(others)} more are not shown here.`}</p>}
    </div>
  );
}

/** What a new start changes is said as its form says it: a row names its case already. */
function useOutcomeWords(): (outcome: BulkOutcome) => string {
  const textsOf = useChangeTexts(changeableOfMany);
  return ({ refusal, consequence, words }) => {
    if (refusal) return refusal.message;
    if (!isStartAgain(consequence)) return words ?? '';
    const changes = consequence.changes
      .map(textsOf)
      .map(({ title, from, to }) => `${title}: ${from} → ${to}`);
    return changes.join(', ') || t`It starts again with all that it was started with.`;
  };
}
