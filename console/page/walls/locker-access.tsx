// What somebody at a desk does for a person in front of a locker: shows the codes, or has the door opened, for a reason.
import { useState } from 'preact/hooks';
import type { CodesView } from '../../desk/desk-view.ts';
import type { ActionForm } from '../../processes/processes-view.ts';
import { postJson, useSubmission } from '../api.ts';
import { ActionButton, whyField } from '../forms/action-dialog.tsx';
import { Button } from '../parts/button.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';

/** Shown only when they are asked for: each time is in the log. */
export function Codes({ shipmentUid }: { readonly shipmentUid: string }) {
  const [codes, setCodes] = useState<CodesView>();
  const { isBusy, refusal, run } = useSubmission(
    () => postJson<CodesView>('/api/desk/codes', { shipmentUid }),
    setCodes,
  );
  if (!codes)
    return (
      <>
        <Button press={run} isBusy={isBusy} title="Your name is kept with it">
          Show the codes
        </Button>
        {refusal && <RefusalNote refusal={refusal} />}
      </>
    );
  return (
    <>
      <span>
        To drop off: <strong class="key">{codes.deliveryCode ?? 'none'}</strong>
      </span>
      <span>
        To pick up: <strong class="key">{codes.pickUpCode ?? 'none'}</strong>
      </span>
      <Button press={() => setCodes(undefined)}>Hide</Button>
    </>
  );
}

const outcomeTexts = { DropOff: 'It counts as dropped off.', PickUp: 'It counts as picked up.' };

interface OpeningProps {
  readonly shipmentUid: string;
  readonly lockerName: string | null;
  /** The event that opening the door counts as; null: none. */
  readonly goal: 'DropOff' | 'PickUp' | null;
}

export function Opening({ shipmentUid, lockerName, goal }: OpeningProps) {
  const [isDone, setDone] = useState(false);
  const form: ActionForm = {
    id: 'open',
    label: 'Open the door',
    consequence: `The door opens at once, without a code. ${goal ? outcomeTexts[goal] : 'The shipment does not change.'}`,
    fields: [whyField('It is kept with your name.')],
    request: { path: '/api/desk/open', body: { shipmentUid, goal } },
  };
  return (
    <>
      <ActionButton form={form} about={`Locker ${lockerName ?? ''}`} done={() => setDone(true)} />
      {isDone && <span role="status">It was opened.</span>}
    </>
  );
}
