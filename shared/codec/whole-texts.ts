// Half a surrogate pair in a text for Temporal. protobufjs writes it, in a text of fewer than 40 characters, as bytes that are no
// UTF-8; the core of Temporal's library then ends the whole worker, and ends it again after each restart, for the message of one
// failure. Here it becomes U+FFFD, as protobufjs itself has it in longer texts.
import proto from '@temporalio/proto';

type WriteText = (this: object, text: string) => object;

const writer = Object.getPrototypeOf(proto.temporal.api.common.v1.WorkflowExecution.encode({})) as {
  string: WriteText & { readonly isWhole?: true };
};

/** In this process, from now on. */
export function writeWholeTexts(): void {
  const { string: write } = writer;
  if (write.isWhole) return;
  const writeWhole: WriteText = function writeWhole(text) {
    return write.call(this, text.toWellFormed());
  };
  writer.string = Object.assign(writeWhole, { isWhole: true as const });
}
