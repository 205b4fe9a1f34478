// Registers the flows' search attributes that Temporal does not know yet, and finds out which of its own it has.
import type { Client } from '@temporalio/client';
import { type SearchAttributeName, searchAttributes } from '../contract/flows/search-attributes.ts';
import { grpcCodes, grpcFailureOf } from './grpc-failure.ts';

// Temporal's numbers (temporal.api.enums.v1.IndexedValueType).
const types = { Keyword: 2, Datetime: 6, KeywordList: 7 } as const;

const names = Object.keys(searchAttributes) as SearchAttributeName[];

/** Gives the missing ones. Throws Temporal's error if the caller is not allowed to register them. */
export async function registerSearchAttributes(client: Client): Promise<SearchAttributeName[]> {
  const { namespace } = client.options;
  const { operatorService } = client.connection;
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  const known = customAttributes ?? {};
  for (const name of names) {
    const type = known[name];
    if (type !== undefined && type !== types[searchAttributes[name]])
      throw new Error(
        `the search attribute ${name} of ${namespace} is of another type, expected ${searchAttributes[name]}; remove it first: temporal operator search-attribute remove --name ${name}`,
      );
  }
  const missing = names.filter((name) => known[name] === undefined);
  if (missing.length > 0)
    await operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing.map((name) => [name, types[searchAttributes[name]]])),
    });
  return missing;
}

/** Older servers lack some of Temporal's own. */
export async function hasSearchAttribute(client: Client, name: string): Promise<boolean> {
  try {
    await client.workflow.count(`WorkflowId = 'nothing' AND ${name} IS NOT NULL`);
    return true;
  } catch (error) {
    if (grpcFailureOf(error)?.code === grpcCodes.invalidArgument) return false;
    throw error;
  }
}
