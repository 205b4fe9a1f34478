// A second version of a flow, rolled out and back on worker processes as they are deployed: dark it is not used, switched
// on only new processes are on it, and each ends on the version that it began with. Then it is made dark again.
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { LockerFlows } from '../../../client/locker-flows.ts';
import { ourService } from '../../end-to-end/installation.ts';
import { Play } from '../../end-to-end/play.ts';
import { storyOf } from '../../end-to-end/stories.ts';
import { useInstallation } from '../../end-to-end/use-installation.ts';
import { startWorkerProcess, type WorkerProcess } from '../../end-to-end/worker-process.ts';
import { bundleOf } from '../../support/bundles.ts';
import { eventsOf } from '../../support/history.ts';
import { newTaskQueue } from '../../support/temporal.ts';

const installation = useInstallation(ourService, { worker: false });
const bothVersions = fileURLToPath(
  new URL('../../end-to-end/fixtures/issue-of-two-versions.ts', import.meta.url),
);
const old = {};
let newer: { readonly WORKER_WORKFLOW_BUNDLE: string };

beforeAll(async () => {
  newer = { WORKER_WORKFLOW_BUNDLE: (await bundleOf(bothVersions)).codePath };
}, 300_000);

const dark = { WORKER_DARK_DEFINITIONS: 'Issue@2' };

function deployment() {
  const taskQueue = newTaskQueue();
  const flows = new LockerFlows(installation().client, { taskQueue });
  const deploy = async (variables: Readonly<Record<string, string>>) => {
    const worker = await startWorkerProcess(installation(), {
      LOCKERFLOW_TASK_QUEUE: taskQueue,
      WORKER_SHUTDOWN_GRACE_SECONDS: '1',
      ...variables,
    });
    onTestFinished(() => worker.kill());
    return worker;
  };
  /** The new one is there before the old one goes. */
  const replace = async (worker: WorkerProcess, ...by: Parameters<typeof deploy>) => {
    const next = await deploy(...by);
    await worker.stop();
    return next;
  };
  const issue = async () => {
    const play = await Play.begin({
      installation: installation(),
      story: storyOf('Issue'),
      flows,
    });
    await play.untilFollowed();
    return play;
  };
  return { deploy, replace, issue };
}

const workflowOf = ({ handle }: Play) => installation().client.workflow.getHandle(handle.workflowId);

/** As it says itself, and as operators find it. */
async function versionOf(play: Play): Promise<number> {
  const { version } = await play.progress();
  const { searchAttributes } = await workflowOf(play).describe();
  expect(searchAttributes.LockerFlowVersion).toEqual([`Issue@${version}`]);
  return version;
}

async function isStillOpenAfterDropOff(play: Play): Promise<void> {
  await play.does(['issue', 'dropOff']);
  await play.untilHeard();
  expect((await play.progress()).activity).toBe('Following');
}

async function isDoneByDropOff(play: Play): Promise<void> {
  await play.does(['issue', 'dropOff']);
  expect(await play.handle.result()).toMatchObject({
    outcome: 'Done',
    shipments: { issue: { stateCode: 'ReadyForPickup' } },
  });
}

async function isDoneByPickUp(play: Play): Promise<void> {
  await play.does(['issue', 'pickUp']);
  await play.expectDone();
}

test('rolled out dark, a version is used by no process and can be taken back; switched on, by new ones alone', async () => {
  const { deploy, replace, issue } = deployment();
  const first = await deploy(old);
  const before = await issue();

  const inTheDark = await replace(first, { ...newer, ...dark });
  const meanwhile = await issue();
  expect([await versionOf(before), await versionOf(meanwhile)]).toEqual([1, 1]);

  const takenBack = await replace(inTheDark, old);
  await isStillOpenAfterDropOff(meanwhile);

  await replace(takenBack, newer);
  const after = await issue();
  expect([await versionOf(before), await versionOf(after)]).toEqual([1, 2]);
  await isDoneByDropOff(after);
  await isStillOpenAfterDropOff(before);
  await isDoneByPickUp(before);
  await isDoneByPickUp(meanwhile);
}, 300_000);

test('made dark again, a version is used by no new process and those on it go on; where it is gone they wait', async () => {
  const { deploy, replace, issue } = deployment();
  const on = await deploy(newer);
  const [goesOn, waits] = [await issue(), await issue()];

  const darkAgain = await replace(on, { ...newer, ...dark });
  const former = await issue();
  expect([await versionOf(goesOn), await versionOf(former)]).toEqual([2, 1]);
  await isDoneByDropOff(goesOn);

  const withoutIt = await replace(darkAgain, old);
  await waits.does(['issue', 'dropOff']);
  await expect
    .poll(() => eventsOf(workflowOf(waits)), { timeout: 180_000 })
    .toContain('WORKFLOW_TASK_FAILED');
  await isStillOpenAfterDropOff(former);
  await isDoneByPickUp(former);

  await replace(withoutIt, { ...newer, ...dark });
  expect((await waits.handle.result()).outcome).toBe('Done');
  expect(await versionOf(waits)).toBe(2);
}, 300_000);
