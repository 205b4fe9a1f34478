// Where four eyes guard a question: who has judged before, and what they wrote.

import { t } from '../../../shared/texts/text.ts';
import type { CaseHistory } from '../../process/process-view.ts';
import type { ActionForm } from '../../processes/processes-view.ts';
import { useJson } from '../api.ts';
import { TextWithTimes, Time } from '../parts/time.tsx';

export function JudgedBefore({ form: { command, task } }: { readonly form: ActionForm }) {
  const isGuarded = command === 'answer' && task !== undefined && task.not.length > 0;
  const path = isGuarded ? `/v1/processes/${encodeURIComponent(task.key)}/history` : undefined;
  const { data, refusal } = useJson<CaseHistory>(path);
  if (!isGuarded) return null;
  const answers = (data?.entries ?? []).filter(
    ({ data: what, by, onBehalfOf }) =>
      what.type === 'updated' && what.name === 'answer' && isAmong(task.not, [by, onBehalfOf]),
  );
  return (
    <section aria-label={t`Who has judged before`}>
      {!data && (
        <p class={refusal ? 'is-offline tone' : 'soft'}>
          {refusal ? t`What was judged before could not be read.` : t`Reading what was judged before …`}
        </p>
      )}
      {data && answers.length === 0 && (
        <p class="soft">{t`Must be another person than ${task.not.join(', ')}.`}</p>
      )}
      {answers.map((entry) => {
        const row = data?.happened.find(
          ({ runId, eventId }) => runId === entry.runId && eventId === entry.eventId,
        );
        return (
          <p key={`${entry.runId} ${entry.eventId}`}>
            {t`Judged before,`} <Time at={entry.at} />: <TextWithTimes text={row?.words ?? ''} />{' '}
            {row?.by && <span class="badge">{t`by ${row.by}`}</span>}{' '}
            {entry.why && <span class="soft">{t`because ${entry.why}`}</span>}
          </p>
        );
      })}
    </section>
  );
}

const nameIn = (name: string): string => name.trim().toLowerCase();

const isAmong = (names: readonly string[], given: readonly (string | null)[]): boolean =>
  given.some((each) => each !== null && names.some((name) => nameIn(name) === nameIn(each)));
