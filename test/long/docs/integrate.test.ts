// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of a file.
// docs/integrate.md is what works: its program in TypeScript is taken out of the page and runs as it stands, against
// everything real; so do the programs of docs/examples/sdk, which it links to.
import { readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, inject, test } from 'vitest';
import { flowSchemas } from '../../../contract/flow-schemas/flow-schemas.ts';
import flowExamples from '../../../docs/flow-examples.json' with { type: 'json' };
import { type Child, startChild } from '../../../local/child-process.ts';
import { ourService } from '../../end-to-end/installation.ts';
import { useInstallation } from '../../end-to-end/use-installation.ts';
import { endedWithTest } from '../../support/processes/node-program.ts';
import { pythonWith } from '../../support/python/python.ts';
import { temporaryFolder } from '../../support/set-up-process.ts';

const root = join(import.meta.dirname, '../../..');
const page = await readFile(join(root, 'docs/integrate.md'), 'utf8');
// Another program's start and a flow, on two cores that other tests keep busy; the first time Python's SDK is installed.
const PATIENCE_MS = 300_000;

// The page's programs use the task queue of a usual installation.
const installation = useInstallation(ourService, { taskQueue: 'lockerflow' });

function example(): string {
  const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, text = '']) => text);
  const [found, ...others] = blocks.filter((text) => text.includes('new LockerFlows'));
  if (!found || others.length > 0) throw new Error('expected one block of ts with new LockerFlows');
  return found;
}

const running = (program: string, args: readonly string[], env: NodeJS.ProcessEnv): Child =>
  endedWithTest(startChild(program, args, { env }));

test(
  'a Python program checks what it sends and gets against the schemas of the flows',
  async ({ skip }) => {
    const [sdk, checker] = await Promise.all([pythonWith('temporalio'), pythonWith('jsonschema')]);
    if (typeof sdk === 'string') return skip(sdk);
    if (typeof checker === 'string') return skip(checker);
    const file = join(root, 'docs/examples/sdk/checked.py');
    // As the package has them.
    const schemas = join(await temporaryFolder(), 'flow-schemas.json');
    await writeFile(schemas, JSON.stringify(flowSchemas(flowExamples)));
    const env = { ...sdk.env, PYTHONPATH: [sdk.env.PYTHONPATH, checker.env.PYTHONPATH].join(delimiter) };
    const program = running(sdk.program, [file, inject('temporalAddress'), schemas], env);
    // Not its exit code, nor what is said last: the interpreter was seen to crash in the SDK's native part at its very
    // end, with all said, and to say more of that.
    await program.ended;
    expect(program.said().trim().split('\n').slice(0, 5), program.said()).toEqual([
      'setReceiver done',
      'removeReceiver done',
      'extendDeadline done',
      'resolve done',
      'Done Completed',
    ]);
  },
  PATIENCE_MS,
);

test(
  'a Python program starts IssueFromStock, follows it, and gets its result',
  async ({ skip }) => {
    const python = await pythonWith('temporalio');
    if (typeof python === 'string') return skip(python);
    const file = join(root, 'docs/examples/sdk/issue.py');
    const prior = await installation().people.newStock();
    const program = running(python.program, [file, inject('temporalAddress'), prior], python.env);
    await program.says('issue to be picked up until');
    await installation().people.pickUp(prior);
    // As above, its end does not count.
    await program.ended;
    expect(program.said().split('\n')).toContain('Done');
  },
  PATIENCE_MS,
);

const ASKING = `
name: AskingTheDesk
meaning: Asks the desk about a device.
initial: asking
states:
  asking:
    invoke:
      id: inspection
      src: ask
      input: { of: desk, question: Is the device whole?, fields: { state: { choice: [whole, broken] } } }
      onDone: over
  over: { type: final, output: { state: "\${event.output.state}", by: "\${event.output.by}" } }
output: "\${event.output}"
`;

test(
  'a Python program reads a question of a flow file, hears why an answer is refused, and answers it',
  async ({ skip }) => {
    const python = await pythonWith('temporalio');
    if (typeof python === 'string') return skip(python);
    const { flows } = installation();
    await flows.publish([{ path: 'asking.flow.yaml', text: ASKING }]);
    const { workflowId } = await flows.startPublished('AskingTheDesk', 'asking-17', {});
    const file = join(root, 'docs/examples/sdk/answer.py');
    const program = running(python.program, [file, inject('temporalAddress'), workflowId], python.env);
    // As above, its end does not count.
    await program.ended;
    expect(program.said().trim().split('\n').slice(0, 3), program.said()).toEqual([
      'desk is asked: Is the device whole?',
      'InvalidAnswer state must be one of whole, broken',
      'inspection is answered',
    ]);
    expect(await flows.fileHandle(workflowId).result()).toEqual({ state: 'whole', by: 'Anna, desk' });
  },
  PATIENCE_MS,
);

test(
  'a TypeScript program starts IssueFromStock, follows it, and gets its result by the client',
  async () => {
    const client = pathToFileURL(join(root, 'client/index.ts')).href;
    const prior = await installation().people.newStock();
    const text = [
      "const tryAnotherPickUpPoint = () => console.log('refused');",
      example().replace("'lockerflow/client'", `'${client}'`),
      'console.log((await handle.result()).outcome); process.exit();',
    ];
    const file = join(await temporaryFolder(), 'issue.ts');
    await writeFile(file, text.join('\n'));
    const env = { ...process.env, TEMPORAL_ADDRESS: inject('temporalAddress') };
    const program = running(process.execPath, [file, prior], env);
    await program.says('issue to be picked up until');
    await installation().people.pickUp(prior);
    expect(await program.exitCode, program.said()).toBe(0);
    expect(program.said().trim().split('\n').at(-1)).toBe('Done');
  },
  PATIENCE_MS,
);
