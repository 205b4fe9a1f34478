// The guards of a file: an expression, or xstate's `stateIn`, `and`, `or`, `not`.
import { and, not, or, stateIn } from 'xstate';
import { ExpressionFailure } from '../expressions/failure.ts';
import { template } from '../expressions/template.ts';
import type { GuardData, JsonObject } from '../flow-file.ts';
import type { Kit, Moment } from './kit.ts';

const makers: Readonly<Record<string, (params: JsonObject, path: string, kit: Kit) => unknown>> = {
  stateIn: ({ state }) => stateIn(state as never),
  and: ({ guards }, path, kit) => and(guardsOf(guards as GuardData[], path, kit) as never),
  or: ({ guards }, path, kit) => or(guardsOf(guards as GuardData[], path, kit) as never),
  not: ({ guard }, path, kit) => not(guardOf(guard as GuardData, `${path}.guard`, kit) as never),
};

const guardTypes: readonly string[] = Object.keys(makers);

export function guardOf(guard: GuardData, path: string, kit: Kit): unknown {
  if (typeof guard === 'string') return expressionGuard(guard, path, kit);
  const make = Object.hasOwn(makers, guard.type) ? makers[guard.type] : undefined;
  if (!make)
    throw new TypeError(`${path}: ${guard.type} is not a guard, expected one of ${guardTypes.join(', ')}`);
  const made = make(guard.params ?? {}, `${path}.params`, kit);
  return Object.assign(made as object, { text: textOf(guard) });
}

/** As charts show it. */
const plain = (text: string): string => text.replaceAll(/\$\{|\}$/g, '');

function textOf(guard: GuardData): string {
  if (typeof guard === 'string') return plain(guard);
  const { state, guards = [], guard: inner } = (guard.params ?? {}) as GuardParams;
  if (inner !== undefined) return `not ${textOf(inner)}`;
  return state === undefined ? guards.map(textOf).join(` ${guard.type} `) : `in ${state}`;
}

interface GuardParams {
  readonly state?: string;
  readonly guards?: readonly GuardData[];
  readonly guard?: GuardData;
}

function guardsOf(guards: readonly GuardData[], path: string, kit: Kit): unknown[] {
  return guards.map((guard, index) => guardOf(guard, `${path}.guards.${index}`, kit));
}

function expressionGuard(text: string, path: string, kit: Kit): (moment: Moment) => boolean {
  const run = template(text, path);
  const guard = (moment: Moment) => {
    const value = kit.evaluate(run, moment);
    if (typeof value === 'boolean') return value;
    const reason = `it gives ${JSON.stringify(value)}, expected true or false`;
    throw kit.failed(new ExpressionFailure({ code: 'ExpressionFailed', path, expression: text, reason }));
  };
  return Object.assign(guard, { text: plain(text) });
}
