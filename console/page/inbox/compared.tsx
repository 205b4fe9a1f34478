// When flows were compared with the locker service last: that is how callbacks that do not arrive are noticed.
import type { ComparedLast } from '../../inbox/inbox-view.ts';
import type { ConsoleUser } from '../../sign-in/sign-in-view.ts';
import { Button } from '../parts/button.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Time } from '../parts/time.tsx';
import { postJson, useDoing } from '../shell/api.ts';

export interface ComparedProps {
  readonly compared: ComparedLast;
  readonly user: ConsoleUser;
  readonly done: (words: string) => void;
}

export function Compared({ compared: { at, isPlanned }, user, done }: ComparedProps) {
  const ask = (path: string) => () => postJson<{ done: string }>(path);
  const told = (answer: { done: string }) => done(answer.done);
  const now = useDoing(ask('/api/inbox/compare'), told);
  const daily = useDoing(ask('/api/inbox/compare-daily'), told);
  const refusal = now.refusal ?? daily.refusal;
  return (
    <section class="card compared" aria-labelledby="compared">
      <h2 id="compared">Callbacks that do not arrive</h2>
      <p>
        A comparison of processes with the locker service finds them.{' '}
        {at ? (
          <>
            The last was at <Time at={at} />.
          </>
        ) : (
          'There was none yet.'
        )}{' '}
        {isPlanned ? 'The workers compare by a schedule.' : 'No schedule compares them.'}
      </p>
      {refusal && <RefusalNote refusal={refusal} />}
      <div class="entry-actions">
        {user.roles.includes('decide') && (
          <Button press={() => now.run(undefined)} isBusy={now.isBusy}>
            {now.isBusy ? 'Comparing…' : 'Compare now'}
          </Button>
        )}
        {!isPlanned && user.roles.includes('administer') && (
          <Button press={() => daily.run(undefined)} isBusy={daily.isBusy}>
            Compare once a day
          </Button>
        )}
      </div>
    </section>
  );
}
