// Checks the calls of operations that another system describes by OpenAPI: that the operation exists, that it takes what the file
// gives, and that its answer has what the file keeps of it.
import type { Json, JsonObject } from '../flow-file.ts';
import { nearestOf } from '../nearest-names.ts';
import type { At } from '../reading/finding.ts';
import { isMap } from '../reading/report.ts';
import { type InvokeAt, sourcesIn, textsIn } from '../reading/walk.ts';
import { lintFinding, type PlacedFinding } from './lint-finding.ts';
import { partOf, schemaProblems, unknownField } from './schema-check.ts';

export interface GivenSchemas {
  readonly input: object;
  readonly result: object;
  readonly $defs: object;
}

/** The operations of another system, by their ids. */
export interface Api {
  readonly operations: readonly string[];
  /** What `call` takes for it, and what its answer is. */
  schemasOf(operation: string): GivenSchemas;
  /** Why no file may call it; undefined: a file may. */
  problemOf(operation: string): string | undefined;
}

/** What an invoke takes and gives. */
export interface Contract {
  readonly input: JsonObject;
  /** As a schema; empty: anything. */
  readonly result: JsonObject;
  readonly $defs: JsonObject;
  readonly hasOwnPatterns: boolean;
}

export const NOTHING = { input: {}, $defs: {}, hasOwnPatterns: false };

export function formatNearest(src: string, names: readonly string[]): string | undefined {
  const near = nearestOf(src, names);
  return near === undefined ? undefined : `perhaps ${near} was meant`;
}

type ApiOf = { readonly apiOf?: ((connector: string) => Api | null) | undefined };

/** The answer of the operation that a call names, if it is known. */
export function answerOf({ invoke: { src, input } }: InvokeAt, { apiOf }: ApiOf): Contract | undefined {
  const { connector, operation } = isMap(input) ? input : {};
  if (src !== 'call' || typeof operation !== 'string') return undefined;
  const api = apiOf?.(String(connector));
  if (!api?.operations.includes(operation)) return undefined;
  return { ...(api.schemasOf(operation) as Omit<Contract, 'hasOwnPatterns'>), hasOwnPatterns: false };
}

/** Checks a call of an operation as the other side describes it. */
export function calledFindings(invoke: InvokeAt, invocables: ApiOf): PlacedFinding[] {
  const { connector, operation, ...rest } = isMap(invoke.invoke.input) ? invoke.invoke.input : {};
  const api =
    invoke.invoke.src === 'call' && typeof operation === 'string'
      ? invocables.apiOf?.(String(connector))
      : null;
  if (!api || typeof operation !== 'string') return [];
  const at = [...invoke.at, 'input', 'operation'];
  if (!api.operations.includes(operation))
    return [lintFinding('OperationUnknown', at, operation, formatNearest(operation, api.operations))];
  const problem = api.problemOf(operation);
  if (problem !== undefined) return [lintFinding('CallNotAllowed', at, operation, problem)];
  const contract = answerOf(invoke, invocables) as Contract;
  const problems = schemaProblems(rest, contract.input, [...invoke.at, 'input'], contract);
  return [
    ...problems.map(({ at: place, what, because }) =>
      lintFinding('InputWrong', place, what, `${operation}: ${because}`),
    ),
    ...keepFindings(rest.keep ?? null, contract, [...invoke.at, 'input', 'keep'], operation),
  ];
}

const READ_OF_BODY = /(?<![\w.])body((?:\s*\.\s*\??\s*\w+)+)/g;

/** What `keep` reads of an answer that the other side describes. */
function keepFindings(keep: Json, { result, $defs }: Contract, at: At, operation: string): PlacedFinding[] {
  return textsIn(keep)
    .flatMap(sourcesIn)
    .flatMap((source) =>
      [...source.matchAll(READ_OF_BODY)].map(([, path = '']) => path.split(/[\s.?]+/).filter(Boolean)),
    )
    .flatMap((path) => {
      const unknown = unknownField(path, result, $defs);
      if (unknown === undefined) return [];
      const because =
        formatNearest(unknown.name, unknown.known) ?? `${operation} answers with ${unknown.known.join(', ')}`;
      return [lintFinding('OutputNotGiven', at, `body.${path.join('.')}`, because)];
    });
}

/** What a call keeps, if that is a part of the answer as it is. */
export function keptOf(keep: Json | undefined, answer: Contract | undefined): Contract | undefined {
  const [, path = null] = (answer && /^\$\{\s*body((?:\.\w+)*)\s*\}$/.exec(String(keep))) ?? [];
  if (!answer || path === null) return undefined;
  const part = partOf(path.split('.').slice(1), answer.result, answer.$defs);
  return part && { ...answer, result: part };
}
