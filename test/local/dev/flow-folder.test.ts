// A folder that `lockerflow dev` follows: what is published of it, what is told of its findings, and which stories are played.
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FlowFileText } from '../../../client/flow-files/check-texts.ts';
import { FlowFolder } from '../../../local/dev/flow-folder.ts';
import { CommandError } from '../../../processes/outcome.ts';
import { CommandFailed } from '../../../shared/terminal/exit-codes.ts';
import { temporaryFolder } from '../../support/set-up-process.ts';

const flow = (name: string, days = 3, target = 'asked') => `name: ${name}
meaning: A parcel waits for its receiver.
initial: waiting
states:
  waiting:
    after: { P${days}D: ${target} }
  asked: { type: final }
`;
const stories = (file: string, days = 3) => `flow: ${file}
stories:
  - story: It is asked for in time.
    steps: [ { when: { passes: P${days}D }, then: { state: asked } } ]
  - story: It waits.
    steps: [ { when: { passes: P1D }, then: { state: waiting } } ]
`;

/** What is told since the last call, and the names of the files that were published in each step. */
async function followed() {
  const folder = await temporaryFolder();
  let told: string[] = [];
  let publications: string[][] = [];
  let failure: Error | undefined;
  const nameOf = (path: string) => path.slice(folder.length + 1);
  const flows = new FlowFolder(folder, {
    connectors: null,
    say: (subject, words, level = 'info') =>
      void told.push(`${level} ${subject.replace(`${folder}/`, '')}: ${words}`),
    publishing: {
      published: async () => [],
      async publish(files: readonly FlowFileText[]) {
        if (failure) throw failure;
        publications.push(files.map(({ path }) => nameOf(path)));
        return files.map(({ path }) => `${nameOf(path)} is published`);
      },
    },
  });
  return {
    save: (name: string, text: string) => writeFile(join(folder, name), text),
    remove: (name: string) => rm(join(folder, name)),
    fail: (error?: Error) => {
      failure = error;
    },
    async update() {
      [told, publications] = [[], []];
      const isDone = await flows.update();
      return { isDone, told, published: publications };
    },
  };
}

test('a file is published when it is new and when it has changed, with the stories that this concerns', async () => {
  const { save, update } = await followed();
  await save('parcel.flow.yaml', flow('Parcel'));
  await save('parcel.stories.yaml', stories('parcel.flow.yaml'));
  await save('letter.flow.yaml', flow('Letter'));
  await save('letter.stories.yaml', stories('letter.flow.yaml'));
  expect(await update()).toEqual({
    isDone: true,
    told: [
      'info letter.stories.yaml: 2 stories passed',
      'info parcel.stories.yaml: 2 stories passed',
      'info lockerflow: letter.flow.yaml is published',
      'info lockerflow: parcel.flow.yaml is published',
    ],
    published: [['letter.flow.yaml', 'parcel.flow.yaml']],
  });
  expect(await update()).toEqual({ isDone: true, told: [], published: [] });

  await save('parcel.flow.yaml', flow('Parcel', 4));
  expect(await update()).toEqual({
    isDone: true,
    told: [
      'error parcel.stories.yaml: 1 of 2 stories failed',
      expect.stringMatching(
        /^error parcel\.stories\.yaml: It is asked for in time: line 4:\d+: step 1 .*"waiting"$/,
      ),
      'info lockerflow: parcel.flow.yaml is published',
    ],
    published: [['parcel.flow.yaml']],
  });

  await save('parcel.stories.yaml', stories('parcel.flow.yaml', 4));
  expect(await update()).toEqual({
    isDone: true,
    told: ['info parcel.stories.yaml: 2 stories passed'],
    published: [],
  });
});

test('a file with findings is not published before it is mended; each finding has its place', async () => {
  const { save, update } = await followed();
  await save('parcel.flow.yaml', flow('Parcel'));
  await save('letter.flow.yaml', flow('Letter'));
  await save('parcel.stories.yaml', stories('parcel.flow.yaml'));
  await update();

  await save('parcel.flow.yaml', flow('Parcel', 3, 'nowhere'));
  await save('letter.flow.yaml', flow('Letter', 5));
  const broken = await update();
  expect(broken.told).toEqual([
    expect.stringMatching(
      /^error parcel\.flow\.yaml:6:14: TargetUnknown: states\.waiting\.after\.P3D: nowhere/,
    ),
    'error parcel.flow.yaml: is not published before this is mended',
    'info lockerflow: letter.flow.yaml is published',
  ]);
  // They are told once.
  await save('letter.flow.yaml', flow('Letter', 6));
  expect((await update()).told).toEqual(['info lockerflow: letter.flow.yaml is published']);

  // Valid, but not what its author means.
  await save('parcel.flow.yaml', `${flow('Parcel')}  lost: { type: final }\n`);
  expect(await update()).toMatchObject({
    told: [
      expect.stringMatching(/^error parcel\.flow\.yaml:8:3: StateUnreachable: states\.lost/),
      'error parcel.flow.yaml: is not published before this is mended',
      'info parcel.stories.yaml: 2 stories passed',
    ],
    published: [],
  });

  // What was published before is the same: nothing is to be done.
  await save('parcel.flow.yaml', flow('Parcel'));
  expect(await update()).toMatchObject({ told: ['info parcel.stories.yaml: 2 stories passed'] });
});

test('what is not possible for now is tried again; what is refused waits for a change', async () => {
  const { save, update, fail } = await followed();
  await save('parcel.flow.yaml', flow('Parcel'));
  fail(new CommandError('unreachable', 'NoWorker', 'no worker answers'));
  const first = await update();
  expect(first).toMatchObject({
    isDone: false,
    told: [expect.stringMatching(/^warn .*: no worker answers$/)],
  });
  // It is told once.
  expect(await update()).toMatchObject({ isDone: false, told: [] });
  fail(new CommandFailed('unreachable', 'Temporal cannot be reached'));
  expect(await update()).toMatchObject({ isDone: false });
  fail();
  expect(await update()).toMatchObject({ isDone: true, published: [['parcel.flow.yaml']] });

  await save('parcel.flow.yaml', flow('Parcel', 4));
  fail(new CommandError('wrongInput', 'FlowFilesRefused', 'one line\nanother line'));
  expect(await update()).toMatchObject({
    isDone: true,
    told: [expect.stringMatching(/^error .*: one line$/), expect.stringMatching(/^error .*: another line$/)],
  });
});

test('calendars are a part of each file of the folder; while they are wrong, nothing is published', async () => {
  const { save, update } = await followed();
  await save('parcel.flow.yaml', flow('Parcel'));
  await save('parcel.stories.yaml', stories('parcel.flow.yaml'));
  await update();
  const calendar = (open: string) => `desk: { zone: Europe/Amsterdam, open: { MON-FRI: "${open}" } }\n`;
  await save('calendars.yaml', calendar('never'));
  const { told, published } = await update();
  expect(told[0]).toMatch(/^error .*calendars\.yaml is not a valid file of calendars$/);
  expect(published).toEqual([]);
  await save('calendars.yaml', calendar('09:00-17:00'));
  expect(await update()).toMatchObject({
    told: ['info parcel.stories.yaml: 2 stories passed', expect.anything(), expect.anything()],
    published: [['parcel.flow.yaml', 'calendars.yaml']],
  });
});

test('a file that is removed stays published, and is published again when it is back', async () => {
  const { save, remove, update } = await followed();
  await save('parcel.flow.yaml', flow('Parcel'));
  await update();
  await remove('parcel.flow.yaml');
  expect((await update()).told).toEqual([
    'warn parcel.flow.yaml: is gone; its flow stays published, and its processes go on',
  ]);
  await save('parcel.flow.yaml', flow('Parcel'));
  expect(await update()).toMatchObject({ published: [['parcel.flow.yaml']] });
});
