// The chosen locker: what is known of it, and what an operator can do.
import { useEffect, useRef, useState } from 'preact/hooks';
import { lookForm } from '../../../processes/action-forms/opening-form.ts';
import { capitalized } from '../../../processes/views/format-names.ts';
import { t } from '../../../shared/texts/text.ts';
import type { ActionForm } from '../../processes/processes-view.ts';
import type { HeldBy, HeldFor, TakenOut, TileAbout, WallLocker, WallView } from '../../walls/walls-view.ts';
import { postJson, useJson, useSubmission } from '../api.ts';
import { ActionButton } from '../forms/action-dialog.tsx';
import { Mechanic } from '../outreach/mechanic-button.tsx';
import { MessageButton } from '../outreach/message-button.tsx';
import { Button } from '../parts/button.tsx';
import { Fact } from '../parts/frames.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Ago, Time } from '../parts/time.tsx';
import { formatLockerState } from '../parts/wall.tsx';
import { Codes, Opening } from './locker-access.tsx';

interface LockerPanelProps {
  readonly pupUid: string;
  readonly locker: WallLocker;
  /** Which item it is. */
  readonly abouts: WallView['abouts'];
  /** By it the service tells since when. */
  readonly clockAheadMs: number;
  readonly canDecide: boolean;
  /** Says that its item is out. */
  readonly out: ActionForm | null | undefined;
}

export function LockerPanel({ pupUid, locker, abouts, clockAheadMs, canDecide, out }: LockerPanelProps) {
  const { lockerName, size, door, doorOpenSince, doorFailure, lastAccess, shipments, takenOut, outOfOrder } =
    locker;
  const [toDo, setToDo] = useState<string>();
  const title = useRef<HTMLHeadingElement>(null);
  // On a phone it stands below all lockers.
  useEffect(() => title.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <>
      {toDo && (
        <p class="note" role="status">
          {toDo}
        </p>
      )}
      <h2 class="big" ref={title}>
        {t`Locker ${lockerName}`} <span class="badge">{size}</span>
      </h2>
      <dl class="facts">
        <Fact label={t`State`}>
          {formatLockerState(locker)}
          {takenOut && <By {...takenOut} />}
        </Fact>
        <Fact label={t`Door`}>
          {doors[door] ?? door}
          {doorOpenSince && <Since at={doorOpenSince} />}
        </Fact>
        <Fact label={t`Stayed shut`}>
          {doorFailure && (
            <>
              <strong class="is-fault tone">{doorFailure.reason}</strong>
              {doorFailure.since && <Since at={doorFailure.since} />}
            </>
          )}
        </Fact>
        <Fact label={t`Last opened`}>
          {lastAccess ? <Time at={lastAccess.at} /> : t`not known`}
          {lastAccess && formatGoal(lastAccess)}
        </Fact>
        <Fact label={t`Left in it`}>
          {locker.leftShipmentUid && <Left locker={locker} abouts={abouts} canDecide={canDecide} />}
        </Fact>
      </dl>
      {shipments.map((each) => (
        <Held
          key={each.shipmentUid}
          held={each}
          about={abouts[each.shipmentUid]}
          opened={setToDo}
          lockerName={lockerName}
          clockAheadMs={clockAheadMs}
          canDecide={canDecide}
        />
      ))}
      {locker.leftShipmentUid && (
        <details class="support">
          <summary>{t`Technical`}</summary>
          {t`shipment`} <span class="key">{locker.leftShipmentUid}</span>
        </details>
      )}
      {(doorFailure || outOfOrder) && (
        <div class="row">
          <Mechanic
            pupUid={pupUid}
            lockerName={lockerName}
            processKey={shipments.find(({ workflowId }) => workflowId !== null)?.workflowId ?? null}
            mayAct={canDecide}
          />
        </div>
      )}
      {canDecide && <Actions locker={locker} out={out} />}
    </>
  );
}

const Since = ({ at }: { readonly at: string }) => (
  <>
    {' '}
    {t`since`} <Time at={at} /> (<Ago at={at} />)
  </>
);

/** Who has taken it out of order. */
const By = ({ by, at, why }: TakenOut) => (
  <>
    {by && t`, by ${by}`} <Time at={at} /> {why && <q>{why}</q>}
  </>
);

interface HeldProps extends Pick<LockerPanelProps, 'clockAheadMs' | 'canDecide'> {
  readonly held: HeldBy;
  readonly about: TileAbout | undefined;
  readonly lockerName: string;
  readonly opened: (words: string) => void;
}

const doors: Readonly<Record<string, string>> = { Open: t`open`, Closed: t`closed`, Unknown: t`unknown` };

function Held({ held, about, lockerName, clockAheadMs, canDecide, opened }: HeldProps) {
  const { shipmentUid, stateCode, goal, since, workflowId, byHand } = held;
  const whose = useWhose(shipmentUid, canDecide, stateCode);
  return (
    <div class="held">
      <h3>{about?.isForDesk ? t`The desk takes it out` : capitalized(held.words)}</h3>
      {about?.item && <p>{about.item}</p>}
      {whose && <p>{capitalized(whose)}</p>}
      {since && (
        <p>
          {t`Since`} <Time at={since} aheadMs={clockAheadMs} /> (<Ago at={since} aheadMs={clockAheadMs} />)
        </p>
      )}
      {workflowId && (
        <p>
          <a href={`/process/${encodeURIComponent(workflowId)}`}>{workflowId}</a>
        </p>
      )}
      {canDecide && stateCode !== 'Registered' && (
        <p class="row">
          <Codes shipmentUid={shipmentUid} goal={goal} />
          <Opening
            shipmentUid={shipmentUid}
            lockerName={lockerName}
            goal={goal}
            opened={() => opened(whatToDo(goal, about?.item))}
          />
          {byHand && (
            <ActionButton
              form={byHand}
              about={t`Locker ${lockerName}`}
              done={({ done }) => opened(done ?? '')}
            />
          )}
        </p>
      )}
      {canDecide && workflowId && (
        <div class="row">
          <MessageButton processKey={workflowId} />
        </div>
      )}
      <details class="support">
        <summary>{t`Technical`}</summary>
        {t`shipment`} <span class="key">{shipmentUid}</span>
      </details>
    </div>
  );
}

/** The shipment may be over then, and the locker forget what lies in it. */
function whatToDo(goal: HeldBy['goal'], item: string | null = null): string {
  const what = item ?? t`the item`;
  if (goal === null) return t`It was opened.`;
  return goal === 'PickUp'
    ? t`It was opened: take ${what} out, and shut the door. Then the locker is free.`
    : t`It was opened: put ${what} in, and shut the door.`;
}

/** Whom a shipment is for, and from; asked again when its state has changed. */
function useWhose(shipmentUid: string, canDecide: boolean, stateCode?: string): string {
  const path = `/api/walls/held?${new URLSearchParams({ shipmentUid })}`;
  const { data, refusal } = useJson<HeldFor>(canDecide ? path : undefined, stateCode);
  if (refusal && !data) return t`whom it is for could not be read`;
  return [data?.to && t`for ${data.to}`, data?.from && t`from ${data.from}`].filter(Boolean).join(', ');
}

type LeftProps = Pick<LockerPanelProps, 'locker' | 'abouts' | 'canDecide'>;

/** The item of a shipment that was cancelled. */
function Left({ locker: { leftShipmentUid, leftWorkflowId }, abouts, canDecide }: LeftProps) {
  const uid = leftShipmentUid ?? '';
  const whose = useWhose(uid, canDecide);
  return (
    <>
      {abouts[uid]?.item ?? t`the item of a shipment that ended`}
      {whose && `, ${whose}`}
      {leftWorkflowId && (
        <>
          {' '}
          (<a href={`/process/${encodeURIComponent(leftWorkflowId)}`}>{leftWorkflowId}</a>)
        </>
      )}
    </>
  );
}

/** What a door was opened for, behind when. */
function formatGoal({ goal, why, by }: NonNullable<WallLocker['lastAccess']>): string {
  if (goal === null) return '';
  const who = by === null ? '' : t`, by ${by}`;
  return `, ${goalTexts[goal] ?? goal}${who}${why === null ? '' : `: “${why}”`}`;
}

const goalTexts: Readonly<Record<string, string>> = {
  DropOff: t`to drop off`,
  PickUp: t`to pick up`,
  Look: t`to look inside`,
};

function Actions({ locker, out }: Pick<LockerPanelProps, 'locker' | 'out'>) {
  const { lockerUid, lockerName, outOfOrder, toBeEmptied } = locker;
  const [said, setSaid] = useState<string>();
  const report = ({ done }: { readonly done?: string }) => setSaid(done);
  const of = encodeURIComponent(lockerUid);
  const order = useSubmission(
    () => postJson<{ done: string }>(`/v1/lockers/${of}/out-of-order`, { outOfOrder: !outOfOrder }),
    report,
  );
  return (
    <>
      <div class="row">
        <Button press={order.run} isBusy={order.isBusy}>
          {outOfOrder ? t`Put in order again` : t`Take out of order`}
        </Button>
        {[lookForm(lockerUid), ...(toBeEmptied && out ? [out] : [])].map((form) => (
          <ActionButton key={form.id} form={form} about={t`Locker ${lockerName}`} done={report} />
        ))}
      </div>
      <p role="status">{said}</p>
      {order.refusal && <RefusalNote refusal={order.refusal} />}
    </>
  );
}
