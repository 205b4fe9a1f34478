// The messages that people have sent: to a person, and about which processes lately.
import { z } from 'zod';
import type { AfterEndMemo } from '../../contract/flows/after-end.ts';
import {
  CASE_MESSAGE_SUBJECT,
  type CaseMessageMemo,
  OUTREACH_DELIVERY,
  type ShipmentMessageMemo,
  subjectMessageTo,
} from '../../contract/flows/outreach.ts';
import { isSearchable } from '../../shared/routing/owners.ts';
import { callTemporal } from '../temporal-context.ts';
import { onTaskQueue, quoted, within } from '../views/flow-query.ts';
import { foundOutreach, type OutreachParts } from './found-outreach.ts';
import { shipmentMessage } from './shipment-messages.ts';

export const sentMessage = shipmentMessage.extend({
  key: z
    .string()
    .nullable()
    .meta({ description: 'The key of the process that it is about; null: about a shipment' }),
  shipmentUid: z.string().nullable().meta({ description: 'Null: it is about a process' }),
});
export type SentMessage = Readonly<z.infer<typeof sentMessage>>;

type MessageMemo = CaseMessageMemo | ShipmentMessageMemo;

/** Undefined: it is none. */
function memoOf(memo: Readonly<Record<string, unknown>>): MessageMemo | undefined {
  const { afterEnd, message } = memo as { readonly afterEnd?: AfterEndMemo; readonly message?: MessageMemo };
  return afterEnd?.name === 'message' ? { ...afterEnd.fields, key: afterEnd.key } : message;
}

/** The newest first. Throws CommandError (unreachable). */
async function sentMessages(parts: OutreachParts, subject: string, most: number): Promise<SentMessage[]> {
  if (!isSearchable(subject)) return [];
  const since = new Date(Date.now() - RECENT_MS).toISOString();
  const found = await foundOutreach(parts, subject, { since, most }, memoOf);
  return found.map(({ memo: { by, to, text, onBehalfOf = null, why = null, ...about }, ...became }) => ({
    ...{ by, onBehalfOf, why, to, text, ...became },
    ...{ key: null, shipmentUid: null, pupUid: null, lockerName: null },
    ...('key' in about ? { key: about.key } : placeOf(about)),
  }));
}

const placeOf = ({ shipmentUid, pupUid, lockerName }: Omit<ShipmentMessageMemo, keyof CaseMessageMemo>) => ({
  shipmentUid,
  pupUid,
  lockerName,
});

/** What was said before is of no use for what is now. */
const RECENT_MS = 30 * 86_400_000;
/** As many as a person reads. */
const MOST_TO_PERSON = 10;

export const messagesTo = (parts: OutreachParts, userUid: string): Promise<SentMessage[]> =>
  sentMessages(parts, subjectMessageTo(userUid), MOST_TO_PERSON);

export const toldCase = z.object({
  key: z.string().meta({ description: 'The key of the process' }),
  to: z.string().nullable().meta({
    description: 'userUid of the person; null for who may not act on processes',
  }),
  at: z.string(),
  by: z.string().meta({ description: 'Who has sent it, or for whom a program did' }),
});
export type ToldCase = Readonly<z.infer<typeof toldCase>>;

/** A wall that is offline today is told of today. */
const TOLD_MS = 86_400_000;
const MOST_TOLD = 2_000;

/** Whom something was told about which process within a day, the last message of each; the newest first. */
export async function toldCases(parts: OutreachParts): Promise<ToldCase[]> {
  const { client, taskQueue } = parts;
  const query = [
    `WorkflowType = '${OUTREACH_DELIVERY}'`,
    onTaskQueue(taskQueue),
    `LockerSubjects = ${quoted(CASE_MESSAGE_SUBJECT)}`,
    ...within('StartTime', { since: new Date(Date.now() - TOLD_MS).toISOString() }),
    // One that was refused has reached nobody.
    "ExecutionStatus IN ('Running', 'Completed')",
  ].join(' AND ');
  return await callTemporal(parts, async () => {
    const told: ToldCase[] = [];
    for await (const { startTime, memo } of client.workflow.list({ query })) {
      const message = memoOf(memo ?? {});
      if (!message || !('key' in message)) continue;
      const { key, to, onBehalfOf, by } = message;
      told.push({ key, to, at: startTime.toISOString(), by: onBehalfOf ?? by });
      if (told.length === MOST_TOLD) break;
    }
    const last = new Map<string, ToldCase>();
    for (const each of told.sort(byMoment)) last.set(JSON.stringify([each.key, each.to]), each);
    return [...last.values()].sort(byMoment).reverse();
  });
}

const byMoment = (one: ToldCase, other: ToldCase): number => one.at.localeCompare(other.at);
