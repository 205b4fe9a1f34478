// When processes were compared with the locker service: that is how callbacks that do not arrive are noticed.
import type { ComparedLast } from '../../processes/processes-view.ts';
import type { ConsoleUser } from '../../sign-in/sign-in-view.ts';
import { Button } from '../parts/button.tsx';
import { Filled } from '../parts/filled.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Time } from '../parts/time.tsx';
import { postJson, useDoing } from '../shell/api.ts';
import { currentMessages } from '../shell/locale.ts';

interface ComparedProps {
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
  const words = currentMessages().work.compared;
  return (
    <section class="card compared" aria-labelledby="compared">
      <h2 id="compared">{words.title}</h2>
      <p>
        <Filled text={lookedAt ? words.openLast : words.open}>
          <Time at={lookedAt} />
        </Filled>{' '}
        {words.older}{' '}
        <Filled text={at ? words.last : words.none}>
          <Time at={at} />
        </Filled>{' '}
        {isPlanned ? words.planned : words.unplanned}
      </p>
      {refusal && <RefusalNote refusal={refusal} />}
      <div class="row">
        {user.roles.includes('decide') && (
          <Button press={now.run} isBusy={now.isBusy}>
            {now.isBusy ? words.comparing : words.now}
          </Button>
        )}
        {!isPlanned && user.roles.includes('administer') && (
          <Button press={daily.run} isBusy={daily.isBusy}>
            {words.daily}
          </Button>
        )}
      </div>
    </section>
  );
}
