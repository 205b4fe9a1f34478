// Parts: pieces of flows that several files use. A state that names one is replaced by it where the file is read, so that what is
// published, compared and run is one whole file; findings name the part and the place in it.
import { forbiddenKeys } from '../expressions/result.ts';
import { partsOf, soleExpression } from '../expressions/template.ts';
import { bounds, type Json, type JsonObject } from '../flow-file.ts';
import { jsonBytes } from '../machine/context.ts';
import { type At, type Finding, type FindingCode, pathOf, type TextPlace } from './finding.ts';
import { isMap, kindOf } from './report.ts';
import { type Parsed, parsedText } from './yaml.ts';

/** Where a file is, and how the parts that it names are read: undefined if there is none at a path. */
export interface PartSource {
  readonly path: string;
  readonly textOf: (path: string) => string | undefined;
}

const NAME = /\.part\.(?:ya?ml|json)$/;
/** Parts within parts, too. */
const MAX_LEVELS = 8;
const MAX_PARTS = 100;

export const isPartPath = (path: string): boolean => NAME.test(path);

/** Without `.` and `..`, as far as it leads up: two ways to write a path are one. */
export function normalPath(path: string): string {
  const steps: string[] = [];
  for (const step of path.replaceAll('\\', '/').split('/')) {
    const isUp = step === '..' && steps.length > 0 && !['', '..'].includes(steps.at(-1) as string);
    if (isUp) steps.pop();
    else if (step !== '.' && (step !== '' || steps.length === 0)) steps.push(step);
  }
  return steps.join('/');
}

/** The path of a part that a file names. */
function partPath(from: string, part: string): string {
  const folder = from.replaceAll('\\', '/').split('/').slice(0, -1).join('/');
  return normalPath(folder === '' && !from.startsWith('/') ? part : `${folder}/${part}`);
}

/** The text with all parts in their places. */
export function textWithParts(text: string, source?: PartSource): Parsed {
  const parsed = parsedText(text);
  if (parsed.findings.length > 0 || !isMap(parsed.data)) return parsed;
  const reader = new PartReader(source?.textOf ?? (() => undefined));
  const origin = { path: source?.path ?? '', placeOf: parsed.placeOf, inside: [] };
  const data = reader.states(parsed.data, [], origin);
  if (reader.count > 0 && reader.findings.length === 0 && jsonBytes(data) > bounds.fileBytes)
    reader.find('FileTooLarge', [], `a file of ${jsonBytes(data)} bytes with its parts`, origin, {
      expected: `at most ${bounds.fileBytes}`,
    });
  return { data, findings: reader.findings, placeOf: (at) => reader.placeOf(at) ?? parsed.placeOf(at) };
}

/** A text that states come from. */
interface Origin {
  readonly path: string;
  readonly placeOf: (at: At) => TextPlace | undefined;
  /** The parts that lead to it. */
  readonly inside: readonly string[];
}

interface Placed {
  /** Where the part is in the whole file. */
  readonly at: At;
  /** Keys that the file gives itself, beside the part. */
  readonly own: readonly string[];
  readonly placeOf: (at: At) => TextPlace | undefined;
}

/** What is filled into a part. */
interface Filling {
  readonly values: JsonObject;
  /** Where it is in the whole file, and in the text of the part. */
  readonly at: At;
  readonly from: At;
  readonly origin: Origin;
}

class PartReader {
  readonly findings: Finding[] = [];
  count = 0;
  readonly #textOf: (path: string) => string | undefined;
  readonly #placed: Placed[] = [];
  /** What may still be filled in: values that are passed on and on could grow without end. */
  #left = 4 * bounds.fileBytes;

  constructor(textOf: (path: string) => string | undefined) {
    this.#textOf = textOf;
  }

  find(
    code: FindingCode,
    at: At,
    what: string,
    { placeOf }: Pick<Origin, 'placeOf'>,
    { expected, in: inner = at }: { readonly expected?: string; readonly in?: At } = {},
  ): void {
    this.findings.push({
      code,
      path: pathOf(at),
      what,
      ...placeOf(inner),
      ...(expected !== undefined && { expected }),
    });
  }

  /** The innermost part that has the place. */
  placeOf(at: At): TextPlace | undefined {
    const around = this.#placed.findLast(
      ({ at: begin, own }) =>
        at.length >= begin.length &&
        begin.every((step, index) => at[index] === step) &&
        !own.includes(String(at[begin.length])),
    );
    return around?.placeOf(at.slice(around.at.length));
  }

  /** @param from where the state is in its own text, if that is another place than in the whole file */
  states(state: JsonObject, at: At, origin: Origin, from: At = at): JsonObject {
    const { states } = state;
    if (!isMap(states)) return state;
    const inner = Object.entries(states).map(([key, each]): [string, Json] => {
      const [place, own] = [
        [...at, 'states', key],
        [...from, 'states', key],
      ];
      if (!isMap(each)) return [key, each];
      return [
        key,
        typeof each.part === 'string'
          ? this.#included(each, place, origin, own)
          : this.states(each, place, origin, own),
      ];
    });
    return { ...state, states: Object.fromEntries(inner) };
  }

  #included({ part, with: given = {}, ...own }: JsonObject, at: At, origin: Origin, from: At): Json {
    const problem = (code: FindingCode, what: string, expected: string): Json => {
      this.find(code, [...at, 'part'], what, origin, { expected, in: [...from, 'part'] });
      return own;
    };
    const path = partPath(origin.path, String(part));
    this.count++;
    if (!isPartPath(path)) return problem('PartUnknown', String(part), 'a path that ends with .part.yaml');
    if (origin.inside.includes(path))
      return problem(
        'PartUnknown',
        [...origin.inside, path].join(' → '),
        'a part that does not include itself',
      );
    if (origin.inside.length >= MAX_LEVELS || this.count > MAX_PARTS)
      return problem(
        'TooDeep',
        String(part),
        `at most ${MAX_PARTS} parts, and ${MAX_LEVELS} within each other`,
      );
    const text = this.#textOf(path);
    if (text === undefined) return problem('PartUnknown', String(part), `a part at ${path}`);
    const { data, findings, placeOf } = parsedText(text);
    const ofPart: Origin = {
      path,
      placeOf: (place) => ({ ...(placeOf(place) ?? { line: 1, column: 1 }), part: path }),
      inside: [...origin.inside, path],
    };
    this.findings.push(...findings.map((each) => ({ ...each, path: pathOf(at), part: path })));
    if (findings.length > 0) return own;
    const state = this.#stateOf(data, at, ofPart);
    const values = this.#values(data, given, at, origin, from);
    if (!state || !values) return own;
    const filled = this.#filled(state, { values, at, origin: ofPart, from: ['state'] });
    if (this.#left < 0)
      return problem('FileTooLarge', String(part), `at most ${bounds.fileBytes} bytes with its parts`);
    this.#placed.push({ at, own: Object.keys(own), placeOf: (inner) => ofPart.placeOf(['state', ...inner]) });
    const whole = this.states(filled as JsonObject, at, ofPart, ['state']);
    const meta = {
      ...(isMap(whole.meta) ? whole.meta : {}),
      ...(isMap(own.meta) ? own.meta : {}),
      part: String(part),
    };
    return { ...whole, ...own, ...merged(whole, own, 'on'), ...merged(whole, own, 'after'), meta };
  }

  #stateOf(data: Json, at: At, origin: Origin): JsonObject | undefined {
    const before = this.findings.length;
    if (!isMap(data)) {
      this.find('TypeWrong', at, kindOf(data), origin, {
        in: [],
        expected: 'a map of meaning, with and state',
      });
      return undefined;
    }
    for (const key of Object.keys(data))
      if (!['meaning', 'with', 'state'].includes(key))
        this.find('FieldUnknown', at, key, origin, { in: [key], expected: 'one of meaning, with, state' });
    if (!isMap(data.state))
      this.find('FieldMissing', at, 'state', origin, { in: [], expected: 'a map, as a state of a file' });
    if (data.with !== undefined && !isMap(data.with))
      this.find('TypeWrong', at, kindOf(data.with), origin, { in: ['with'], expected: 'a map of names' });
    return this.findings.length > before ? undefined : (data.state as JsonObject);
  }

  /** What the file gives to the part, or what the part has by default. */
  #values(data: Json, given: Json, at: At, origin: Origin, from: At): JsonObject | undefined {
    const before = this.findings.length;
    const known = ((data as JsonObject).with ?? {}) as JsonObject;
    const map = isMap(given) ? given : {};
    const wrong = (code: FindingCode, name: string, expected?: string) =>
      this.find(code, [...at, 'with', name], name, origin, {
        ...(expected !== undefined && { expected }),
        in: Object.hasOwn(map, name) ? [...from, 'with', name] : [...from, 'part'],
      });
    if (!isMap(given)) wrong('TypeWrong', kindOf(given), 'a map');
    for (const name of Object.keys(map))
      if (!Object.hasOwn(known, name))
        wrong('FieldUnknown', name, `one of ${Object.keys(known).join(', ') || 'nothing'}`);
    const values = Object.entries(known).map(([name, rule]): [string, Json] => {
      const fallback = isMap(rule) ? rule.default : undefined;
      if (!Object.hasOwn(map, name) && fallback === undefined) wrong('FieldMissing', name);
      return [name, Object.hasOwn(map, name) ? (map[name] as Json) : (fallback ?? null)];
    });
    return this.findings.length > before ? undefined : Object.fromEntries(values);
  }

  #filled(value: Json, filling: Filling): Json {
    if (this.#left < 0) return null;
    if (typeof value === 'string') {
      const filled = filledText(value, filling.values);
      this.#left -= jsonBytes(filled);
      return filled;
    }
    const within = (step: string | number): Filling => ({
      ...filling,
      at: [...filling.at, step],
      from: [...filling.from, step],
    });
    if (Array.isArray(value))
      return (value as Json[]).map((each, index) => this.#filled(each, within(index)));
    return isMap(value) ? this.#filledMap(value, filling, within) : value;
  }

  /** The text's own keys are checked where it is read. */
  #filledMap(
    map: JsonObject,
    { values, at, origin, from }: Filling,
    within: (step: string) => Filling,
  ): Json {
    const filled = new Map<string, Json>();
    for (const [key, each] of Object.entries(map)) {
      const given = filledText(key, values);
      const name = typeof given === 'string' ? given : key;
      const wrong = (code: FindingCode) =>
        this.find(code, [...at, key], name, origin, { in: [...from, key] });
      if (forbiddenKeys.includes(name)) wrong('KeyNotAllowed');
      else if (name === '<<') wrong('MergeKeyNotAllowed');
      else if (filled.has(name)) wrong('DuplicateKey');
      else filled.set(name, this.#filled(each, within(key)));
    }
    return Object.fromEntries(filled);
  }
}

/** What the file says beside what the part says; of the same event or delay, what the file says. */
const merged = (whole: JsonObject, own: JsonObject, field: 'on' | 'after'): JsonObject =>
  isMap(whole[field]) && isMap(own[field]) ? { [field]: { ...whole[field], ...own[field] } } : {};

const SOLE = /^with\s*\.\s*(\w+)$/;
const READ = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|(?<![\w.])with\s*\.\s*(\w+)/gs;

/** A text of a part with what the file gives. A text that is `${with.name}` alone becomes the value itself. */
function filledText(text: string, values: JsonObject): Json {
  if (!text.includes('with')) return text;
  const parts = partsIn(text);
  const [only] = parts;
  const [, sole] = (parts.length === 1 && only && 'source' in only && SOLE.exec(only.source)) || [];
  if (sole !== undefined && Object.hasOwn(values, sole)) return values[sole] as Json;
  return parts
    .map((part) => {
      if ('text' in part) return part.text.replaceAll('${', '$${');
      const [, name = ''] = SOLE.exec(part.source) ?? [];
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (typeof value === 'string') return value;
      if (typeof value === 'number' || typeof value === 'boolean') return String(value);
      return `\${${withValues(part.source, values)}}`;
    })
    .join('');
}

/** An expression that is not closed stays as it is: the file is refused for it. */
function partsIn(text: string): ReturnType<typeof partsOf> {
  try {
    return partsOf(text);
  } catch {
    return [{ text }];
  }
}

const withValues = (source: string, values: JsonObject): string =>
  source.replaceAll(READ, (whole, name?: string) =>
    name !== undefined && Object.hasOwn(values, name) ? expressionOf(values[name] as Json) : whole,
  );

/** A value as a part of an expression. */
function expressionOf(value: Json): string {
  if (Array.isArray(value)) return `[${(value as Json[]).map(expressionOf).join(', ')}]`;
  if (isMap(value))
    return `{${Object.entries(value)
      .map(([key, each]) => `${JSON.stringify(key)}: ${expressionOf(each)}`)
      .join(', ')}}`;
  if (typeof value !== 'string') return JSON.stringify(value);
  const sole = soleIn(value);
  if (sole !== undefined) return `(${sole})`;
  const terms = partsIn(value).map((part) =>
    'text' in part ? JSON.stringify(part.text) : `string(${part.source})`,
  );
  return terms.length > 1 ? `(${terms.join(' + ')})` : (terms[0] ?? '""');
}

function soleIn(text: string): string | undefined {
  try {
    return soleExpression(text);
  } catch {
    return undefined;
  }
}
