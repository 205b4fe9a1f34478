// What docs/flows.md says of each flow. The page is written from the flows' declarations, and a test holds it to them:
// the client does not import workflows, and there is no second description of a flow.
import { readFile } from 'node:fs/promises';
import { CommandFailed } from './exit-codes.ts';

export interface FlowPage {
  readonly flow: string;
  readonly meaning: string;
  /** Mermaid. */
  readonly diagram: string;
}

const page = new URL('../../docs/flows.md', import.meta.url);

export async function flowPages(): Promise<FlowPage[]> {
  const text = await readFile(page, 'utf8').catch((cause: Error) => {
    throw new CommandFailed('failed', `${page.pathname} cannot be read; npm run docs writes it`, { cause });
  });
  const [, ...sections] = text.split(/^## /m);
  return sections.map((section) => {
    const [, flow, meaning, diagram] =
      /^(\w+)\n\n([^\n]+)\n[\s\S]*?^```mermaid\n([\s\S]*?)^```/m.exec(section) ?? [];
    if (!flow || !meaning || !diagram)
      throw new CommandFailed('failed', `${page.pathname} is not as npm run docs writes it; write it anew`);
    return { flow, meaning, diagram };
  });
}
