// What has become of each process, or would: those that are refused first, for they are what a person must look at.

import { t } from '../../../shared/texts/text.ts';
import type { BulkOutcome } from '../../processes/processes-view.ts';
import { inFigures } from '../parts/format.ts';
import { Table } from '../parts/frames.tsx';
import { TextWithTimes } from '../parts/time.tsx';

export const isBad = ({ refusal }: BulkOutcome): boolean => refusal !== null;

/** More rows nobody reads, and thousands would make each step of the dialog slow. */
const MAX_SHOWN = 200;

interface OutcomesProps {
  readonly outcomes: readonly BulkOutcome[];
  /** What becomes of each is worth a second look. */
  readonly isHarm: boolean;
}

export function Outcomes({ outcomes, isHarm }: OutcomesProps) {
  if (outcomes.length === 0) return null;
  const inOrder = outcomes.toSorted((one, other) => Number(isBad(other)) - Number(isBad(one)));
  const others = outcomes.length - MAX_SHOWN;
  return (
    <div class="outcomes">
      <Table head={[t`Key`, t`Outcome`]}>
        {inOrder.slice(0, MAX_SHOWN).map(({ key, refusal, words }) => (
          <tr key={key} data-key={key}>
            <th scope="row">{key}</th>
            <td class={refusal || isHarm ? 'is-fault tone' : undefined}>
              <TextWithTimes text={refusal?.message ?? words ?? ''} />
            </td>
          </tr>
        ))}
      </Table>
      {others > 0 && <p class="soft">{t`${inFigures(others)} more are not shown here.`}</p>}
    </div>
  );
}
