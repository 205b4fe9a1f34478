// Puts a failure's message and stack into a payload, which the codec encrypts. Every bundle of workflows has it, but it
// works only if the worker has switched it on (data-converter.ts): without a codec the Web UI could not show such
// failures.
import { DefaultFailureConverter } from '@temporalio/common';

declare global {
  var lockerflowEncodesFailures: boolean | undefined;
}

export const failureConverter = new DefaultFailureConverter({
  encodeCommonAttributes: globalThis.lockerflowEncodesFailures === true,
});
