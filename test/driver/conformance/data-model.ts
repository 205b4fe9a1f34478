// The ECMAScript data model: expressions over the variables of a document and the variables of the system.
export interface Data {
  [name: string]: unknown;
}

/** The variable `_event`. */
export interface Heard {
  readonly name: string;
  readonly type: string;
  readonly data?: unknown;
  readonly sendid?: string | undefined;
  readonly origin?: string | undefined;
  readonly origintype?: string | undefined;
  readonly invokeid?: string | undefined;
}

export interface Surroundings {
  readonly data: Data;
  readonly heard: Heard | undefined;
  readonly sessionId: string;
  readonly name: string;
  /** The variable `_ioprocessors`. */
  readonly processors: object;
  isIn(id: string): boolean;
}

export const PROCESSOR = 'http://www.w3.org/TR/scxml/#SCXMLEventProcessor';

function variablesOf({ data, heard, sessionId, name, processors, isIn }: Surroundings): Data {
  const system: Data = {
    ...(heard && { _event: heard }),
    _sessionid: sessionId,
    _name: name,
    _ioprocessors: processors,
    _x: {},
    In: isIn,
  };
  const everything = globalThis as unknown as Data;
  return new Proxy(data, {
    has: (_, key) => typeof key === 'string',
    get: (_, key) => {
      const known = [system, data, everything].find((each) => typeof key === 'string' && key in each);
      if (typeof key !== 'string') return undefined;
      if (key === '_event' && !heard) return undefined;
      if (!known) throw new ReferenceError(`${key} is not defined`);
      return known[key];
    },
    set: (_, key, value) => {
      if (String(key) in system || key === '_event') throw new TypeError(`${String(key)} cannot be changed`);
      data[String(key)] = value;
      return true;
    },
  });
}

export function evaluate(expression: string, around: Surroundings): unknown {
  return run(`return (${expression.replace(/[;\s]+$/, '')}\n);`, around);
}

export function processorsOf(sessionId: string): object {
  const location = `#_scxml_${sessionId}`;
  return Object.fromEntries([PROCESSOR, 'scxml', 'basichttp'].map((name) => [name, { location }]));
}

/** A function of a script is a variable of the document. */
const withFunctions = (statements: string) =>
  statements.replaceAll(/^\s*function\s+(\w+)\s*\(/gm, '$1 = function (');

export function run(statements: string, around: Surroundings): unknown {
  // Sloppy mode: `with` is what gives a document its variables.
  return new Function('variables', `with (variables) { ${withFunctions(statements)}\n }`)(
    variablesOf(around),
  );
}

const SYSTEM = ['_event', '_sessionid', '_name', '_ioprocessors', '_x'];

/** To a variable that is declared, or to a part of one. */
export function assignTo(location: string, value: unknown, around: Surroundings): void {
  const root = /^\s*([A-Za-z_$][\w$]*)/.exec(location)?.[1];
  if (!root || SYSTEM.includes(root) || !(root in around.data))
    throw new TypeError(`${location} cannot be assigned to`);
  const withValue = { ...around, data: around.data };
  withValue.data.$value = value;
  try {
    run(`${location} = $value;`, withValue);
  } finally {
    delete withValue.data.$value;
  }
}

/** The text of a `data` or `content`: an expression where it is one, else a text with single blanks. */
export function valueOfText(text: string, around: Surroundings): unknown {
  try {
    return evaluate(text, around);
  } catch {
    return text.trim().replaceAll(/\s+/g, ' ');
  }
}
