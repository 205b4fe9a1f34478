// Takes a locker out of order, so that no booking gets it, and puts it in order again.
import { t } from '../../shared/texts/text.ts';
import type { ActionForm } from './question-forms.ts';

export const takeOutOfOrder = (lockerUid: string): ActionForm => ({
  id: 'outOfOrder',
  label: t`Take the locker out of order`,
  consequence: t`No booking gets the locker until it is put in order again. A shipment that has it keeps it.`,
  fields: [],
  request: requestOf(lockerUid, true),
});

export const putInOrder = (lockerUid: string): ActionForm => ({
  id: 'inOrder',
  label: t`Put in order again`,
  consequence: t`The next booking may get this locker.`,
  fields: [],
  request: requestOf(lockerUid, false),
});

const requestOf = (lockerUid: string, outOfOrder: boolean): ActionForm['request'] => ({
  path: `/v1/lockers/${encodeURIComponent(lockerUid)}/out-of-order`,
  body: { outOfOrder },
});
