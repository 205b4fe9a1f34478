// The chosen locker: what is known of it, and what an operator can do.
import { useState } from 'preact/hooks';
import type { HeldBy, WallLocker } from '../../walls/walls-view.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Ago, Time } from '../parts/time.tsx';
import { postJson, useDoing } from '../shell/api.ts';
import { TypeCode } from './type-code.tsx';
import { stateWords } from './wall.tsx';

export interface LockerPanelProps {
  readonly locker: WallLocker;
  readonly pupUid: string;
  /** By it the service tells since when. */
  readonly clockAheadMs: number;
  readonly takesCodes: boolean;
  readonly canDecide: boolean;
}

export function LockerPanel({ locker, pupUid, clockAheadMs, takesCodes, canDecide }: LockerPanelProps) {
  const { lockerName, size, door, doorFailure, lastAccess, shipments, leftShipmentUid } = locker;
  return (
    <>
      <h2>
        Locker {lockerName} <span class="pill">{size}</span>
      </h2>
      <dl class="facts">
        <dt>State</dt>
        <dd>{stateWords(locker)}</dd>
        <dt>Door</dt>
        <dd>{door.toLowerCase()}</dd>
        {doorFailure && (
          <>
            <dt>Stayed shut</dt>
            <dd>
              <strong class="bad-text">{doorFailure.reason}</strong>
              {doorFailure.at && (
                <>
                  , <Ago at={doorFailure.at} aheadMs={clockAheadMs} />
                </>
              )}
            </dd>
          </>
        )}
        <dt>Last opened</dt>
        <dd>
          {lastAccess ? (
            <>
              <Time at={lastAccess.at} />
              {lastAccess.goal && `, to ${lastAccess.goal === 'DropOff' ? 'drop off' : 'pick up'}`}
            </>
          ) : (
            'not known'
          )}
        </dd>
        {leftShipmentUid && (
          <>
            <dt>Left in it</dt>
            <dd>
              the item of <span class="key">{leftShipmentUid}</span>
            </dd>
          </>
        )}
      </dl>
      {shipments.map((each) => (
        <Held key={each.shipmentUid} held={each} clockAheadMs={clockAheadMs} />
      ))}
      {canDecide && <Actions locker={locker} />}
      {canDecide && takesCodes && <TypeCode pupUid={pupUid} lockerName={lockerName} />}
    </>
  );
}

interface HeldProps extends Pick<LockerPanelProps, 'clockAheadMs'> {
  readonly held: HeldBy;
}

function Held({ held, clockAheadMs }: HeldProps) {
  const { shipmentUid, stateCode, fromUserUid, toUserUid, since, workflowId } = held;
  return (
    <div class="held">
      <h3>{stateCode}</h3>
      <p>
        {since && (
          <>
            since <Time at={since} /> (<Ago at={since} aheadMs={clockAheadMs} />)
          </>
        )}
      </p>
      <p>
        shipment <span class="key">{shipmentUid}</span>
        {fromUserUid && <>, from {fromUserUid}</>}
        {toUserUid && <>, to {toUserUid}</>}
      </p>
      {workflowId && (
        <p>
          process <a href={`/process/${encodeURIComponent(workflowId)}`}>{workflowId}</a>
        </p>
      )}
    </div>
  );
}

function Actions({
  locker: { lockerUid, lockerName, outOfOrder, toBeEmptied },
}: {
  readonly locker: WallLocker;
}) {
  const [isSure, setSure] = useState(false);
  const [said, setSaid] = useState<string>();
  const report = ({ done }: { done: string }) => {
    setSaid(done);
    setSure(false);
  };
  const order = useDoing(
    () => postJson<{ done: string }>('/api/walls/out-of-order', { lockerUid, outOfOrder: !outOfOrder }),
    report,
  );
  const emptied = useDoing(() => postJson<{ done: string }>('/api/walls/emptied', { lockerUid }), report);
  const refusal = order.refusal ?? emptied.refusal;
  return (
    <>
      <div class="entry-actions">
        <Button press={() => order.run(undefined)} isBusy={order.isBusy}>
          {outOfOrder ? 'Put in order again' : 'Take out of order'}
        </Button>
        {toBeEmptied && <Button press={() => setSure(true)}>It is empty now…</Button>}
      </div>
      <p role="status">{said}</p>
      {refusal && <RefusalNote refusal={refusal} />}
      {isSure && (
        <Dialog
          title={`Locker ${lockerName} is empty`}
          close={() => setSure(false)}
          closeLabel="Do nothing"
          buttons={
            <Button kind="danger" press={() => emptied.run(undefined)} isBusy={emptied.isBusy}>
              The item is out
            </Button>
          }
        >
          <p>The next booking may get this locker. Say so only once the item is out.</p>
        </Dialog>
      )}
    </>
  );
}
