// The limit of what a process keeps. It is checked after every step, so that no history holds more.
import { ExpressionFailure } from '../expressions/failure.ts';
import { bounds } from '../flow-file.ts';
import type { FlowContext } from './kit.ts';

/** The bytes of a value as JSON in UTF-8. Counted by hand, because workflows have no Buffer. */
export function jsonBytes(value: unknown): number {
  const text = JSON.stringify(value) ?? '';
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

export function contextFailure({ context }: FlowContext): ExpressionFailure | undefined {
  const bytes = jsonBytes(context);
  if (bytes <= bounds.contextBytes) return undefined;
  return new ExpressionFailure({
    code: 'ContextTooLarge',
    path: 'context',
    reason: `the context would hold ${bytes} bytes, expected at most ${bounds.contextBytes}`,
  });
}
