// The people of a case that does the same for many: those that its list names, also whose part has not begun.
import { publishedVersion } from '../../client/flow-files/published-flows.ts';
import { startedWith } from '../../client/started-with.ts';
import { isBuiltIn } from '../../contract/flows/flow-types.ts';
import { peopleInLists } from '../../flows/language/subjects.ts';
import type { TemporalContext } from '../temporal-context.ts';

export async function isInLists(
  { client }: Pick<TemporalContext, 'client'>,
  key: string,
  userUid: string,
): Promise<boolean> {
  const { workflowType, input } = await startedWith(client, key);
  if (isBuiltIn(workflowType)) return false;
  const published = await publishedVersion(client, workflowType, undefined);
  const { request } = (input ?? {}) as { readonly request?: unknown };
  for (const each of peopleInLists(published?.file.input, request)) if (each === userUid) return true;
  return false;
}
