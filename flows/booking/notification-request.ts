// Which notifications the start of a flow asks for. The input is unchecked: what is no such request asks for nothing.
import type { Tell } from '../../contract/flows/flow-input.ts';

export function notificationRequestIn(input: unknown): Tell | null {
  const { tell } = input as { readonly tell?: Tell | null };
  return tell && Array.isArray(tell.events) && isConnector(tell.to ?? 'x') ? tell : null;
}

const isConnector = (to: unknown): boolean => typeof to === 'string' && /^[A-Za-z][\w-]{0,63}$/.test(to);
