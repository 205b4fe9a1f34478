// Does what a person has chosen. What the process refuses comes back in its own words.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { requireOpen } from '../../client/command-line/open-flow.ts';
import { type AtTemporal, answered } from '../../client/command-line/temporal.ts';
import { type Decision, decide } from '../../client/command-line/waiting/decide.ts';
import { roles, stages } from '../../contract/flows/flow-input.ts';
import type { Resolve } from '../../contract/flows/flow-messages.ts';
import { stateCodes } from '../../contract/wire/states.ts';
import type { Json, JsonObject } from '../../flow-files/flow-file.ts';
import { ConsoleRefusal, fieldsOf } from '../refusal.ts';
import { ANSWER } from './question-choices.ts';

export interface Chosen {
  readonly key: string;
  readonly id: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** Who decides. */
  readonly by: string;
}

const LONGEST = 2_000;
const text = z.string('is missing').trim().min(1, 'is missing').max(LONGEST);
const why = z.object({ why: text });
const role = z.enum(roles, 'is missing');

const extension = z.object({
  deadline: z.templateLiteral([role, '.', z.enum(stages)], 'is missing'),
  until: z.iso.datetime({ offset: true, error: 'is no time; expected one like 2031-05-01T12:00:00Z' }),
});
const receiver = z.object({
  role,
  toUserUid: text,
  caseReferenceNew: z.string().trim().max(LONGEST).optional(),
});
const event = z.object({ type: text, data: z.string().max(100_000).optional() });
const state = z.object({ role, stateCode: z.enum(stateCodes, 'is missing') });

/** Throws ConsoleRefusal with the wrong fields, UpdateRefused, FlowNotFound. */
export async function doChoice(temporal: AtTemporal, chosen: Chosen): Promise<void> {
  const { key, id, values } = chosen;
  await requireOpen(temporal.client, key);
  const question = id.startsWith(ANSWER) ? id.slice(ANSWER.length) : undefined;
  if (question !== undefined) return await answer(temporal, chosen, question);
  const act = Object.hasOwn(acts, id) ? acts[id] : undefined;
  if (!act)
    throw new ConsoleRefusal(
      404,
      'NoSuchChoice',
      `There is no ${id}; expected ${Object.keys(acts).join(', ')}.`,
    );
  await act(temporal, key, values, chosen.by);
}

type Act = (temporal: AtTemporal, key: string, values: unknown, by: string) => Promise<void>;

const acts: Readonly<Record<string, Act>> = {
  extend: async (temporal, key, values) => {
    const { deadline, until } = read(extension, values);
    const [of, stage] = deadline.split('.') as [(typeof roles)[number], (typeof stages)[number]];
    const update = { role: of, stage, until: new Date(until).toISOString() };
    await answered(temporal, () => temporal.flows.handle(key).extendDeadline(update));
  },
  setReceiver: async (temporal, key, values) => {
    const { caseReferenceNew, ...of } = read(receiver, values);
    const update = { ...of, ...(caseReferenceNew && { caseReferenceNew }) };
    await answered(temporal, () => temporal.flows.handle(key).setReceiver(update));
  },
  removeReceiver: async (temporal, key, values) => {
    const update = read(z.object({ role }), values);
    await answered(temporal, () => temporal.flows.handle(key).removeReceiver(update));
  },
  'resolve.retry': (temporal, key, values, by) =>
    decide(temporal, key, { action: 'retry', by, ...read(why, values) }),
  'resolve.giveUp': (temporal, key, values, by) =>
    decide(temporal, key, { action: 'giveUp', by, ...read(why, values) }),
  'resolve.setState': (temporal, key, values, by) =>
    decide(temporal, key, { action: 'setState', by, ...read(why, values), ...read(state, values) }),
  'resolve.adopt': (temporal, key, values, by) => {
    const shipments = Object.fromEntries(
      below('shipments', values).flatMap(([name, uid]) => (uid === '' ? [] : [[name, text.parse(uid)]])),
    ) as Extract<Resolve, { action: 'adopt' }>['shipments'];
    return decide(temporal, key, { action: 'adopt', by, ...read(why, values), shipments });
  },
  dropEvent: (temporal, key, values, by) =>
    decide(temporal, key, { action: 'dropEvent', by, ...read(why, values) } satisfies Decision),
  giveUp: (temporal, key, values, by) =>
    answered(temporal, () => temporal.flows.fileHandle(key).giveUp({ by, ...read(why, values) })),
  event: async (temporal, key, values) => {
    const { type, data } = read(event, values);
    const told = data?.trim() ? { data: jsonOf(data) } : {};
    await temporal.flows.fileHandle(key).tell({ type, id: randomUUID(), ...told });
  },
  // Temporal keeps the reason and the name with the request.
  cancel: async ({ client }, workflowId, values, by) => {
    await client.workflowService.requestCancelWorkflowExecution({
      ...{ namespace: client.options.namespace, workflowExecution: { workflowId }, requestId: randomUUID() },
      ...{ identity: client.options.identity, reason: `${by}: ${read(why, values).why}` },
    });
  },
};

async function answer(temporal: AtTemporal, { key, values, by }: Chosen, question: string): Promise<void> {
  const given = Object.fromEntries(below('values', values).filter(([, value]) => value !== '')) as JsonObject;
  const update = { question, values: given, by };
  await answered(temporal, () => temporal.flows.fileHandle(key).answer(update));
}

const below = (name: string, values: unknown): [string, unknown][] =>
  Object.entries(values as object).flatMap(([path, value]) =>
    path.startsWith(`${name}.`) ? [[path.slice(name.length + 1), value]] : [],
  );

function read<Shape extends z.ZodType>(shape: Shape, values: unknown): z.infer<Shape> {
  const { data, error } = shape.safeParse(values);
  if (!error) return data as z.infer<Shape>;
  const fields = fieldsOf(error);
  const words = Object.entries(fields).map(([name, message]) => `${name} ${message}`);
  throw new ConsoleRefusal(400, 'InvalidRequest', `This cannot be done yet: ${words.join('; ')}.`, fields);
}

function jsonOf(given: string): Json {
  try {
    return JSON.parse(given) as Json;
  } catch (error) {
    const message = `is no JSON (${error instanceof Error ? error.message : String(error)}); expected something like { "cost": 12 }`;
    throw new ConsoleRefusal(400, 'InvalidRequest', `The data ${message}.`, { data: message });
  }
}
