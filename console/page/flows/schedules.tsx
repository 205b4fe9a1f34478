// When flow files start processes by themselves: the next and the last starts, and pausing, resuming and running one now.
import type { FlowSchedule, ScheduleList } from '../../flows/flows-view.ts';
import type { Choice } from '../../processes/processes-view.ts';
import { ChoiceButton, whyField } from '../decisions/choice-dialog.tsx';
import { Table } from '../parts/frames.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Time } from '../parts/time.tsx';
import { useLive } from '../shell/live.ts';
import { common, currentMessages } from '../shell/locale.ts';
import type { ViewProps } from '../shell/view.ts';

/** What somebody may do to a schedule, with the role that it needs. */
const acts = { pause: 'administer', resume: 'administer', run: 'decide' } as const;
type Act = keyof typeof acts;

export function Schedules({ flow, user }: { readonly flow: string; readonly user: ViewProps['user'] }) {
  const { data, refusal } = useLive<ScheduleList>(`/v1/schedules?flow=${encodeURIComponent(flow)}`);
  const { schedules: words } = currentMessages();
  if (refusal) return <RefusalNote refusal={refusal} />;
  if (!data || data.items.length === 0) return null;
  return (
    <>
      <h2>{words.title}</h2>
      <Table head={[words.schedule, words.when, words.next, words.last, common().actions]}>
        {data.items.map((each) => (
          <Row
            key={each.name}
            schedule={each}
            acts={actsOf(each).filter((act) => user.roles.includes(acts[act]))}
          />
        ))}
      </Table>
    </>
  );
}

const actsOf = ({ isPaused }: FlowSchedule): Act[] => [isPaused ? 'resume' : 'pause', 'run'];

interface RowProps {
  readonly schedule: FlowSchedule;
  readonly acts: readonly Act[];
}

function Row({ schedule: { name, cron, zone, isPaused, note, next, last }, acts: able }: RowProps) {
  const newest = last.at(-1);
  const { schedules: words } = currentMessages();
  return (
    <tr>
      <th scope="row">{name.slice(name.lastIndexOf('/') + 1)}</th>
      <td>
        <code>{cron}</code> {zone}
      </td>
      <td>{isPaused ? pausedWords(note) : <Time at={next[0]} />}</td>
      <td>
        {newest ? (
          <a href={`/process/${encodeURIComponent(newest.key)}`}>
            <Time at={newest.at} />
          </a>
        ) : (
          words.noneYet
        )}
      </td>
      <td>
        {able.map((act) => (
          <ChoiceButton key={act} choice={choiceOf(act, name)} about={name} />
        ))}
      </td>
    </tr>
  );
}

function pausedWords(note: string | null): string {
  const { schedules: words } = currentMessages();
  return note === null ? words.paused : words.pausedBy(note);
}

const choiceOf = (act: Act, name: string): Choice => {
  const { schedules: words } = currentMessages();
  return {
    id: act,
    label: words[act].title,
    consequence: words[act].will,
    fields: [whyField(words.whyHint)],
    request: { path: `/v1/schedules/${name.split('/').map(encodeURIComponent).join('/')}/${act}`, body: {} },
  };
};
