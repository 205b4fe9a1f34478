// The chosen locker: what is known of it, and what an operator can do.
import { useState } from 'preact/hooks';
import type { Choice } from '../../processes/processes-view.ts';
import type { HeldBy, HeldFor, WallLocker } from '../../walls/walls-view.ts';
import { ChoiceButton } from '../decisions/choice-dialog.tsx';
import { Button } from '../parts/button.tsx';
import { Filled } from '../parts/filled.tsx';
import { Fact } from '../parts/frames.tsx';
import { Codes, Opening } from '../parts/locker-access.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Ago, Time } from '../parts/time.tsx';
import { postJson, useDoing, useJson } from '../shell/api.ts';
import { common, currentMessages } from '../shell/locale.ts';
import { heldWords, stateWords } from './wall.tsx';

interface LockerPanelProps {
  readonly locker: WallLocker;
  /** By it the service tells since when. */
  readonly clockAheadMs: number;
  readonly canDecide: boolean;
}

export function LockerPanel({ locker, clockAheadMs, canDecide }: LockerPanelProps) {
  const { lockerName, size, door, doorFailure, lastAccess, shipments, leftShipmentUid } = locker;
  const words = currentMessages().walls.locker;
  return (
    <>
      <h2>
        {common().locker(lockerName)} <span class="pill">{size}</span>
      </h2>
      <dl class="facts">
        <Fact label={common().state}>{stateWords(locker)}</Fact>
        <Fact label={words.door}>{words.doors[door as 'Open'] ?? door.toLowerCase()}</Fact>
        <Fact label={words.stayedShut}>
          {doorFailure && (
            <>
              <strong class="bad-text">{doorFailure.reason}</strong>
              {doorFailure.at && ', '}
              {doorFailure.at && <Ago at={doorFailure.at} aheadMs={clockAheadMs} />}
            </>
          )}
        </Fact>
        <Fact label={words.lastOpened}>
          {lastAccess ? <Time at={lastAccess.at} /> : words.notKnown}
          {goalWords(lastAccess?.goal)}
        </Fact>
        <Fact label={words.leftIn}>
          {leftShipmentUid && (
            <Filled text={words.left}>
              <span class="key">{leftShipmentUid}</span>
            </Filled>
          )}
        </Fact>
      </dl>
      {shipments.map((each) => (
        <Held
          key={each.shipmentUid}
          held={each}
          lockerName={lockerName}
          clockAheadMs={clockAheadMs}
          canDecide={canDecide}
        />
      ))}
      {canDecide && <Actions locker={locker} />}
    </>
  );
}

interface HeldProps extends Pick<LockerPanelProps, 'clockAheadMs' | 'canDecide'> {
  readonly held: HeldBy;
  readonly lockerName: string;
}

const goals: Readonly<Record<string, 'DropOff' | 'PickUp'>> = {
  ReadyForDropoff: 'DropOff',
  WaitForReceiver: 'PickUp',
  ReadyForPickup: 'PickUp',
};

function Held({ held, lockerName, clockAheadMs, canDecide }: HeldProps) {
  const { shipmentUid, stateCode, since, workflowId } = held;
  const words = currentMessages().walls.locker;
  const path = `/api/walls/held?${new URLSearchParams({ shipmentUid })}`;
  const { data } = useJson<HeldFor>(canDecide ? path : undefined, stateCode);
  return (
    <div class="held">
      <h3>{capitalized(heldWords(stateCode))}</h3>
      {(data?.to || data?.from) && (
        <p>
          {data.to && words.for(data.to)}
          {data.to && data.from && ', '}
          {data.from && words.from(data.from)}
        </p>
      )}
      {since && (
        <p>
          <Filled text={words.since}>
            <Time at={since} />
            <Ago at={since} aheadMs={clockAheadMs} />
          </Filled>
        </p>
      )}
      {workflowId && (
        <p>
          <a href={`/process/${encodeURIComponent(workflowId)}`}>{workflowId}</a>
        </p>
      )}
      {canDecide && stateCode !== 'Registered' && (
        <p class="row">
          <Codes shipmentUid={shipmentUid} />
          <Opening shipmentUid={shipmentUid} lockerName={lockerName} goal={goals[stateCode] ?? null} />
        </p>
      )}
      <details>
        <summary>{words.support}</summary>
        <Filled text={common().shipment}>
          <span class="key">{shipmentUid}</span>
        </Filled>
      </details>
    </div>
  );
}

/** What a door was opened for, behind when. */
function goalWords(goal: string | null | undefined): string {
  const { toDropOff, toPickUp } = currentMessages().walls.locker;
  return goal ? `, ${goal === 'DropOff' ? toDropOff : toPickUp}` : '';
}

const capitalized = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);

function Actions({ locker }: { readonly locker: WallLocker }) {
  const { lockerUid, lockerName, outOfOrder, toBeEmptied } = locker;
  const [said, setSaid] = useState<string>();
  const report = ({ done }: { readonly done?: string }) => setSaid(done);
  const of = encodeURIComponent(lockerUid);
  const order = useDoing(
    () => postJson<{ done: string }>(`/v1/lockers/${of}/out-of-order`, { outOfOrder: !outOfOrder }),
    report,
  );
  const words = currentMessages().walls.locker;
  const emptied: Choice = {
    id: 'emptied',
    label: words.empty,
    consequence: words.onlyOnce,
    fields: [],
    request: { path: `/v1/items-left/${of}/emptied`, body: {} },
    isDestructive: true,
  };
  return (
    <>
      <div class="row">
        <Button press={order.run} isBusy={order.isBusy}>
          {outOfOrder ? words.inOrder : words.outOfOrder}
        </Button>
        {toBeEmptied && <ChoiceButton choice={emptied} about={common().locker(lockerName)} done={report} />}
      </div>
      <p role="status">{said && said}</p>
      {order.refusal && <RefusalNote refusal={order.refusal} />}
    </>
  );
}
