// The failure converter of a process that encrypts: outside the workflows' sandbox it is loaded only there.
import { DefaultFailureConverter } from '@temporalio/common';

export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
