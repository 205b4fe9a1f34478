// Does what a person has chosen. What the process refuses comes back in its own words.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { refusalOfEvent, requireOpen } from '../../client/command-line/open-flow.ts';
import { type AtTemporal, answered } from '../../client/command-line/temporal.ts';
import { roles, stages } from '../../contract/flows/flow-input.ts';
import type { Json } from '../../flow-files/flow-file.ts';
import { cancelProcess, doDecision, isDecision } from '../decisions/do-decision.ts';
import { answerQuestion, questionOf } from '../decisions/question-choices.ts';
import { anyText, oneOf, read, refusedFields, text, type Values } from '../decisions/read-values.ts';
import { ConsoleRefusal } from '../refusal.ts';
import { RESOLVE } from './choices.ts';

export interface Chosen {
  readonly key: string;
  readonly id: string;
  readonly values: Values;
  /** Who decides. */
  readonly by: string;
}

const role = oneOf(roles);

const extension = z.object({
  deadline: z.templateLiteral([role, '.', z.enum(stages)], 'is missing'),
  until: z.iso.datetime({ offset: true, error: 'is not a time; expected one like 2031-05-01T12:00:00Z' }),
});
const receiver = z.object({
  role,
  toUserUid: text,
  caseReferenceNew: anyText.optional(),
});
const event = z.object({ type: text, data: z.string().max(100_000).optional() });

/** Throws ConsoleRefusal with the wrong fields, UpdateRefused, FlowNotFound. */
export async function doChoice(temporal: AtTemporal, chosen: Chosen): Promise<void> {
  const { key, id, values, by } = chosen;
  await requireOpen(temporal.client, key);
  const question = questionOf(id);
  if (question !== undefined) return await answerQuestion(temporal, { key, question, values, by });
  const action = id.startsWith(RESOLVE) ? id.slice(RESOLVE.length) : id;
  if (isDecision(action)) return await doDecision(temporal, { key, action, values, by });
  const act = Object.hasOwn(acts, id) ? acts[id] : undefined;
  if (!act) throw new ConsoleRefusal(404, 'NoSuchChoice', `There is no ${id}; look at the process again.`);
  await act(temporal, chosen);
}

const acts: Readonly<Record<string, (temporal: AtTemporal, chosen: Chosen) => Promise<void>>> = {
  extend: async (temporal, { key, values }) => {
    const { deadline, until } = read(extension, values);
    const [of, stage] = deadline.split('.') as [(typeof roles)[number], (typeof stages)[number]];
    const update = { role: of, stage, until: new Date(until).toISOString() };
    await answered(temporal, () => temporal.flows.handle(key).extendDeadline(update));
  },
  setReceiver: async (temporal, { key, values }) => {
    const { caseReferenceNew, ...of } = read(receiver, values);
    const update = { ...of, ...(caseReferenceNew && { caseReferenceNew }) };
    await answered(temporal, () => temporal.flows.handle(key).setReceiver(update));
  },
  removeReceiver: async (temporal, { key, values }) => {
    const update = read(z.object({ role }), values);
    await answered(temporal, () => temporal.flows.handle(key).removeReceiver(update));
  },
  event: async (temporal, { key, values }) => {
    const { type, data } = read(event, values);
    const refusal = await refusalOfEvent(temporal, key, type);
    if (refusal !== undefined) throw refusedFields({ type: refusal });
    const fields = data?.trim() ? { data: jsonOf(data) } : {};
    await temporal.flows.fileHandle(key).tell({ type, id: randomUUID(), ...fields });
  },
  cancel: cancelProcess,
};

function jsonOf(given: string): Json {
  try {
    return JSON.parse(given) as Json;
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw refusedFields({ data: `is not JSON (${words}); expected something like { "cost": 12 }` });
  }
}
