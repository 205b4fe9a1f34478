// The lockers of a process: the codes on request, and a way to open it with a reason.

import { t } from '../../../shared/texts/text.ts';
import type { LockerShown } from '../../process/overview/overview-view.ts';
import { Side } from '../parts/frames.tsx';
import { Codes, Opening } from '../walls/locker-access.tsx';
import { PickUpPoint } from './answers.tsx';

interface LockersProps {
  readonly lockers: readonly LockerShown[];
  readonly mayAct: boolean;
  /** Whom and what a flow is about that the case has started for one of many; null: it is none of these. */
  readonly nameOf: (key: string) => string | null;
}

export function Lockers({ lockers, mayAct, nameOf }: LockersProps) {
  const shown = lockers.filter(
    (each) => each.goal !== null || !lockers.some((other) => isBefore(other, each)),
  );
  if (shown.length === 0) return null;
  return (
    <Side title={shown.length === 1 ? t`Locker` : t`Lockers`}>
      {shown.map((locker) => (
        <div key={locker.shipmentUid} class="locker-shown">
          <p>
            <strong>
              {t`Locker`} {locker.lockerName ?? ''}
            </strong>
            {locker.pupUid && (
              <>
                , <PickUpPoint pupUid={locker.pupUid} />
              </>
            )}
          </p>
          <p class="soft">
            {nameOf(locker.key) ?? ''} {locker.words}
          </p>
          {mayAct && (
            <p class="row">
              <Codes shipmentUid={locker.shipmentUid} goal={locker.goal} />
              <Opening {...locker} />
              {locker.goal && <Opening {...locker} goal={null} />}
            </p>
          )}
        </div>
      ))}
    </Side>
  );
}

/** The same locker, for a shipment that is there now. */
const isBefore = (one: LockerShown, { pupUid, lockerName }: LockerShown): boolean =>
  one.goal !== null && one.pupUid === pupUid && one.lockerName === lockerName;
