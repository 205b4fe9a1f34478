// What became of a parcel, live, and its codes for who may see them.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { CodesView, ParcelView } from '../../desk/desk-view.ts';
import { Button } from '../parts/button.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { postJson, useDoing } from '../shell/api.ts';
import { useLive } from '../shell/live.ts';

export interface ParcelProps {
  readonly parcelKey: string;
  readonly children: ComponentChildren;
}

export function Parcel({ parcelKey, children }: ParcelProps) {
  const { data, refusal } = useLive<ParcelView>(`/api/desk/parcels/${encodeURIComponent(parcelKey)}`);
  return (
    <section class="card parcel" aria-label="The parcel">
      <p class="not-printed">
        process <a href={`/process/${encodeURIComponent(parcelKey)}`}>{parcelKey}</a>
      </p>
      {refusal && !data && <RefusalNote refusal={refusal} />}
      {data && <ParcelStatus parcel={data} />}
      <div class="not-printed">{children}</div>
    </section>
  );
}

function ParcelStatus({ parcel }: { readonly parcel: ParcelView }) {
  const { status, lockerName, pupUid, shipmentUid, message } = parcel;
  if (status === 'Booking') return <p role="status">It is being booked…</p>;
  if (status === 'Refused' || status === 'NeedsPerson')
    return (
      <>
        <RefusalNote refusal={{ message: message ?? '' }} />
        {status === 'NeedsPerson' && <a href="/inbox">To the inbox</a>}
      </>
    );
  return (
    <>
      <p role="status" class="booked">
        It is booked: locker <strong>{lockerName ?? 'not known yet'}</strong> of{' '}
        {pupUid ?? 'the pick up point'}.
      </p>
      {shipmentUid && <Codes shipmentUid={shipmentUid} />}
    </>
  );
}

/** Shown only when they are asked for: each time is in the log. */
function Codes({ shipmentUid }: { readonly shipmentUid: string }) {
  const [codes, setCodes] = useState<CodesView>();
  const { isBusy, refusal, run } = useDoing(
    () => postJson<CodesView>('/api/desk/codes', { shipmentUid }),
    setCodes,
  );
  if (!codes)
    return (
      <p>
        <Button kind="main" press={() => run(undefined)} isBusy={isBusy}>
          Show the codes
        </Button>{' '}
        <span class="soft">Your name is kept with it.</span>
        {refusal && <RefusalNote refusal={refusal} />}
      </p>
    );
  return (
    <>
      <dl class="codes">
        <dt>To drop off</dt>
        <dd>{codes.deliveryCode ?? 'none'}</dd>
        <dt>To pick up</dt>
        <dd>{codes.pickUpCode ?? 'none'}</dd>
      </dl>
      <p class="soft">
        shipment <span class="key">{shipmentUid}</span>
      </p>
      <p class="not-printed">
        <Button press={() => print()}>Print</Button> <Button press={() => setCodes(undefined)}>Hide</Button>
      </p>
    </>
  );
}
