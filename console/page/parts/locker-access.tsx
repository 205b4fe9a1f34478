// What somebody at a desk does for a person in front of a locker: shows the codes, or has the door opened, for a reason.
import { useState } from 'preact/hooks';
import type { CodesView } from '../../desk/desk-view.ts';
import type { Choice } from '../../processes/processes-view.ts';
import { ChoiceButton, whyField } from '../decisions/choice-dialog.tsx';
import { postJson, useDoing } from '../shell/api.ts';
import { common, currentMessages } from '../shell/locale.ts';
import { Button } from './button.tsx';
import { RefusalNote } from './refusal-note.tsx';

/** Shown only when they are asked for: each time is in the log. */
export function Codes({ shipmentUid }: { readonly shipmentUid: string }) {
  const [codes, setCodes] = useState<CodesView>();
  const { isBusy, refusal, run } = useDoing(
    () => postJson<CodesView>('/api/desk/codes', { shipmentUid }),
    setCodes,
  );
  const words = currentMessages().process.access;
  if (!codes)
    return (
      <>
        <Button press={run} isBusy={isBusy} title={words.name}>
          {common().showCodes}
        </Button>
        {refusal && <RefusalNote refusal={refusal} />}
      </>
    );
  return (
    <>
      <span>
        {words.dropOff} <strong class="key">{codes.deliveryCode ?? words.none}</strong>
      </span>
      <span>
        {words.pickUp} <strong class="key">{codes.pickUpCode ?? words.none}</strong>
      </span>
      <Button press={() => setCodes(undefined)}>{words.hide}</Button>
    </>
  );
}

interface OpeningProps {
  readonly shipmentUid: string;
  readonly lockerName: string | null;
  /** What it counts as; null: nothing. */
  readonly goal: 'DropOff' | 'PickUp' | null;
}

export function Opening({ shipmentUid, lockerName, goal }: OpeningProps) {
  const [isDone, setDone] = useState(false);
  const words = currentMessages().process.access;
  const choice: Choice = {
    id: 'open',
    label: words.open,
    consequence: `${words.atOnce} ${goal ? words[goal] : words.nothing}`,
    fields: [whyField(words.whyHint)],
    request: { path: '/api/desk/open', body: { shipmentUid, goal } },
  };
  return (
    <>
      <ChoiceButton choice={choice} about={common().locker(lockerName ?? '')} done={() => setDone(true)} />
      {isDone && <span role="status">{words.opened}</span>}
    </>
  );
}
