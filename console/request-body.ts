// What no body of a request may be, whatever its route takes: nested so deeply that a program that walks through it fails, so wide
// that to say what is wrong with each part takes seconds, or a text with half a surrogate pair, which no address, header or message
// can hold.
import type { FastifyInstance } from 'fastify';
import { ConsoleRefusal } from './refusal.ts';

/** Levels. Walking through some thousands of them overflows the stack; the files and inputs that are taken have at most 32. */
const DEEPEST = 64;

/** Items of one list or object. A check names each element that is wrong. */
const MAX_PARTS = 10_000;

/** A list or an object on the way through the body. */
interface Part {
  readonly value: object;
  readonly name: string | number;
  readonly depth: number;
  readonly within: Part | undefined;
}

export function checkBodies(app: FastifyInstance): void {
  app.addHook('preValidation', async ({ body }) => checkBody(body));
}

/** Throws ConsoleRefusal (400). Without recursion: the body may have a level for each two bytes. */
export function checkBody(body: unknown): void {
  if (typeof body !== 'object' || body === null) return;
  const left: Part[] = [{ value: body, name: '', depth: 1, within: undefined }];
  for (let part = left.pop(); part; part = left.pop()) {
    if (part.depth > DEEPEST) throw refusal(part, `is nested too deeply; expected at most ${DEEPEST} levels`);
    if (Array.isArray(part.value)) lookThroughList(part.value, part, left);
    else lookThroughFields(part.value as Record<string, unknown>, part, left);
  }
}

/** By index: entries would make a list for each of half a million numbers. */
function lookThroughList(list: readonly unknown[], part: Part, left: Part[]): void {
  requireFew(list.length, part);
  for (let index = 0; index < list.length; index++) look(list[index], index, part, left);
}

function lookThroughFields(fields: Readonly<Record<string, unknown>>, part: Part, left: Part[]): void {
  const names = Object.keys(fields);
  requireFew(names.length, part);
  for (const name of names) {
    if (!name.isWellFormed())
      throw refusal(part, 'has a name with half a surrogate pair; expected well-formed Unicode');
    look(fields[name], name, part, left);
  }
}

function requireFew(count: number, part: Part): void {
  if (count > MAX_PARTS)
    throw refusal(part, `has ${count} parts; expected at most ${MAX_PARTS} in one list or object`);
}

function look(value: unknown, name: string | number, within: Part, left: Part[]): void {
  if (typeof value === 'object' && value !== null)
    left.push({ value, name, depth: within.depth + 1, within });
  else if (typeof value === 'string' && !value.isWellFormed())
    throw refusal(
      { value: {}, name, depth: 0, within },
      'has half a surrogate pair; expected well-formed Unicode',
    );
}

function refusal(part: Part, words: string): ConsoleRefusal {
  const names: (string | number)[] = [];
  for (let at: Part | undefined = part; at?.within; at = at.within) names.unshift(at.name);
  const path = names.slice(0, 8).join('.').slice(0, 200).toWellFormed();
  return new ConsoleRefusal(400, 'InvalidRequest', `Wrong request: ${path || 'the request'} ${words}.`, {
    [path]: words,
  });
}
