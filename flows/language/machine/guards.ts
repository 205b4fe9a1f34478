// Turns the guards of a file into those of xstate, each with the text that charts show. reading/vocabulary.ts has the params of each.
import { and, not, or, stateIn } from 'xstate';
import { getOwn } from '../../../engine/chart/messages.ts';
import { ExpressionFailure } from '../expressions/failure.ts';
import { template } from '../expressions/template.ts';
import type { GuardData, Json, JsonObject } from '../flow-file.ts';
import type { MachineRuntime, Moment } from './machine-runtime.ts';

type MakeGuard = (params: JsonObject, path: string, runtime: MachineRuntime) => unknown;

export function guardOf(guard: GuardData, path: string, runtime: MachineRuntime): unknown {
  if (typeof guard === 'string') return expressionGuard(guard, path, runtime);
  const { type, params = {} } = guard;
  const make = getOwn<MakeGuard>(guardMakers, type);
  if (!make)
    throw new TypeError(
      `${path}: ${type} is not a guard, expected an expression, or one of ${Object.keys(guardMakers).join(', ')}`,
    );
  return make(params, `${path}.params`, runtime);
}

const guardMakers = {
  stateIn: ({ state }) => withText(stateIn(state as never), `in ${String(state)}`),
  not: ({ guard }, path, runtime) => {
    const inner = guardOf(guard as GuardData, `${path}.guard`, runtime);
    return withText(not(inner as never), `!(${textOfGuard(inner)})`);
  },
  and: ({ guards }, path, runtime) => joinedGuards(and, ' && ', guardsOf(guards, path, runtime)),
  or: ({ guards }, path, runtime) => joinedGuards(or, ' || ', guardsOf(guards, path, runtime)),
} satisfies Readonly<Record<string, MakeGuard>>;

export type GuardType = keyof typeof guardMakers;

const guardsOf = (given: Json | undefined, path: string, runtime: MachineRuntime): unknown[] =>
  (given as readonly GuardData[]).map((each, index) => guardOf(each, `${path}.guards.${index}`, runtime));

const joinedGuards = (join: typeof and | typeof or, between: string, guards: readonly unknown[]): object =>
  withText(join(guards as never), guards.map((each) => `(${textOfGuard(each)})`).join(between));

/** With the text that charts show. */
const withText = (guard: unknown, text: string): object => Object.assign(guard as object, { text });

const textOfGuard = (guard: unknown): string => (guard as { readonly text: string }).text;

function expressionGuard(text: string, path: string, runtime: MachineRuntime): (moment: Moment) => boolean {
  const run = template(text, path);
  const guard = (moment: Moment) => {
    const value = runtime.evaluate(run, moment);
    if (typeof value === 'boolean') return value;
    const reason = `it gives ${JSON.stringify(value)}, expected true or false`;
    throw runtime.failed(new ExpressionFailure({ code: 'ExpressionFailed', path, expression: text, reason }));
  };
  return Object.assign(guard, { text: text.replaceAll(/\$\{|\}$/g, '') });
}
