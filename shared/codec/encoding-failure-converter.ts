// The failure converter of a process that encrypts: outside the workflows' sandbox only a process that encrypts loads it.
import { DefaultFailureConverter } from '@temporalio/common';

export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
