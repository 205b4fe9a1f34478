// What a played process has sent to other processes.
import { SIGNAL_ARGUMENT } from '../../engine/actor-kinds.ts';
import type { VirtualHost } from '../../engine/virtual-host.ts';
import type { CorrelationKeys, CorrelationMessage } from '../language/correlation.ts';
import type { Json } from '../language/flow-file.ts';

/** An event for another process, as stories and people see it. */
export interface SentEvent {
  readonly type: string;
  readonly data: Json;
  /** The id of an invoke, or `parent`. */
  readonly to?: string;
  readonly where?: CorrelationKeys;
}

export function sentEventOf(sent: ReturnType<VirtualHost['takeSent']>[number]): SentEvent[] {
  const plain = ({ type, data = null }: { type: string; data?: unknown }) => ({ type, data: data as Json });
  switch (sent.to) {
    case 'child':
      return [{ ...plain((sent.event as Record<string, unknown>)[SIGNAL_ARGUMENT] as never), to: sent.id }];
    case 'parent':
      // The engine's own.
      return sent.event.type === 'needsPerson' ? [] : [{ ...plain(sent.event), to: 'parent' }];
    case 'others': {
      const message = sent.message as CorrelationMessage;
      return message.kind === 'event' ? [{ ...plain(message.event), where: message.event.where }] : [];
    }
    default:
      return [];
  }
}
