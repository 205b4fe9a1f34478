// What no body of a request may be, whatever its route takes: nested so deeply that a program that walks through it fails, or a text
// with half a surrogate pair, which no address, header or message can hold.
import type { FastifyInstance } from 'fastify';
import { ConsoleRefusal } from './refusal.ts';

/** Levels. Walking through some thousands of them overflows the stack; the files and inputs that are taken have at most 32. */
const DEEPEST = 64;

interface Part {
  readonly value: unknown;
  readonly name: string;
  readonly depth: number;
  readonly within: Part | undefined;
}

export function checkBodies(app: FastifyInstance): void {
  app.addHook('preValidation', async ({ body }) => checkBody(body));
}

/** Throws ConsoleRefusal (400). Without recursion: the body may have a level for each two bytes. */
export function checkBody(body: unknown): void {
  const left: Part[] = [{ value: body, name: '', depth: 0, within: undefined }];
  for (let part = left.pop(); part; part = left.pop()) {
    const { value, depth } = part;
    if (typeof value === 'string' && !value.isWellFormed())
      throw refusal(part, 'has half a surrogate pair; expected well-formed Unicode');
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= DEEPEST) throw refusal(part, `is nested too deeply; expected at most ${DEEPEST} levels`);
    const isList = Array.isArray(value);
    for (const name in value) {
      if (!isList && !name.isWellFormed())
        throw refusal(part, 'has a name with half a surrogate pair; expected well-formed Unicode');
      left.push({ value: (value as Record<string, unknown>)[name], name, depth: depth + 1, within: part });
    }
  }
}

function refusal(part: Part, words: string): ConsoleRefusal {
  const names: string[] = [];
  for (let at: Part | undefined = part; at?.within; at = at.within) names.unshift(at.name);
  const path = names.slice(0, 8).join('.').slice(0, 200).toWellFormed();
  return new ConsoleRefusal(400, 'InvalidRequest', `Wrong request: ${path || 'the request'} ${words}.`, {
    [path]: words,
  });
}
