// Which fields an expression reads that are not there, at any depth, as far as it is known what its variables hold.
import type { ASTNode } from '@marcbachmann/cel-js';
import { getOwn } from '../../../engine/chart/messages.ts';
import { parsedNode } from './expression.ts';
import { isNode } from './literals.ts';

/** What a value holds, as a JSON Schema says it. Without `properties` and `items` it may be anything. */
export interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  /** It may have more than the `properties`. */
  readonly additionalProperties?: unknown;
}

interface UnknownField {
  /** As it is read: `event.output.shipments.intake`, or `each.intake` in a loop. */
  readonly path: string;
  readonly name: string;
  /** What is there. */
  readonly known: readonly string[];
}

export const anything = Object.freeze<Shape>({});

export const mapWith = (names: readonly string[], more: Shape['properties'] = {}): Shape => ({
  properties: { ...Object.fromEntries(names.map((name) => [name, anything])), ...more },
});

export const listOfMaps = (names: readonly string[], more: Shape['properties'] = {}): Shape => ({
  items: mapWith(names, more),
});

/** @param variables what is known of them */
export function unknownFields(
  sources: readonly string[],
  variables: Readonly<Record<string, Shape>>,
): UnknownField[] {
  const reader = new FieldReader();
  const values = Object.entries(variables).map(([name, shape]) => [name, { path: name, shape }]);
  for (const source of sources) {
    const node = parsedNode(source);
    if (node) reader.read(node, Object.fromEntries(values));
  }
  return [...reader.found.values()];
}

/** What an expression reads, and as what. */
interface Value {
  readonly path: string;
  readonly shape: Shape;
}
type Values = Readonly<Record<string, Value>>;

const loops: readonly unknown[] = ['all', 'exists', 'exists_one', 'map', 'filter'];
/** They give what they are called on, or less of it. */
const keeping: readonly unknown[] = ['filter', 'sort', 'value', 'orValue'];

class FieldReader {
  readonly found = new Map<string, UnknownField>();

  /** What it gives; undefined: nothing is known of that. */
  read(node: ASTNode, variables: Values): Value | undefined {
    switch (node.op) {
      case 'id':
        return getOwn(variables, node.args as string);
      case '.':
      case '.?': {
        const [of, name] = node.args as [ASTNode, string];
        return this.#field(this.read(of, variables), name);
      }
      case '[]':
      case '[?]': {
        const [of, index] = node.args as [ASTNode, ASTNode];
        this.read(index, variables);
        return this.#element(this.read(of, variables), index.op === 'value' ? index.args : undefined);
      }
      case 'rcall':
        return this.#call(node.args as [string, ASTNode, ASTNode[]], variables);
      default:
        for (const part of [node.args as unknown].flat(3).filter(isNode)) this.read(part, variables);
        return undefined;
    }
  }

  #element(of: Value | undefined, index: unknown): Value | undefined {
    if (typeof index === 'string') return this.#field(of, index);
    const { items } = of ? present(of.shape) : anything;
    return of && items && { path: `${of.path}[0]`, shape: items };
  }

  #field(of: Value | undefined, name: string): Value | undefined {
    if (!of) return undefined;
    const { properties, additionalProperties = false } = present(of.shape);
    const path = `${of.path}.${name}`;
    const shape = getOwn(properties, name);
    if (shape) return { path, shape };
    if (properties && additionalProperties === false)
      this.found.set(path, { path, name, known: Object.keys(properties) });
    return undefined;
  }

  #call([name, receiver, given]: [string, ASTNode, ASTNode[]], variables: Values): Value | undefined {
    const of = this.read(receiver, variables);
    const [turn] = given;
    const isLoop = loops.includes(name) && turn?.op === 'id';
    const each = isLoop ? String(turn.args) : '';
    const shape = (of && present(of.shape).items) ?? anything;
    const inner = isLoop ? { ...variables, [each]: { path: each, shape } } : variables;
    for (const part of given) this.read(part, inner);
    return keeping.includes(name) ? of : undefined;
  }
}

/** What it is where it is not null; what may be one of several things may be anything. */
function present(shape: Shape): Shape {
  const { anyOf } = shape;
  if (!anyOf) return shape;
  const [one, ...others] = anyOf.filter((each) => each.properties ?? each.items);
  return one && others.length === 0 ? one : anything;
}
