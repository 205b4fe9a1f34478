// Values of a file that have expressions. A text that is one expression gives the result with its type. In a longer text, the
// result is filled in.
import type { Environment } from '@marcbachmann/cel-js';
import { bounds, type Json, type JsonObject } from '../flow-file.ts';
import type { Budget } from './cost.ts';
import { type Expression, expression, type Scope } from './expression.ts';
import { ExpressionFailure } from './failure.ts';
import { isWithin } from './result.ts';

export type Template = (scope: Scope, budget: Budget) => Json;

/** One part of a text: plain text, or the source of an expression. */
export type Part = { readonly text: string } | { readonly source: string };

const OPEN = '${';

/** Throws a TypeError if an expression is not closed. `$${` means `${` as plain text. */
export function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  const ends = new Ends(text);
  let [plain, at] = ['', 0];
  for (let open = text.indexOf(OPEN); open >= 0; open = text.indexOf(OPEN, at)) {
    if (open > at && text[open - 1] === '$') {
      plain += text.slice(at, open - 1) + OPEN;
      at = open + OPEN.length;
      continue;
    }
    plain += text.slice(at, open);
    const end = ends.from(open + OPEN.length);
    if (plain !== '') parts.push({ text: plain });
    plain = '';
    parts.push({ source: text.slice(open + OPEN.length, end).trim() });
    at = end + 1;
  }
  plain += text.slice(at);
  if (plain !== '') parts.push({ text: plain });
  return parts;
}

/** The ends of the expressions of a text, found in one pass over it. */
class Ends {
  readonly #text: string;
  /** Quotes that nothing closes: nothing closes a later one of the same kind either, so the rest is not searched again. */
  readonly #unclosed = new Set<string>();

  constructor(text: string) {
    this.#text = text;
  }

  /** The index of the brace that closes an expression. Braces in its texts and maps do not close it. */
  from(start: number): number {
    let depth = 1;
    for (let at = start; at < this.#text.length; at++) {
      const letter = this.#text[at] ?? '';
      if (letter === '{') depth++;
      else if (letter === '}' && --depth === 0) return at;
      else if (letter === '"' || letter === "'") at = this.#closing(letter, at) ?? at;
    }
    throw new TypeError(`the expression that begins at character ${start - 1} is not closed; expected a }`);
  }

  /** Undefined for a quote that stands for itself. */
  #closing(quote: string, start: number): number | undefined {
    if (this.#unclosed.has(quote)) return undefined;
    for (let at = start + 1; at < this.#text.length; at++) {
      const letter = this.#text[at];
      if (letter === quote) return at;
      if (letter === '\\') at++;
    }
    this.#unclosed.add(quote);
    return undefined;
  }
}

/** The source of the expression if a text is one expression and nothing else. */
export function soleExpression(text: string): string | undefined {
  const parts = partsOf(text);
  const [only] = parts;
  return parts.length === 1 && only && 'source' in only ? only.source : undefined;
}

/** Beside the environment, how large the value of an expression may be. */
interface TemplateOptions {
  readonly environment?: Environment | undefined;
  readonly maxBytes?: number;
}

export function template(value: Json, path: string, options: TemplateOptions = {}): Template {
  const run = filledIn(value, path, options);
  if (typeof value !== 'object' || value === null) return run;
  const { maxBytes = bounds.valueBytes } = options;
  return (scope, budget) => {
    const given = run(scope, budget);
    if (isWithin(given, maxBytes)) return given;
    throw tooLarge(path, `with its expressions filled in it has more than ${maxBytes} bytes`);
  };
}

function filledIn(value: Json, path: string, options: TemplateOptions): Template {
  if (typeof value === 'string') return textTemplate(value, path, options);
  if (Array.isArray(value)) {
    const items = value.map((each: Json, index) => filledIn(each, `${path}.${index}`, options));
    return (scope, budget) => items.map((item) => item(scope, budget));
  }
  if (typeof value !== 'object' || value === null) return () => value;
  const fields = Object.entries(value as JsonObject).map(
    ([key, each]) => [key, filledIn(each, `${path}.${key}`, options)] as const,
  );
  return (scope, budget) => Object.fromEntries(fields.map(([key, field]) => [key, field(scope, budget)]));
}

function textTemplate(text: string, path: string, { environment, maxBytes }: TemplateOptions): Template {
  const parts = partsOf(text);
  const fills = parts.map((part) =>
    'text' in part
      ? part.text
      : {
          source: part.source,
          run: expression(part.source, { path, ...(maxBytes !== undefined && { maxBytes }) }, environment),
        },
  );
  const [only] = fills;
  if (fills.length === 1 && typeof only === 'object') return only.run;
  if (!fills.some((fill) => typeof fill === 'object')) return () => fills.join('');
  return (scope, budget) => {
    let whole = '';
    for (const fill of fills) {
      whole += filled(fill, scope, budget, path);
      if (whole.length > bounds.valueBytes)
        throw tooLarge(path, `it gives a text of more than ${bounds.valueBytes} characters`);
    }
    return whole;
  };
}

function filled(
  fill: string | { readonly source: string; readonly run: Expression },
  scope: Scope,
  budget: Budget,
  path: string,
): string {
  if (typeof fill === 'string') return fill;
  const value = fill.run(scope, budget);
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new ExpressionFailure({
    code: 'ExpressionFailed',
    path,
    expression: `\${${fill.source}}`,
    reason: `it gives ${value === null ? 'null' : 'a list or a map'} within a text, expected a text, a number, true or false`,
  });
}

const tooLarge = (path: string, reason: string) =>
  new ExpressionFailure({ code: 'ValueTooLarge', path, reason });
