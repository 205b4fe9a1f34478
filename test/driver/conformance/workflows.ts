// A document of SCXML as a workflow: it is the workflow's argument.
import { statechart } from '../../../driver/index.ts';
import type { Element } from './element.ts';
import { machineOf } from './machine-of.ts';

export async function Case(document: Element): Promise<unknown> {
  return await statechart(machineOf(document))(undefined);
}
