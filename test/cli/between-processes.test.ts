// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of files.
// What `lockerflow show` says of processes that start, tell and hear each other: which event, which item, and who got it.
import { expect, test, vi } from 'vitest';
import { newNamespace } from '../support/temporal.ts';
import { runningFiles, uniqueName } from '../workflows/flow-files/running-files.ts';
import { commandsIn } from './lockerflow-program.ts';

const namespace = await newNamespace();
const { run } = commandsIn(namespace);
const files = runningFiles(undefined, namespace);
const lockerflow = (...words: string[]) => run(words, { taskQueue: files.taskQueue });

/** What `show` says, once it says all of this. */
async function shown(key: string, ...texts: string[]): Promise<string> {
  return await vi.waitUntil(
    async () => {
      const { out } = await lockerflow('show', key);
      return texts.every((text) => out.includes(text)) && out;
    },
    { timeout: 60_000, interval: 200 },
  );
}

const worker = (name: string) => `
name: ${name}
meaning: Repairs a device.
input: { type: object, required: [device], properties: { device: { type: string } } }
initial: waiting
states:
  waiting: { on: { hurry: told } }
  told: { entry: { type: sendParent, params: { type: parts.ready } }, on: { hurry: over } }
  over: { type: final }
`;

test('a process says what it tells the flow that it has started, and hears of it', async () => {
  const [parent, child] = [uniqueName('Parent'), uniqueName('Child')];
  await files.publish(worker(child));
  await files.publish(`
name: ${parent}
meaning: Has a device repaired.
initial: repairing
states:
  repairing:
    invoke: { id: repair, src: ${child}, input: { request: { device: laptop-1 } }, onDone: over, onError: over }
    on:
      user.waits: { actions: { type: sendTo, params: { to: repair, type: hurry } } }
      repair.parts.ready: { actions: { type: log, params: { message: ready } } }
  over: { type: final }
`);
  const { workflowId: key } = await files.start(parent, {});
  await shown(key, 'It starts');
  await lockerflow('event', key, 'user.waits', '--by', 'anna');
  const out = await shown(key, `“${child}” tells it: “parts ready”.`);
  expect(out).toContain(`It tells “${child}”: “hurry”.`);
  expect(out).toContain(`It tells ${key}: “parts ready”.`);
  expect(await shown(`${key}/repair`, 'parts ready')).toContain(`It tells ${key}: “parts ready”.`);
}, 90_000);

test('a process says how many cases an event by business data has reached, or how long it waits for one', async () => {
  const [sender, listener] = [uniqueName('Sender'), uniqueName('Listener')];
  await files.publish(`
name: ${listener}
meaning: Waits for a device.
input: { type: object, required: [device], properties: { device: { type: string } } }
correlate: { device: "\${input.device}" }
initial: waiting
states:
  waiting: { on: { device.free: { actions: { type: log, params: { message: free } } } } }
`);
  await files.publish(`
name: ${sender}
meaning: Says that a device is free.
input: { type: object, required: [device], properties: { device: { type: string } } }
initial: saying
states:
  saying:
    entry: { type: sendTo, params: { where: { device: "\${input.device}" }, type: device.free, keepFor: P1D } }
    on: { over: over }
  over: { type: final }
`);
  const device = uniqueName('laptop');
  for (const _ of [1, 2]) {
    const { workflowId } = await files.start(listener, { request: { device } });
    await shown(workflowId, `found by: device=${device}`);
  }
  const { workflowId: heard } = await files.start(sender, { request: { device } });
  await shown(heard, `It tells 2 cases with device ${device}: “device free”.`);
  const other = uniqueName('laptop');
  const { workflowId: unheard } = await files.start(sender, { request: { device: other } });
  await shown(unheard, `Nobody with device ${other} has heard “device free” yet: it waits until 20`);
}, 90_000);

test('what is done with an item is said by what people call the item', async () => {
  const [batch, child] = [uniqueName('Batch'), uniqueName('Child')];
  await files.publish(worker(child));
  await files.publish(`
name: ${batch}
meaning: Has devices repaired, and asks about each.
context: { devices: [laptop-1, laptop-2] }
initial: repairing
states:
  repairing:
    invoke:
      id: repair
      src: each
      input: { of: "\${context.devices}", title: "\${item}", do: { src: ${child}, input: { request: { device: "\${item}" } } } }
      onDone: asking
      onError: over
    on: { repair.parts.ready: { actions: { type: log, params: { message: ready } } } }
  asking:
    invoke:
      id: check
      src: each
      input: { of: "\${context.devices}", title: "\${item}", do: { src: ask, input: { of: ${batch}, question: Is it whole?, fields: { yes: { type: yesNo } } } } }
      onDone: calling
  calling:
    invoke:
      id: pages
      src: each
      input: { of: [1], title: "page \${item}", do: { src: GetPickUpPoints, input: { pageNo: "\${item}", pageSize: 10 } } }
      onDone: over
      onError: over
  over: { type: final }
`);
  const { workflowId: key } = await files.start(batch, {});
  const begun = await shown(
    key,
    `It starts “${child}” for laptop-1, laptop-2.`,
    `${child} for laptop-2: It is started.`,
  );
  expect(begun).toContain('waiting for: repair: 0 of 2 done, 0 failed, 2 at work (laptop-1, laptop-2)');
  expect(begun).toContain(`waiting for: ${child}, for laptop-2`);
  for (const index of [0, 1])
    for (const _ of ['told', 'over']) await lockerflow('event', `${key}/repair.${index}`, 'hurry');
  await shown(key, 'waiting for: check: 0 of 2 done');
  for (const index of [0, 1])
    await lockerflow('answer', key, '--question', `check.${index}`, 'yes=yes', '--by', 'anna');
  const out = await shown(key, 'Ended');
  expect(out).toContain(`“${child}” for laptop-2 tells it: “parts ready”.`);
  expect(out).toContain('Anna answers “check” for laptop-1: yes: yes.');
  expect(out).toContain('The locker service has answered “get pick up points” for page 1.');
  await files.replays(key);
}, 90_000);
