// The search attributes that a process is started with.
import { type Attribution, isByProgram } from '../contract/flows/attribution.ts';
import type { SearchAttributeName } from '../contract/flows/search-attributes.ts';
import type { Published } from '../flows/language/registry.ts';
import { subjectsOfRequest } from '../flows/language/subjects.ts';

/**
 * Lists find a process by its phase and by whom and what it is about, also one that fails in its first step. Callbacks of the prior shipment may come before the
 * answer of the booking: with its uid the receiver finds the flow from the start.
 */
export function searchAttributesOf(input: object): Partial<Record<SearchAttributeName, string[]>> {
  const request: unknown = 'request' in input ? input.request : null;
  const prior =
    typeof request === 'object' && request !== null && 'priorShipmentUid' in request
      ? { LockerShipmentUids: [String(request.priorShipmentUid)] }
      : {};
  const subjects = subjectsOfRequest(request).filter(isKeyword).slice(0, MAX_SUBJECTS);
  return {
    LockerPhase: ['Open'],
    ...(subjects.length > 0 && { LockerSubjects: subjects }),
    ...prior,
  };
}

/** Temporal on SQL takes 255 bytes for each, and 2,048 for all: the process itself sets what is more. */
const isKeyword = (value: string): boolean => Buffer.byteLength(value) <= 255;
const MAX_SUBJECTS = 6;

/** What a person starts is found by whoever asks what people did; what programs start is most of what there is. */
export const actedAttribute = (who: Attribution | undefined): Partial<Record<SearchAttributeName, Date[]>> =>
  who === undefined || isByProgram(who) ? {} : { LockerActedAt: [new Date()] };

/** Lists, and migrations to another version, find it before its first step too. */
export const versionAttribute = (
  flow: string,
  published: Published | undefined,
): Partial<Record<SearchAttributeName, string[]>> =>
  published ? { LockerFlowVersion: [`${flow}@${published.version}`] } : {};
