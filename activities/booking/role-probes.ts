// Asks the service what tells the roles of a booking's shipments, within a short time. A probe that fails tells nothing
// and fails nothing. Access codes are compared here and go no further than this file.
import { CancelledFailure, log } from '@temporalio/activity';
import type { BookedLeg } from '../../contract/flows/flow-input.ts';
import type { LegReferences } from '../../flows/booking/activities.ts';
import { type LockerApi, LockerApiError } from '../../shared/locker-api/index.ts';
import { findShipment, type ListedShipment } from '../../shared/locker-api/list-shipments.ts';
import { callOperation, type ReadingDependencies, shipmentReader } from '../operation-call.ts';
import { type CodeEvidence, type RoleEvidence, rolesByEvidence } from './role-evidence.ts';

interface ProbeInput {
  readonly legs: readonly BookedLeg[];
  readonly shipmentUids: readonly string[];
  readonly priorShipmentUid: string | null;
  readonly references: readonly LegReferences[];
  /** The listing is asked even where every role is known: for the state, and the locker that the answer did not name. */
  readonly listing: boolean;
}

// The booking is known: its answer must not wait longer for optional evidence.
export const PROBING_MS = 2_000;

export async function gatherEvidence(
  dependencies: ReadingDependencies,
  input: ProbeInput,
  probingMs: number = PROBING_MS,
): Promise<RoleEvidence> {
  const { legs, shipmentUids, priorShipmentUid, references } = input;
  const { capabilities } = dependencies.serviceProfile;
  const signal = AbortSignal.timeout(probingMs);
  const isOpen = (evidence: RoleEvidence) =>
    [...rolesByEvidence(legs, shipmentUids, evidence).values()].includes(null);
  let evidence: RoleEvidence = { priorShipmentUid, references, records: [], codes: [] };
  if (capabilities.has('getShipments') && (input.listing || isOpen(evidence)))
    evidence = { ...evidence, records: await listed(dependencies, shipmentUids, signal) };
  if (capabilities.has('accessCodes') && isOpen(evidence))
    evidence = { ...evidence, codes: await comparedCodes(dependencies.api, shipmentUids, signal) };
  return evidence;
}

export async function listed(
  dependencies: ReadingDependencies,
  uids: readonly string[],
  signal: AbortSignal,
): Promise<ListedShipment[]> {
  const probes = await Promise.all(
    uids.map((uid) => unlessFailing(findShipment(shipmentReader(dependencies, { signal }), uid))),
  );
  return probes.filter((each) => each !== null);
}

async function comparedCodes(
  api: LockerApi,
  uids: readonly string[],
  signal: AbortSignal,
): Promise<CodeEvidence[]> {
  const read = async (shipmentUid: string) => {
    const codes = await callOperation(api, 'GetShipmentAccessCode', { shipmentUid }, { signal });
    return { shipmentUid, pickUpCode: codes.pickUpCode || null, deliveryCode: codes.deliveryCode || null };
  };
  const all = await Promise.all(uids.map((uid) => unlessFailing(read(uid))));
  const known = all.filter((each) => each !== null);
  return known.map(({ shipmentUid, deliveryCode }) => ({
    shipmentUid,
    hasDeliveryCode: deliveryCode !== null,
    sharesCodeOf: known
      .filter((other) => other.shipmentUid !== shipmentUid && other.pickUpCode !== null)
      .filter(({ pickUpCode }) => pickUpCode === deliveryCode)
      .map((other) => other.shipmentUid),
  }));
}

/** A failed probe fails nothing: the booking must be reported, or the server repeats it. */
async function unlessFailing<Value>(probe: Promise<Value>): Promise<Value | null> {
  try {
    return await probe;
  } catch (error) {
    const isExpected = error instanceof LockerApiError || error instanceof CancelledFailure;
    log[isExpected ? 'info' : 'error']('a probe for the roles of a booking told nothing', {
      reason: error instanceof Error ? error.message : String(error),
    });
    return null;
  }
}
