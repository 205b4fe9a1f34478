// The chosen entry: what it is about, its answer, what happens if nobody does anything, and what else can be done. The answer to a
// question is in forms/answer.tsx.

import { t } from '../../../shared/texts/text.ts';
import type { ShownProcess } from '../../process/process-view.ts';
import type { ActionForm, EntryKind, WorkEntry } from '../../processes/processes-view.ts';
import { useJson, useSubmission } from '../api.ts';
import { ActionButton } from '../forms/action-dialog.tsx';
import { Answer, type GivenAnswer } from '../forms/answer.tsx';
import { send } from '../forms/form-request.ts';
import { EntryOutreach } from '../outreach/entry-outreach.tsx';
import { About } from '../parts/about.tsx';
import { Button } from '../parts/button.tsx';
import { midSentence } from '../parts/format.ts';
import { Fact } from '../parts/frames.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Ago, TextWithTimes, Time } from '../parts/time.tsx';
import { NewestNote } from '../process/process-head.tsx';
import { type Bulk, Many } from '../processes/many.tsx';
import { wallAddress } from '../shell/address.ts';
import type { PickUpPointNames } from '../shell/pick-up-points.ts';
import { Snooze } from './snooze.tsx';

export const kinds: Readonly<Record<EntryKind, string>> = {
  decision: t`Decision`,
  question: t`Question`,
  late: t`Late`,
  failedStart: t`Failed`,
  door: t`Door`,
  openDoor: t`Door open`,
  itemLeft: t`Item left`,
  itemOut: t`Item out`,
  unmatched: t`Unmatched report`,
  eventsNotTaken: t`Events not taken`,
  outOfOrder: t`Out of order`,
};

interface EntryProps {
  readonly entry: WorkEntry;
  readonly names: PickUpPointNames;
  readonly canAct: boolean;
  readonly done: (words: string) => void;
  readonly answered: (entry: WorkEntry, given: GivenAnswer) => void;
  /** For all of its processes. */
  readonly begin: (bulk: Bulk) => void;
  /** Another entry: a member of its group. */
  readonly choose: (id: string) => void;
}

/** Pick up points by the name that people know. */
export function named(text: string, { pupUid }: WorkEntry, names: PickUpPointNames): string {
  const name = pupUid === null ? undefined : names.get(pupUid);
  return pupUid === null || name === undefined ? text : text.replaceAll(pupUid, name);
}

const isAtOnce = ({ command }: ActionForm): boolean => command === 'claim' || command === 'release';

export function Entry({ entry, names, canAct, done, answered, begin, choose }: EntryProps) {
  const { title, why, ifNothing, toDo, since, clockAheadMs, kind, task } = entry;
  const words = (text: string) => <TextWithTimes text={named(text, entry, names)} />;
  const answer = answerOf(entry);
  const final = entry.actions.filter((each) => each !== answer && each.isDestructive);
  const finish = (form: ActionForm, answer: { readonly done?: string; readonly words?: string | null }) => {
    const said = answer.words ?? t`${midSentence(form.label)}: done`;
    done(answer.done ?? `${entry.key ?? title}: ${said}`);
  };
  const now = useSubmission(
    async (form: ActionForm) => finish(form, await send(form, {})),
    () => undefined,
  );
  return (
    <>
      <header>
        <h2>{named(title, entry, names)}</h2>
        <p class="row soft">
          <span class="badge">{task ? task.inbox : kinds[kind]}</span>
          {entry.asOf && (
            <span class="badge is-offline">
              {t`not read since`} <Time at={entry.asOf} />
            </span>
          )}
          {since && (
            <span>
              <Ago at={since} aheadMs={clockAheadMs} />
            </span>
          )}
          {task?.holder && <span>{t`taken by ${task.holder}`}</span>}
        </p>
      </header>
      <About entry={entry} />
      {entry.key !== null && <NoteOf key={entry.key} processKey={entry.key} />}
      <Places entry={entry} names={names} />
      {answer && (
        <Answer form={answer} clockAheadMs={clockAheadMs} answered={(given) => answered(entry, given)} />
      )}
      {entry.mayNotAnswer && <p class="note">{entry.mayNotAnswer.words}</p>}
      <p>{words(why)}</p>
      <dl class="facts">
        <Fact label={t`If nobody does anything`}>{words(ifNothing)}</Fact>
        <Fact label={t`What to do`}>{words(toDo)}</Fact>
      </dl>
      <div class="row">
        {entry.actions
          .filter((each) => each !== answer)
          .map((each) => {
            const title = canAct ? each.consequence : t`This needs the role decide`;
            return isAtOnce(each) ? (
              <Button
                key={each.id}
                press={() => now.run(each)}
                isBusy={now.isBusy}
                disabled={!canAct}
                title={title}
              >
                {each.label}
              </Button>
            ) : (
              <ActionButton
                key={each.id}
                form={each}
                about={named(entry.title, entry, names)}
                clockAheadMs={clockAheadMs}
                disabled={!canAct}
                title={title}
                done={(given) => finish(each, given)}
              />
            );
          })}
      </div>
      {canAct && <EntryOutreach entry={entry} />}
      {entry.many && <Many many={entry.many} canAct={canAct} begin={begin} choose={choose} />}
      {entry.pupUid !== null && <AtWall {...entry} pupUid={entry.pupUid} />}
      {canAct && <Snooze entry={{ ...entry, title: named(entry.title, entry, names) }} done={done} />}
      {final.length > 0 && (
        <p class="soft">{t`${final.map(({ label }) => label).join(', ')}: this cannot be taken back.`}</p>
      )}
      {now.refusal && <RefusalNote refusal={now.refusal} />}
      {entry.shipmentUid && (
        <details>
          <summary>{t`Technical`}</summary>
          <p>
            {t`shipment`} <span class="key">{entry.shipmentUid}</span>
          </p>
        </details>
      )}
    </>
  );
}

/** What the last one who looked at its case wrote down. */
function NoteOf({ processKey }: { readonly processKey: string }) {
  const { data } = useJson<ShownProcess>(`/v1/processes/${encodeURIComponent(processKey)}`);
  const note = data?.progress?.note;
  return note ? <NewestNote note={note} /> : null;
}

/** What it is about, and where one sees more of it. */
function Places({
  entry: { key, pupUid, lockerUid, lockerName },
  names,
}: Pick<EntryProps, 'entry' | 'names'>) {
  const point = pupUid === null ? null : (names.get(pupUid) ?? pupUid);
  if (key === null && point === null) return null;
  return (
    <p class="row">
      {key !== null && <a href={`/process/${encodeURIComponent(key)}`}>{key}</a>}
      {pupUid !== null && (
        <a href={wallAddress(pupUid, lockerUid)}>
          {lockerName && point ? t`Locker ${lockerName} of ${point}` : point}
        </a>
      )}
    </p>
  );
}

const answerOf = ({ actions }: WorkEntry) => actions.find(({ command }) => command === 'answer');

function AtWall({ kind, many, pupUid }: WorkEntry & { readonly pupUid: string }) {
  const isLeft = kind === 'itemLeft';
  if (!isLeft && (kind !== 'door' || !many)) return null;
  return (
    <p>
      <a href={`/walls/${encodeURIComponent(pupUid)}${isLeft ? '/round' : ''}`}>
        {isLeft ? t`Start a round` : t`The whole wall`}
      </a>
    </p>
  );
}
