// SimulateLockerAccess (interface: staging only): a pin code typed at a locker, exactly as a person there would.
import type { Handler } from '../handler.ts';
import { accessLocker } from './access-locker.ts';

export const simulateLockerAccess: Handler<'SimulateLockerAccess'> = (request, context) => {
  const { pupUid, lockerName, pinCode: code } = request;
  return accessLocker(context, request, { pupUid, lockerName, code });
};
