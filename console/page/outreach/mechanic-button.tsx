// Send a mechanic…: to a door that stayed shut, or to a wall that is offline. What was asked for at a wall stands beside its button.
import type { MechanicAsked, MechanicPreview } from '../../processes/processes-view.ts';
import { Refusal } from '../api.ts';
import { TextWithTimes, Time } from '../parts/time.tsx';
import { useLive } from '../shell/live.ts';
import { useReach } from '../shell/reach.ts';
import { OutreachButton, type Proposal } from './outreach-dialog.tsx';

interface MechanicButtonProps {
  readonly path: string;
  readonly body?: Readonly<Record<string, string>>;
}

/** Of a case: it stands in what happened there. */
export const CaseMechanic = ({
  processKey,
  lockerName,
}: {
  readonly processKey: string;
  readonly lockerName?: string | null;
}) => (
  <MechanicButton
    path={`/v1/processes/${encodeURIComponent(processKey)}/commands/sendMechanic`}
    {...(lockerName && { body: { lockerName } })}
  />
);

interface WallMechanicProps {
  readonly pupUid: string;
  /** Null: the wall as a whole. */
  readonly lockerName: string | null;
}

/** Of a wall, or of a door that no case has. */
export function WallMechanic({ pupUid, lockerName }: WallMechanicProps) {
  const { sendMechanic } = useReach();
  const path = `/v1/walls/${encodeURIComponent(pupUid)}/mechanic`;
  const body = lockerName === null ? undefined : { lockerName };
  const { data } = useLive<{ readonly asked: MechanicAsked | null }>(
    sendMechanic ? `${path}?${new URLSearchParams(body)}` : undefined,
  );
  if (!sendMechanic) return null;
  return (
    <>
      <MechanicButton path={path} {...(body && { body })} />
      {data?.asked && <Asked {...data.asked} />}
    </>
  );
}

const Asked = ({ at, by, problem, state, words }: MechanicAsked) => (
  <p class={state === 'refused' ? 'is-fault tone' : 'soft'}>
    {by} asked for a mechanic <Time at={at} />: {problem} <TextWithTimes text={words} />
  </p>
);

type Previewed =
  | { readonly problem: string | null; readonly lockerName: string | null }
  | {
      readonly refusal: { readonly code: string; readonly message: string } | null;
      readonly consequence: MechanicPreview | null;
    };

function MechanicButton({ path, body = {} }: MechanicButtonProps) {
  const { sendMechanic } = useReach();
  if (!sendMechanic) return null;
  return (
    <OutreachButton
      label="Send a mechanic"
      title="Send a mechanic"
      path={path}
      body={body}
      field="problem"
      fieldLabel="What is wrong"
      hint="As the mechanic reads it, with the place and your name."
      consequence="The request is sent at once. What becomes of it is shown here, and in what happened of the case."
      needsWhy
      button="Send the request"
      proposalOf={proposalOf}
    />
  );
}

function proposalOf(answer: Previewed): Proposal | Refusal {
  if ('refusal' in answer && !answer.consequence)
    return new Refusal(409, answer.refusal?.code ?? '', answer.refusal?.message ?? '');
  const preview = 'refusal' in answer ? answer.consequence : answer;
  const { problem = null, lockerName = null } = preview ?? {};
  return { text: problem, about: <>{lockerName === null ? 'To the wall' : `To locker ${lockerName}`}</> };
}
