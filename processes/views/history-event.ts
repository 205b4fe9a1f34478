// The events of a history as Temporal gives them, and what several readers take from one.
import type { Client } from '@temporalio/client';
import { withCode } from '../../flows/language/with-code.ts';

type History = NonNullable<
  Awaited<ReturnType<Client['workflowService']['getWorkflowExecutionHistory']>>['history']
>;
export type HistoryEvent = NonNullable<History['events']>[number];

/** Decodes the payload of a data converter; null without one. */
export type Decode = (payload: Payload | null | undefined) => Promise<unknown>;
export type Payload = NonNullable<NonNullable<HistoryEvent['userMetadata']>['summary']>;

/** What an event is, by the name of its attributes. */
export type Attributes = keyof HistoryEvent;
export type Of<Name extends Attributes> = NonNullable<HistoryEvent[Name]>;

export interface FailureInHistory {
  readonly message?: string | null;
  readonly applicationFailureInfo?: {
    readonly type?: string | null;
    readonly details?: { readonly payloads?: Payload[] | null } | null;
  } | null;
  readonly cause?: FailureInHistory | null;
}

export function failureText(failure: FailureInHistory | null | undefined): string {
  const type = failure?.applicationFailureInfo?.type;
  const message = failure?.message;
  if (type && message) return withCode(type, message);
  return type || message || 'no reason given';
}

export function fieldOf(value: unknown, name: string): string | null {
  const field: unknown =
    typeof value === 'object' && value !== null
      ? Object.entries(value).find(([key]) => key === name)?.[1]
      : null;
  return typeof field === 'string' ? field : null;
}
