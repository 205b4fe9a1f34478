// Puts an entry out of sight until a moment, or back.

import { t } from '../../../shared/texts/text.ts';
import type { WorkEntry } from '../../processes/processes-view.ts';
import { postJson, useSubmission } from '../api.ts';
import { Button } from '../parts/button.tsx';
import { Menu } from '../parts/menu.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Time } from '../parts/time.tsx';

interface SnoozeProps {
  readonly entry: WorkEntry;
  readonly done: (words: string) => void;
}

export function Snooze({ entry: { id, title, snoozed }, done }: SnoozeProps) {
  const { isBusy, refusal, run } = useSubmission(
    (until: Date | null) => postJson('/v1/inbox/entries/snooze', { id, until: until?.toISOString() ?? null }),
    () => done(snoozed ? t`${title}: it is seen again` : t`${title}: snoozed`),
  );
  if (snoozed)
    return (
      <p class="row">
        <span>
          {t`Snoozed by ${snoozed.by} until`} <Time at={snoozed.until} />
        </span>
        <Button press={() => run(null)} isBusy={isBusy}>{t`Wake it now`}</Button>
        {refusal && <RefusalNote refusal={refusal} />}
      </p>
    );
  return (
    <>
      <Menu label={t`Snooze`}>
        {choicesAt(new Date()).map(({ label, until }) => (
          <Button key={label} press={() => run(until)} isBusy={isBusy}>
            {label}
          </Button>
        ))}
      </Menu>
      {refusal && <RefusalNote refusal={refusal} />}
    </>
  );
}

const MORNING = 8;

/** By the clock of the reader. */
function choicesAt(now: Date): { readonly label: string; readonly until: Date }[] {
  const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
  const morning = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, MORNING);
  return [
    { label: t`For 15 minutes`, until: later(15) },
    { label: t`For an hour`, until: later(60) },
    { label: t`For 4 hours`, until: later(240) },
    { label: t`Until tomorrow, 08:00`, until: morning },
  ];
}
