// What became of a parcel, live; and its slips, one for the courier and one for the receiver, each with its own code alone.
import { useEffect, useState } from 'preact/hooks';
import type { CodesView, ParcelView } from '../../desk/desk-view.ts';
import { stateWords } from '../forms/search-fields.tsx';
import { refusalMessage } from '../forms/use-form.tsx';
import { Button } from '../parts/button.tsx';
import { Fact } from '../parts/frames.tsx';
import { Opening } from '../parts/locker-access.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Time } from '../parts/time.tsx';
import { postJson, useDoing } from '../shell/api.ts';
import { useLive } from '../shell/live.ts';
import { common, currentMessages } from '../shell/locale.ts';
import { usePickUpPointNames } from '../shell/pick-up-points.ts';

/** A parcel of the desk stands beside its form, others have a page of their own. */
export const addressOf = (key: string): string =>
  key.startsWith('desk-') ? `/desk?parcel=${encodeURIComponent(key)}` : `/process/${encodeURIComponent(key)}`;

interface ParcelProps {
  readonly parcelKey: string;
  readonly close: () => void;
  /** Back to what was typed, where it was refused. */
  readonly edit: (() => void) | undefined;
}

export function Parcel({ parcelKey, close, edit }: ParcelProps) {
  const { parcel: words } = currentMessages().desk;
  const { data, refusal } = useLive<ParcelView>(`/api/desk/parcels/${encodeURIComponent(parcelKey)}`);
  return (
    <section class="card parcel" aria-labelledby="parcel">
      <h2 id="parcel" class="not-printed">
        {data?.referenceNo ?? words.title}
      </h2>
      {refusal && !data && <RefusalNote refusal={refusal} />}
      {data && <Status parcel={data} />}
      <p class="row not-printed">
        {data?.status === 'Refused' && edit && (
          <Button kind="main" press={edit}>
            {words.edit}
          </Button>
        )}
        <Button press={close}>{currentMessages().shell.close}</Button>
        <a href={`/process/${encodeURIComponent(parcelKey)}`}>{words.process}</a>
      </p>
    </section>
  );
}

const goals: Readonly<Record<string, 'DropOff' | 'PickUp'>> = {
  ReadyForDropoff: 'DropOff',
  ReadyForPickup: 'PickUp',
};

function Status({ parcel }: { readonly parcel: ParcelView }) {
  const { parcel: words } = currentMessages().desk;
  const { status, lockerName, shipmentUid, stateCode, refusal } = parcel;
  if (status === 'Booking') return <p role="status">{words.booking}</p>;
  if (status === 'Refused')
    return <RefusalNote refusal={{ message: refusalMessage(refusal?.code ?? '', refusal?.message ?? '') }} />;
  if (status === 'NeedsPerson')
    return (
      <p class="refusal" role="alert">
        {words.needsPerson} <a href="/inbox">{currentMessages().shell.navigation['/inbox']}</a>.
      </p>
    );
  return (
    <>
      <p role="status" class="booked not-printed">
        <strong>{words.booked(lockerName ?? common().notKnownYet)}</strong>{' '}
        <span class="pill">{stateWords(stateCode)}</span>
      </p>
      {shipmentUid && <Slips parcel={parcel} shipmentUid={shipmentUid} />}
    </>
  );
}

interface SlipsProps {
  readonly parcel: ParcelView;
  readonly shipmentUid: string;
}

type Side = 'courier' | 'receiver';

/** Codes are shown only when they are asked for: each time is in the log. */
function Slips({ parcel, shipmentUid }: SlipsProps) {
  const { parcel: words } = currentMessages().desk;
  const { lockerName, stateCode } = parcel;
  const goal = goals[stateCode ?? ''];
  const [codes, setCodes] = useState<CodesView>();
  const [printed, setPrinted] = useState<Side>();
  const { isBusy, refusal, run } = useDoing(
    (_side: Side | undefined) => postJson<CodesView>('/api/desk/codes', { shipmentUid }),
    setCodes,
  );
  useEffect(() => {
    if (printed === undefined || !codes) return;
    print();
    setPrinted(undefined);
  }, [printed, codes]);
  const printFor = (side: Side) => {
    setPrinted(side);
    if (!codes) run(side);
  };
  return (
    <>
      <div class="cards slips">
        <Slip
          side="courier"
          parcel={parcel}
          printed={printed}
          code={codes && (codes.deliveryCode ?? words.noCode)}
        />
        <Slip
          side="receiver"
          parcel={parcel}
          printed={printed}
          code={codes && (codes.pickUpCode ?? words.noCode)}
        />
      </div>
      {refusal && <RefusalNote refusal={refusal} />}
      <p class="row not-printed">
        <Button kind="main" press={() => printFor('courier')} isBusy={isBusy}>
          {words.printCourier}
        </Button>
        <Button kind="main" press={() => printFor('receiver')} isBusy={isBusy}>
          {words.printReceiver}
        </Button>
        {codes ? (
          <Button press={() => setCodes(undefined)}>{words.hideCodes}</Button>
        ) : (
          <Button press={() => run(undefined)} isBusy={isBusy}>
            {common().showCodes}
          </Button>
        )}
        {goal && (
          // Its words are English so far.
          <span lang="en">
            <Opening shipmentUid={shipmentUid} lockerName={lockerName} goal={goal} />
          </span>
        )}
        <span class="soft">{words.logged}</span>
      </p>
    </>
  );
}

interface SlipProps {
  readonly side: Side;
  readonly parcel: ParcelView;
  readonly printed: Side | undefined;
  readonly code: string | undefined;
}

function Slip({ side, parcel, printed, code }: SlipProps) {
  const { parcel: words } = currentMessages().desk;
  const { pupUid, lockerName, referenceNo, to, pickUpUntil } = parcel;
  const names = usePickUpPointNames();
  const isForReceiver = side === 'receiver';
  return (
    <article class={printed && printed !== side ? 'slip not-printed' : 'slip'} data-slip={side}>
      <h3>{words[side]}</h3>
      <p>{isForReceiver ? words.receiverDoes : words.courierDoes}</p>
      {code !== undefined && (
        <p class="slip-code">
          <span class="unseen">{words.code}: </span>
          {code}
        </p>
      )}
      <dl class="facts">
        <Fact label={words.to}>{isForReceiver && to}</Fact>
        <Fact label={common().point}>{pupUid && (names.get(pupUid) ?? pupUid)}</Fact>
        <Fact label={common().oneLocker}>{lockerName}</Fact>
        <Fact label={common().trackingNo}>{referenceNo}</Fact>
        <Fact label={words.until}>{isForReceiver && pickUpUntil && <Time at={pickUpUntil} />}</Fact>
      </dl>
    </article>
  );
}
