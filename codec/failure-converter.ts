// Puts a failure's message and stack into a payload, which the codec encrypts. Part of every bundle of workflows, where it
// does so only if the worker has switched it on (data-converter.ts): without a codec the Web UI could not show them.
import { DefaultFailureConverter } from '@temporalio/common';

declare global {
  var lockerflowEncodesFailures: boolean | undefined;
}

export const failureConverter = new DefaultFailureConverter({
  encodeCommonAttributes: globalThis.lockerflowEncodesFailures === true,
});
