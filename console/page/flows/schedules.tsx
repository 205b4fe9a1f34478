// When flow files start processes by themselves: the next and the last starts, and pausing, resuming and running one now.
import type { FlowSchedule, ScheduleList } from '../../flows/flows-view.ts';
import type { Choice } from '../../processes/processes-view.ts';
import { ChoiceButton, whyField } from '../decisions/choice-dialog.tsx';
import { Table } from '../parts/frames.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Time } from '../parts/time.tsx';
import { useLive } from '../shell/live.ts';
import type { ViewProps } from '../shell/view.ts';

/** What somebody may do to a schedule, with the role that it needs. */
const acts = { pause: 'administer', resume: 'administer', run: 'decide' } as const;
type Act = keyof typeof acts;

export function Schedules({ flow, user }: { readonly flow: string; readonly user: ViewProps['user'] }) {
  const { data, refusal } = useLive<ScheduleList>(`/v1/schedules?flow=${encodeURIComponent(flow)}`);
  if (refusal) return <RefusalNote refusal={refusal} />;
  if (!data || data.items.length === 0) return null;
  return (
    <>
      <h2>Schedules</h2>
      <Table head={['Schedule', 'When', 'Next', 'Last', 'Actions']}>
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
          'none yet'
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
  return note === null ? 'paused' : `paused by ${note}`;
}

const actWords = {
  pause: { title: 'Pause', will: 'It starts nothing until it is resumed.' },
  resume: { title: 'Resume', will: 'It starts processes at its times again.' },
  run: { title: 'Run now', will: 'It starts a process now, beside its times.' },
};

const choiceOf = (act: Act, name: string): Choice => {
  return {
    id: act,
    label: actWords[act].title,
    consequence: actWords[act].will,
    fields: [whyField('The schedule keeps it, with your name.')],
    request: { path: `/v1/schedules/${name.split('/').map(encodeURIComponent).join('/')}/${act}`, body: {} },
  };
};
