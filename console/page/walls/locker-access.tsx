// What somebody at a desk does for a person in front of a locker: shows the codes, or has the door opened, for a reason.
import { useState } from 'preact/hooks';
import { t } from '../../../shared/texts/text.ts';
import type { CodesView } from '../../desk/desk-view.ts';
import type { ActionForm } from '../../processes/processes-view.ts';
import type { HeldFor } from '../../walls/walls-view.ts';
import { postJson, useJson, useSubmission } from '../api.ts';
import { ActionButton, whyField } from '../forms/action-dialog.tsx';
import { Button } from '../parts/button.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Time } from '../parts/time.tsx';

interface CodesProps {
  readonly shipmentUid: string;
  /** What somebody is to do there now: its code stands first. */
  readonly goal?: 'DropOff' | 'PickUp' | null | undefined;
}

/** Shown only when they are asked for: each time is in the log. */
export function Codes({ shipmentUid, goal }: CodesProps) {
  const [codes, setCodes] = useState<CodesView>();
  const { isBusy, refusal, run } = useSubmission(
    () => postJson<CodesView>('/api/desk/codes', { shipmentUid }),
    setCodes,
  );
  const read = <CodesRead shipmentUid={shipmentUid} isShown={codes !== undefined} />;
  if (!codes)
    return (
      <>
        <Button press={run} isBusy={isBusy} title={t`Your name is kept with it`}>{t`Show the codes`}</Button>
        {refusal && <RefusalNote refusal={refusal} />}
        {read}
      </>
    );
  const isFirst = (of: 'DropOff' | 'PickUp') => goal == null || goal === of;
  const toDropOff = (
    <span key="dropOff" class={isFirst('DropOff') ? undefined : 'soft small'}>
      {t`To drop off:`} <strong class="key">{codes.deliveryCode ?? t`none`}</strong>
    </span>
  );
  const toPickUp = (
    <span key="pickUp" class={isFirst('PickUp') ? undefined : 'soft small'}>
      {t`To pick up:`} <strong class="key">{codes.pickUpCode ?? t`none`}</strong>
    </span>
  );
  return (
    <>
      {goal === 'PickUp' ? [toPickUp, toDropOff] : [toDropOff, toPickUp]}
      <Button press={() => setCodes(undefined)}>{t`Hide`}</Button>
      {read}
    </>
  );
}

interface CodesReadProps {
  readonly shipmentUid: string;
  /** They have just been shown: then somebody more has seen them. */
  readonly isShown: boolean;
}

function CodesRead({ shipmentUid, isShown }: CodesReadProps) {
  const { data } = useJson<HeldFor>(
    `/api/walls/held?${new URLSearchParams({ shipmentUid })}`,
    String(isShown),
  );
  const read = data?.codesRead ?? [];
  if (read.length === 0) return null;
  return (
    <span class="soft small">
      {t`Codes read by`}{' '}
      {read.map(({ by, at }, index) => (
        <span key={by}>
          {index > 0 && ', '}
          {by} <Time at={at} />
        </span>
      ))}
    </span>
  );
}

/** The button says what it counts as: who wants to look only must not find out afterwards. */
const counts = {
  DropOff: {
    label: t`Open: counts as put in`,
    again: t`Open again: counts as put in`,
    text: t`It counts as put in, and that cannot be taken back: the case goes on as if the item were inside.`,
  },
  PickUp: {
    label: t`Open: counts as picked up`,
    again: t`Open again: counts as picked up`,
    text: t`It counts as picked up, and that cannot be taken back: the case goes on as if the item were out.`,
  },
};
const LOOK_ONLY = t`To look inside only, take “Open to look” of the locker, at its wall.`;

interface OpeningProps {
  /** It says itself what is to be done then. */
  readonly opened?: () => void;
  readonly shipmentUid: string;
  readonly lockerName: string | null;
  /** The event that opening the door counts as; null: none. */
  readonly goal: 'DropOff' | 'PickUp' | null;
}

/** @param isAgain it stayed shut before */
export function openingForm(
  { shipmentUid, goal }: Omit<OpeningProps, 'lockerName' | 'opened'>,
  { isAgain = false } = {},
): ActionForm {
  const { label, again } = goal ? counts[goal] : { label: t`Open the door`, again: t`Open the door again` };
  return {
    id: 'open',
    label: isAgain ? again : label,
    consequence: t`The door opens at once, without a code. ${
      goal ? `${counts[goal].text} ${LOOK_ONLY}` : t`The shipment does not change.`
    }`,
    fields: [whyField(t`It is kept with your name.`)],
    request: { path: '/api/desk/open', body: { shipmentUid, goal } },
  };
}

export function Opening({ shipmentUid, lockerName, goal, opened }: OpeningProps) {
  const [isDone, setDone] = useState(false);
  const form = openingForm({ shipmentUid, goal });
  return (
    <>
      <ActionButton
        form={form}
        about={t`Locker ${lockerName ?? ''}`}
        done={opened ?? (() => setDone(true))}
      />
      {isDone && <span role="status">{t`It was opened.`}</span>}
    </>
  );
}
