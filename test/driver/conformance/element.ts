// An SCXML document as plain data: it can be the argument of a workflow.
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
}

export const childrenNamed = (element: Element, ...names: readonly string[]): readonly Element[] =>
  element.children.filter(({ name }) => names.includes(name));

/** What the converter cannot say in a machine of xstate; its message is the reason. */
export class Unconvertible extends Error {}
