// What a new Temporal needs before flows run: the namespace with the search attributes, and the version of the workers that
// gets the work. Temporal's processes have just found each other, so that each step is tried again for a while.
import { Client, Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { registerSearchAttributes } from '../../../client/search-attributes.ts';
import { untilDone } from './until-it-works.ts';

const NAMESPACE = 'default';
// As Temporal's own set-up has it.
const RETENTION = msToTs('3 days');

async function withClient<Result>(
  address: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const connection = await untilDone(() => Connection.connect({ address }));
  return await work(new Client({ connection, namespace: NAMESPACE })).finally(() => connection.close());
}

export const ensureNamespace = (address: string): Promise<void> =>
  withClient(address, async (client) => {
    await untilDone(() => registerNamespace(client));
    // Each process of Temporal learns of a namespace within seconds.
    await untilDone(() => registerSearchAttributes(client));
    await untilDone(async () => {
      const missing = await registerSearchAttributes(client);
      if (missing.length > 0) throw new Error(`${missing.join(', ')} are not known yet`);
    });
  });

async function registerNamespace({ workflowService }: Client): Promise<void> {
  const { namespaces } = await workflowService.listNamespaces({});
  if (namespaces.some(({ namespaceInfo }) => namespaceInfo?.name === NAMESPACE)) return;
  await workflowService.registerNamespace({
    namespace: NAMESPACE,
    workflowExecutionRetentionPeriod: RETENTION,
  });
}

/** Temporal knows a version from the moment that its first worker asked for work. */
export const makeCurrent = (address: string, deploymentName: string, buildId: string): Promise<void> =>
  withClient(address, async ({ workflowService, options: { identity } }) => {
    await untilDone(() =>
      workflowService.setWorkerDeploymentCurrentVersion({
        namespace: NAMESPACE,
        deploymentName,
        buildId,
        identity,
      }),
    );
  });
