// A flow file that comes with the workers, as a workflow of its name: no history holds it, and no start fetches it.
import { workflowInfo } from '@temporalio/workflow';
import type { Continued } from '../../engine/continued.ts';
import type { Definition } from '../../engine/definition/definition.ts';
import { VersionMissing } from '../../engine/migration/migrations.ts';
import { answerBeforeStart } from '../../engine/temporal/answers-before-start.ts';
import { chooseVersion, type Workflow } from '../../engine/temporal/workflow.ts';
import { onboardingAtStart } from '../../flows/accounts/onboarding.ts';
import { progressAtStart } from '../../flows/booking/whole-booking.ts';
import type { FlowFile } from '../../flows/language/flow-file.ts';
import { FileMachines } from '../../flows/language/machine/file-machines.ts';
import { Registration } from '../../flows/language/machine/listening.ts';
import { notBegun } from '../../flows/language/machine/progress.ts';
import { Questions } from '../../flows/language/machine/questions.ts';
import { Work } from '../../flows/language/machine/work.ts';
import type { Published } from '../../flows/language/registry.ts';
import { Invocations } from './actors.ts';
import { type FlowFileStart, processDefinition } from './process-definition.ts';
import { runFile } from './run-file.ts';

export function shippedWorkflow<Input, Result>(
  versions: Readonly<Record<number, FlowFile>>,
): Workflow<Input, Result> {
  const name = Object.values(versions)[0]?.name ?? '';
  const machines = new FileMachines();
  const publishedOf = (version: number): Published => {
    const file = versions[version];
    if (!file) throw new VersionMissing(name, version, Object.keys(versions));
    return { file, version, publishedAt: '' };
  };
  const run = (input: Input, continued?: Continued) => {
    const published = publishedOf(continued?.version ?? chooseVersion(name, versions));
    const { file, version } = published;
    const { workflowId, firstExecutionRunId } = workflowInfo();
    const start = { flow: name, version, input, workflowId, firstExecutionRunId };
    // Until it knows its time.
    answerBeforeStart({
      flow: name,
      progress: () => ({
        ...notBegun(name, false),
        ...progressAtStart(file, start, Date.now()),
        ...onboardingAtStart(file),
      }),
    });
    return runFile({
      published,
      machines,
      input: (input ?? {}) as FlowFileStart,
      continued,
      isShipped: true,
      adapted: (definition) => migratingBetween(definition, publishedOf),
    }) as Promise<Result>;
  };
  const definitions = Object.fromEntries(
    Object.entries(versions).map(([version, file]) => [
      version,
      () => shippedDefinition(file, Number(version)),
    ]),
  );
  return Object.assign(run, { definitions });
}

/** A request to migrate names a version that the workers have. */
function migratingBetween(given: Definition, publishedOf: (version: number) => Published): Definition {
  const { migrates } = given;
  if (!migrates) return given;
  return {
    ...given,
    migrates: (request, now, actors) => {
      const version = Number((request.to as { readonly version?: unknown } | null)?.version);
      const target = migrates({ ...request, to: publishedOf(version) }, now, actors);
      return { ...target, definition: migratingBetween(target.definition, publishedOf) };
    },
  };
}

/** In no workflow: for tests and docs. */
export const shippedDefinition = (file: FlowFile, version = 1): Definition =>
  processDefinition(
    { file, version, publishedAt: '' },
    {
      questions: new Questions(),
      input: {},
      registration: new Registration(null),
      invocations: new Invocations(),
      work: new Work(() => Date.now()),
      machines: new FileMachines(),
      isShipped: true,
    },
  );
