// The bound of what a process keeps. It holds after every step, so that a history never carries more.
import { ExpressionFailure } from '../expressions/failure.ts';
import { bounds } from '../flow-file.ts';
import type { FlowContext } from './kit.ts';

/** UTF-8 bytes as JSON, counted without a Buffer, which workflows have not. */
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
