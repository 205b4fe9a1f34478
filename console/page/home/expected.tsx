// What people are expected to do at lockers, and how many of them today.
import type { ExpectedSteps } from '../../processes/processes-view.ts';
import type { QueryResult } from '../api.ts';
import { inFigures } from '../parts/format.ts';
import { NotYet } from '../parts/refusal-note.tsx';

type Step = ExpectedSteps['steps'][number]['step'];

const words: Readonly<Record<Step, string>> = {
  bringBack: 'to bring back',
  putIn: 'to put in',
  deskPutsIn: 'for the desk to put in',
  nameReceiver: 'without a receiver yet',
  deskTakesOut: 'for the desk to take out',
  pickUp: 'to collect',
};

export function Expected({ expected: { data, refusal } }: { readonly expected: QueryResult<ExpectedSteps> }) {
  return (
    <section class="card" aria-labelledby="home-expected">
      <h2 id="home-expected">Expected</h2>
      {!data && <NotYet refusal={refusal} />}
      {refusal && data && <p class="is-offline tone">Could not be read now</p>}
      {data?.isComplete && data.steps.length === 0 && <p class="soft">Nothing is expected at a locker.</p>}
      {data && data.steps.length > 0 && (
        <ul class="plain row">
          {data.steps.map(({ step, open, dueSoon }) => (
            <li key={step}>
              <b>{inFigures(open)}</b> {words[step]}
              {dueSoon > 0 && <span class="soft"> ({inFigures(dueSoon)} due today or late)</span>}
            </li>
          ))}
        </ul>
      )}
      {data && !data.isComplete && (
        <p class="soft small">Not all cases have said yet where they stand: there may be more.</p>
      )}
    </section>
  );
}
