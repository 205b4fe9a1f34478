// When flow files start processes by themselves: the next and the last starts, and pausing, resuming and running one now.
import { useState } from 'preact/hooks';
import type { FlowSchedule, ScheduleList } from '../../flows/flows-view.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/field.tsx';
import { Table } from '../parts/frames.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Time } from '../parts/time.tsx';
import { postJson, useDoing } from '../shell/api.ts';
import { useLive } from '../shell/live.ts';
import { common, currentMessages } from '../shell/locale.ts';
import type { ViewProps } from '../shell/view.ts';

/** What somebody may do to a schedule, with the role that it needs. */
const acts = { pause: 'administer', resume: 'administer', run: 'decide' } as const;
type Act = keyof typeof acts;

export function Schedules({ flow, user }: { readonly flow: string; readonly user: ViewProps['user'] }) {
  const { data, refusal } = useLive<ScheduleList>(`/v1/schedules?flow=${encodeURIComponent(flow)}`);
  const [chosen, choose] = useState<{ readonly act: Act; readonly name: string }>();
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
            choose={(act) => choose({ act, name: each.name })}
          />
        ))}
      </Table>
      {chosen && <ActDialog {...chosen} close={() => choose(undefined)} />}
    </>
  );
}

const actsOf = ({ isPaused }: FlowSchedule): Act[] => [isPaused ? 'resume' : 'pause', 'run'];

interface RowProps {
  readonly schedule: FlowSchedule;
  readonly acts: readonly Act[];
  readonly choose: (act: Act) => void;
}

function Row({ schedule: { name, cron, zone, isPaused, note, next, last }, acts: able, choose }: RowProps) {
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
          <Button key={act} press={() => choose(act)}>
            {words[act].title}…
          </Button>
        ))}
      </td>
    </tr>
  );
}

function pausedWords(note: string | null): string {
  const { schedules: words } = currentMessages();
  return note === null ? words.paused : words.pausedBy(note);
}

function ActDialog({
  act,
  name,
  close,
}: {
  readonly act: Act;
  readonly name: string;
  readonly close: () => void;
}) {
  const [why, setWhy] = useState('');
  const doing = useDoing(
    (reason: string) => postJson(`/v1/schedules/${pathOf(name)}/${act}`, { why: reason }),
    close,
  );
  const { schedules: words } = currentMessages();
  const { title, will } = words[act];
  return (
    <Dialog
      title={`${title}: ${name}`}
      close={close}
      buttons={
        <Button kind="main" press={() => doing.run(why)} isBusy={doing.isBusy}>
          {title}
        </Button>
      }
    >
      {doing.refusal && <RefusalNote refusal={doing.refusal} />}
      <p>{will}</p>
      <TextField
        label={common().why}
        hint={words.whyHint}
        name="why"
        rows={2}
        required
        value={why}
        set={setWhy}
        wrong={doing.refusal?.fields?.why}
      />
    </Dialog>
  );
}

const pathOf = (name: string): string => name.split('/').map(encodeURIComponent).join('/');
