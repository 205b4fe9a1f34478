// What somebody at a desk does for a person in front of a locker: shows the codes, or has the door opened, for a reason.
import { useState } from 'preact/hooks';
import { openingForm } from '../../../processes/action-forms/opening-form.ts';
import { t } from '../../../shared/texts/text.ts';
import type { CodesView } from '../../desk/desk-view.ts';
import type { HeldFor } from '../../walls/walls-view.ts';
import { postJson, useJson, useSubmission } from '../api.ts';
import { ActionButton } from '../forms/action-dialog.tsx';
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

interface OpeningProps {
  /** It says itself what is to be done then. */
  readonly opened?: () => void;
  readonly shipmentUid: string;
  readonly lockerName: string | null;
  /** The event that opening the door counts as; null: none. */
  readonly goal: 'DropOff' | 'PickUp' | null;
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
