// No message has an access code of the lockers that it is about: whoever reads along could open them. The codes are asked for only where
// the text could have one, because the service keeps in its audit log who has read them: here
// nobody's name, as no person sees them.
import { CODE_COMPARISON } from '../../contract/flows/outreach.ts';
import { t } from '../../shared/texts/text.ts';
import { unlessUnknown } from '../locker-service.ts';
import { refused } from '../outcome.ts';
import type { CaseLocker, Service } from './case-about.ts';

/** What people put between the digits of a code that they read out. */
const BETWEEN = /[\s.,;:_/-]+/g;
const compact = (text: string): string => text.replaceAll(BETWEEN, '').toUpperCase();

/** Shorter than every code of a locker. */
const SHORTEST_CODE = 3;
const MAY_BE_CODE = /[A-Z0-9]*\d[A-Z0-9]*/g;

const mayHoldCode = (text: string): boolean =>
  (compact(text).match(MAY_BE_CODE) ?? []).some(({ length }) => length >= SHORTEST_CODE);

/** Throws CommandError (CodeInMessage). */
export async function requireNoCode(
  service: Service,
  lockers: readonly Pick<CaseLocker, 'shipmentUid'>[],
  text: string,
): Promise<void> {
  if (!mayHoldCode(text)) return;
  const told = compact(text);
  for (const { shipmentUid } of lockers) {
    const codes = await unlessUnknown(() =>
      service.call('GetShipmentAccessCode', { shipmentUid }, { onBehalfOf: CODE_COMPARISON }),
    );
    const all = [codes?.pickUpCode, codes?.deliveryCode].flatMap((code) => code || []);
    if (!all.some((code) => told.includes(compact(code)))) continue;
    throw refused(
      'CodeInMessage',
      t`the text has an access code; leave it out: the person has it from the locker service`,
      { fields: { text: t`has an access code; leave it out` } },
    );
  }
}
