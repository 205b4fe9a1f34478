// The error for a name that no built-in flow and no published file has.
import { flowTypes } from '../../contract/flows/flow-types.ts';
import { nearestOf } from '../../flows/language/nearest-names.ts';
import type { Published } from '../../flows/language/registry.ts';

export class FlowNotPublished extends Error {
  override readonly name = 'FlowNotPublished';

  constructor(flow: string, published: readonly Published[]) {
    const names = [...flowTypes, ...published.map(({ file }) => file.name)];
    const near = nearestOf(flow, names);
    const hint = near === undefined ? `expected one of ${names.join(', ')}` : `did you mean ${near}?`;
    super(`there is no flow ${flow}; ${hint}`);
  }
}
