// What people are expected to do at lockers, and how many of them today.

import { t } from '../../../shared/texts/text.ts';
import type { ExpectedSteps } from '../../processes/processes-view.ts';
import type { QueryResult } from '../api.ts';
import { inFigures } from '../parts/format.ts';
import { NotYet } from '../parts/refusal-note.tsx';
import { stepWords } from '../processes/step-words.ts';

export function Expected({ expected: { data, refusal } }: { readonly expected: QueryResult<ExpectedSteps> }) {
  return (
    <section class="card" aria-labelledby="home-expected">
      <h2 id="home-expected">{t`Expected`}</h2>
      {!data && <NotYet refusal={refusal} />}
      {refusal && data && <p class="is-offline tone">{t`Could not be read now`}</p>}
      {data?.isComplete && data.steps.length === 0 && (
        <p class="soft">{t`Nothing is expected at a locker.`}</p>
      )}
      {data && data.steps.length > 0 && (
        <ul class="plain row">
          {data.steps.map(({ step, open, dueSoon }) => (
            <li key={step}>
              <a href={`/processes?step=${step}`}>
                <b>{inFigures(open)}</b> {stepWords[step]}
              </a>
              {dueSoon > 0 && <span class="soft"> {t`(${inFigures(dueSoon)} due today or late)`}</span>}
            </li>
          ))}
        </ul>
      )}
      {data && !data.isComplete && (
        <p class="soft small">{t`Not all cases have said yet where they stand: there may be more.`}</p>
      )}
    </section>
  );
}
