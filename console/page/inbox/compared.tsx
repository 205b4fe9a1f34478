// When processes were compared with the locker service: that is how callbacks that do not arrive are noticed.
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

export function Compared({ compared: { at, isPlanned, lookedAt }, user, done }: ComparedProps) {
  const ask = (path: string) => () => postJson<{ done: string }>(path);
  const report = (answer: { done: string }) => done(answer.done);
  const now = useDoing(ask('/v1/comparison'), report);
  const daily = useDoing(ask('/v1/comparison/daily'), report);
  const refusal = now.refusal ?? daily.refusal;
  return (
    <section class="card compared" aria-labelledby="compared">
      <h2 id="compared">Callbacks that do not arrive</h2>
      <p>
        While the inbox is open, the shipments that changed last are compared with their processes
        {lookedAt ? (
          <>
            : last at <Time at={lookedAt} />.
          </>
        ) : (
          '.'
        )}{' '}
        What is older, and bookings without a process, a comparison of all finds.{' '}
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
