// Temporal's visibility store: it lags, and answers the filters that the product asks.

export interface Shown {
  readonly workflowId: string;
  readonly runId: string;
  readonly type: string;
  readonly status: string;
  readonly startedAt: number;
  readonly closedAt: number | null;
  readonly attributes: Readonly<Record<string, readonly unknown[] | undefined>>;
  readonly memo: Readonly<Record<string, unknown>>;
}

/** Throws for what it does not understand: then the simulation, and not the product, is to be mended. */
export function matcher(query: string): (shown: Shown) => boolean {
  const clauses = query.split(/ AND /).map(clause);
  return (shown) => clauses.every((holds) => holds(shown));
}

function clause(text: string): (shown: Shown) => boolean {
  const [, name = '', operator = '', rest = ''] =
    /^\s*\(?(\w+) (IN|=|>=|<=|>|<|!=) (.*?)\)?\s*$/s.exec(text) ?? [];
  const values = [...rest.matchAll(/'((?:[^']|'')*)'/g)].map(([, value = '']) => value.replaceAll("''", "'"));
  const [first = ''] = values;
  if (values.length === 0) throw new TypeError(`the simulated visibility store does not understand: ${text}`);
  const holds: Record<string, (value: unknown) => boolean> = {
    IN: (value) => values.includes(String(value)),
    '=': (value) => String(value) === first,
    '!=': (value) => String(value) !== first,
    '>': (value) => comparable(value) > comparable(first),
    '>=': (value) => comparable(value) >= comparable(first),
    '<': (value) => comparable(value) < comparable(first),
    '<=': (value) => comparable(value) <= comparable(first),
  };
  const test = holds[operator] as (value: unknown) => boolean;
  return (shown) => valuesOf(shown, name).some(test);
}

const comparable = (value: unknown): number =>
  value instanceof Date ? value.getTime() : Date.parse(String(value));

const statusWords: Readonly<Record<string, string>> = { RUNNING: 'Running', COMPLETED: 'Completed' };

function valuesOf(shown: Shown, name: string): readonly unknown[] {
  switch (name) {
    case 'WorkflowType':
      return [shown.type];
    case 'WorkflowId':
      return [shown.workflowId];
    case 'ExecutionStatus':
      return [statusWords[shown.status] ?? shown.status];
    case 'StartTime':
      return [new Date(shown.startedAt)];
    default:
      return shown.attributes[name] ?? [];
  }
}
