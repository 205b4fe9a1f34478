// The technical facts of a flow with shipments: their states and lockers, the ledger of reports, and what people decided.
import type { AnyProgress } from '../../process/process-view.ts';
import { Side, Table } from '../parts/frames.tsx';
import { Time } from '../parts/time.tsx';

type FlowProgress = Extract<AnyProgress, { readonly shipments: unknown }>;

interface FlowSidesProps {
  readonly progress: FlowProgress;
}

export function FlowSides({ progress }: FlowSidesProps) {
  return (
    <>
      <Shipments progress={progress} />
      <Ledger progress={progress} />
      <Decisions progress={progress} />
    </>
  );
}

function Shipments({ progress: { shipments, unassigned, itemsLeft } }: FlowSidesProps) {
  const known = Object.entries(shipments).map(([role, leg]) => ({ role, ...leg }));
  const others = unassigned.map((leg) => ({
    ...leg,
    role: `unknown: ${leg.possibleRoles.join(' or ')}`,
    done: false,
  }));
  const rows = [...known, ...others];
  if (rows.length === 0) return null;
  return (
    <Side title="Shipments">
      <Table head={['Shipment', 'State', 'Since', 'Locker']}>
        {rows.map(({ role, shipmentUid, stateCode, stateStart, done, pupUid, lockerName }) => (
          <tr key={shipmentUid}>
            <th scope="row">
              {role}
              <p class="soft key">{shipmentUid}</p>
            </th>
            <td>
              {stateCode ?? 'unknown'}
              {done && (
                <>
                  {' '}
                  <span class="pill good">done</span>
                </>
              )}
            </td>
            <td>
              <Time at={stateStart} />
            </td>
            <td>
              {lockerName ?? '–'}
              {pupUid && (
                <>
                  {' '}
                  of <a href={`/walls/${encodeURIComponent(pupUid)}`}>{pupUid}</a>
                </>
              )}
            </td>
          </tr>
        ))}
      </Table>
      {itemsLeft.map(({ role, shipmentUid, lockerName, pupUid }) => (
        <p key={shipmentUid} class="note">
          The item of {role ?? shipmentUid} is left in locker {lockerName ?? 'unknown'} of{' '}
          {pupUid ?? 'unknown'}. Somebody must fetch it.
        </p>
      ))}
    </Side>
  );
}

const verdicts: Readonly<Record<string, string>> = {
  next: 'taken: it went on',
  skippedAhead: 'taken: reports before it were lost',
  repeated: 'known already',
  stale: 'older than what is known',
  unknown: 'of no known state',
  contradictory: 'cannot follow from the state before: not taken',
  pickedUp: 'taken: picked up, the locker stays booked',
  postponed: 'kept until the shipments were known',
  afterTheEnd: 'came after the end',
};

function Ledger({ progress: { ledger, shipments } }: { readonly progress: FlowProgress }) {
  if (ledger.length === 0) return null;
  const roles = new Map(Object.entries(shipments).map(([role, leg]) => [leg.shipmentUid, role]));
  return (
    <Side title="Reports that came">
      <Table head={['Came', 'Shipment', 'Says', 'What became of it']}>
        {ledger.toReversed().map(({ shipmentUid, stateCode, receivedAt, verdict, times }) => (
          <tr key={`${shipmentUid} ${stateCode} ${receivedAt}`}>
            <td>
              <Time at={receivedAt} />
            </td>
            <td title={shipmentUid}>{roles.get(shipmentUid) ?? shipmentUid}</td>
            <td>{stateCode}</td>
            <td>
              {verdicts[verdict] ?? verdict}
              {times > 1 && `, ${times} times`}
            </td>
          </tr>
        ))}
      </Table>
    </Side>
  );
}

function Decisions({ progress: { resolutions } }: { readonly progress: FlowProgress }) {
  if (resolutions.length === 0) return null;
  return (
    <Side title="What people decided">
      <ul>
        {resolutions.map(({ action, by, why, at }) => (
          <li key={at}>
            <strong>{action}</strong> by {by}, <Time at={at} />: {why}
          </li>
        ))}
      </ul>
    </Side>
  );
}
