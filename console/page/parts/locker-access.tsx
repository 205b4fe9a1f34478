// What somebody at a desk does for a person in front of a locker: shows the codes, or has the door opened, for a reason.
import { useState } from 'preact/hooks';
import type { CodesView } from '../../desk/desk-view.ts';
import { postJson, useDoing } from '../shell/api.ts';
import { common, currentMessages } from '../shell/locale.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { onSubmit, TextField } from './field.tsx';
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
  const [isOpen, setOpen] = useState(false);
  const [isDone, setDone] = useState(false);
  const [why, setWhy] = useState('');
  const { isBusy, refusal, run, forget } = useDoing(
    () => postJson('/api/desk/open', { shipmentUid, goal, why }),
    () => {
      setOpen(false);
      setDone(true);
    },
  );
  const words = currentMessages().process.access;
  return (
    <>
      <Button
        press={() => {
          forget();
          setOpen(true);
        }}
      >
        {words.open}…
      </Button>
      {isDone && <span role="status">{words.opened}</span>}
      {isOpen && (
        <Dialog
          title={words.title(lockerName ?? '')}
          close={() => setOpen(false)}
          closeLabel={common().doNothing}
        >
          <p>
            {words.atOnce} {goal ? words[goal] : words.nothing}
          </p>
          <form noValidate onSubmit={onSubmit(run)}>
            <TextField
              label={common().why}
              hint={words.whyHint}
              value={why}
              wrong={refusal?.fields.why}
              set={setWhy}
              rows={2}
            />
            {refusal && <RefusalNote refusal={refusal} />}
            <Button kind="main" isBusy={isBusy}>
              {words.open}
            </Button>
          </form>
        </Dialog>
      )}
    </>
  );
}
