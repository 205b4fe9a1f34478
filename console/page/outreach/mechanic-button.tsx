// Send a mechanic…: to a door that stayed shut, or to a wall that is offline. Whoever has asked for one there stands beside it.

import { t } from '../../../shared/texts/text.ts';
import type { MechanicAsked, MechanicPreview } from '../../processes/processes-view.ts';
import { useLive } from '../shell/live.ts';
import { useReach } from '../shell/reach.ts';
import { OutreachButton, type Proposal } from './outreach-dialog.tsx';
import { Another, isStanding, Sent, type SentBefore } from './sent-before.tsx';

interface MechanicProps {
  readonly pupUid: string;
  /** Null: the wall as a whole. */
  readonly lockerName: string | null;
  /** Of the case that has the locker: it asks, so that it stands in what happened there. Null: the wall asks. */
  readonly processKey?: string | null;
  readonly mayAct: boolean;
}

export function Mechanic({ pupUid, lockerName, processKey = null, mayAct }: MechanicProps) {
  const { sendMechanic } = useReach();
  const ofWall = `/v1/walls/${encodeURIComponent(pupUid)}/mechanic`;
  const body: Readonly<Record<string, string>> = lockerName === null ? {} : { lockerName };
  const { data } = useLive<{ readonly asked: MechanicAsked | null }>(
    sendMechanic ? `${ofWall}?${new URLSearchParams(body)}` : undefined,
  );
  if (!sendMechanic) return null;
  const asked = data?.asked ?? null;
  const ofCase = `/v1/processes/${encodeURIComponent(processKey ?? '')}/commands/sendMechanic`;
  return (
    <>
      {mayAct && <MechanicButton path={processKey === null ? ofWall : ofCase} body={body} asked={asked} />}
      {asked && <Sent {...sentOf(asked)} />}
    </>
  );
}

const sentOf = (asked: MechanicAsked): SentBefore => ({
  ...asked,
  did: t`asked for a mechanic`,
  text: asked.problem,
});

interface MechanicButtonProps {
  readonly path: string;
  readonly body: Readonly<Record<string, string>>;
  /** By somebody, for the same place. */
  readonly asked: MechanicAsked | null;
}

function MechanicButton({ path, body, asked }: MechanicButtonProps) {
  const isAgain = isStanding(asked);
  const label = isAgain ? t`Ask again for a mechanic` : t`Send a mechanic`;
  return (
    <OutreachButton
      label={label}
      title={label}
      path={path}
      body={body}
      field="problem"
      fieldLabel={t`What is wrong`}
      hint={t`As the mechanic reads it, with the place and your name.`}
      consequence={t`It is sent at once, and cannot be taken back. What becomes of it stands in the log.`}
      button={isAgain ? t`Send a second request` : t`Send the request`}
      proposalOf={proposalOf}
      known={asked?.runId}
    />
  );
}

function proposalOf({ problem, lockerName, asked }: MechanicPreview): Proposal {
  return {
    text: problem,
    about: (
      <>
        {lockerName === null ? t`To the wall` : t`To locker ${lockerName}`}
        <Another sent={asked && sentOf(asked)} known={t`Somebody has sent for one already: `} />
      </>
    ),
  };
}
