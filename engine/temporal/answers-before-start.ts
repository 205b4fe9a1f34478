// What a process answers before its first step: it may still fetch its definition, or its time, and is asked meanwhile.
import { defineQuery, setHandler } from '@temporalio/workflow';
import { actionsOf, cancelCommand } from '../commands.ts';

interface BeforeStart {
  readonly flow: string;
  progress(): unknown;
  /** It may fail before its first step. Open unless given. */
  isOpen?(): boolean;
}

/** The engine's own answers take their place with the first step. */
export function answerBeforeStart(of: BeforeStart): void {
  const { flow, progress, isOpen = () => true } = of;
  setHandler(defineQuery('progress'), progress);
  setHandler(defineQuery<unknown, [unknown]>('actions'), (asked) =>
    actionsOf({ isOpen: isOpen(), start: { flow } }, onlyCancel, asked),
  );
}

const onlyCancel = () => [cancelCommand({ cancellationRefusal: () => undefined })];
