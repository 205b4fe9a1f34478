// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what the files hold.
// `lint` and `test` of flow files: what they write, and their exit codes. None of them needs Temporal.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { issue } from '../../flows/built-in/flows.ts';
import { parsedText } from '../../flows/language/reading/yaml.ts';
import { fileOf } from '../../flows/shipped/files.ts';
import { run } from './lockerflow-program.ts';

const flow = `
name: Reminder
meaning: Reminds somebody once, unless it is called off.
input: { type: object, required: [days], properties: { days: { type: integer } } }
context: { sent: 0 }
initial: waiting
states:
  waiting:
    after:
      PT24H: { target: reminded, actions: [ { type: assign, params: { sent: "\${context.sent + input.days}" } }, { type: emit, params: { type: reminder, data: { days: "\${input.days}" } } } ] }
    on: { calledOff: over }
  reminded:
    invoke: { id: seen, src: ask, input: { of: desk, question: Seen?, fields: { ok: { type: yesNo } }, within: P1D }, onDone: over, onError: over }
  over: { type: final }
output: { sent: "\${context.sent}" }
`;

const calling = `name: Calling
meaning: Opens a ticket, and tells of it.
initial: opening
states:
  opening: { entry: { type: emit, params: { type: ticket.asked, to: tickets } },
    invoke: { id: ticket, src: call, input: { connector: tikets, method: POST, path: / }, onDone: over, onError: over } }
  over: { type: final }
`;

let folder = '';
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockerflow-flow-files-'));
  await writeFile(at('reminder.flow.yaml'), flow);
  await writeFile(
    at('wrong.flow.yaml'),
    flow.replace('target: reminded', 'target: remindd').replace('over: {', 'ovr: {'),
  );
  await writeFile(
    at('odd.flow.yaml'),
    flow.replace(', onError: over', '').replace('name: Reminder', 'name: Odd'),
  );
  await writeFile(at('again.flow.yaml'), flow);
});
afterAll(() => rm(folder, { recursive: true }));

const ended = (...words: string[]) => run(words);

describe('flows --file', () => {
  test('prints the file of a built-in flow, as YAML and as JSON, and of one on disk', async () => {
    const file = fileOf(issue);
    const { code, out } = await ended('flows', 'issue', '--file');
    expect({ code, data: parsedText(out).data }).toEqual({ code: 0, data: file });
    expect(out).toContain('output: "${event.?output.orValue(null)}"\n');
    expect(JSON.parse((await ended('flows', 'Issue', '--file', '--json')).out)).toEqual(file);
    const own = await ended('flows', at('reminder.flow.yaml'), '--file');
    expect(parsedText(own.out).data).toEqual(parsedText(flow).data);
  });

  test('prints OnboardAccount as a file that lint finds nothing in, and wants the name of one flow', async () => {
    const { code, out } = await ended('flows', 'OnboardAccount', '--file');
    expect(code).toBe(0);
    const copy = out.replace('name: OnboardAccount', 'name: MyOnboarding');
    await writeFile(at('my-onboarding.flow.yaml'), copy);
    expect(await ended('lint', at('my-onboarding.flow.yaml'))).toMatchObject({ code: 0 });
    const shown = await ended('flows', at('my-onboarding.flow.yaml'));
    expect(shown.out).toContain('It takes what OnboardAccount takes.');
    expect(shown.out).not.toContain('no input');
    expect(await ended('flows', '--file')).toMatchObject({ code: 2, out: '' });
    expect(await ended('flows', 'Issue', '--file', '--chart', 'svg')).toMatchObject({ code: 2, out: '' });
  });
});

describe('lint', () => {
  test('two files with one name are an error, of the second one', async () => {
    const { code, out } = await ended('lint', at('reminder.flow.yaml'), at('again.flow.yaml'));
    expect(code).toBe(1);
    expect(out).toContain(`${at('reminder.flow.yaml')}: clean\n${at('again.flow.yaml')}\n`);
    expect(out).toContain(
      `NameTaken: line 2:1, name: Reminder (of ${at('reminder.flow.yaml')}) is a name that is already taken; use another name`,
    );
  });

  test('of a sound file ends with 0', async () => {
    expect(await ended('lint', at('reminder.flow.yaml'))).toMatchObject({
      code: 0,
      out: `${at('reminder.flow.yaml')}: clean\n`,
    });
  });

  test('reports all errors of a file, with code, line, path and remedy, and ends with 1', async () => {
    const { code, out } = await ended('lint', at('wrong.flow.yaml'));
    expect(code).toBe(1);
    expect(out).toContain(
      'TargetUnknown: line 10:7, states.waiting.after.PT24H: remindd is not a state that can be named from here (expected reminded, perhaps); name a state beside this one, .name for a state within it, or #id',
    );
    expect(out).toContain(
      'TargetUnknown: line 11:11, states.waiting.on.calledOff: over is not a state that can be named from here (expected ovr, perhaps)',
    );
  });

  test('checks the names of connectors by --connectors or LOCKERFLOW_CONNECTORS, and reads none of their secrets', async () => {
    await writeFile(at('calling.flow.yaml'), calling);
    await writeFile(
      at('connectors.yaml'),
      `connectors:
  tickets: { address: "https://tickets.example", allow: ["POST /"], credentials: { bearerFile: not-here } }
  hub: { address: "https://hub.example", events: { signingKeyFile: not-here } }`,
    );
    const unchecked = await ended('lint', at('calling.flow.yaml'));
    expect(unchecked.code).toBe(0);
    const wrong = [
      'ConnectorUnknown: line 5:65, states.opening.entry.params.to: tickets is not a connector that the workers can use for this (expected one of hub)',
      'ConnectorUnknown: line 6:47, states.opening.invoke.input.connector: tikets is not a connector that the workers can use for this (expected tickets, perhaps)',
    ];
    const asked = await ended('lint', '--connectors', at('connectors.yaml'), at('calling.flow.yaml'));
    expect(asked.code).toBe(1);
    for (const line of wrong) expect(asked.out).toContain(line);
    vi.stubEnv('LOCKERFLOW_CONNECTORS', at('connectors.yaml'));
    try {
      expect((await ended('lint', at('calling.flow.yaml'))).out).toBe(asked.out);
    } finally {
      vi.unstubAllEnvs();
    }
    await writeFile(
      at('right.flow.yaml'),
      calling.replace('to: tickets', 'to: hub').replace('tikets', 'tickets'),
    );
    const right = await ended('lint', '--connectors', at('connectors.yaml'), at('right.flow.yaml'));
    expect(right).toMatchObject({ code: 0 });
  });

  test('a folder means its flow files, without their calendars', async () => {
    const own = await mkdtemp(join(folder, 'of-files-'));
    expect(await ended('lint', own)).toMatchObject({
      code: 2,
      err: expect.stringContaining(
        `${own} has no flow file; expected one with a name that ends in .flow.yaml`,
      ),
    });
    await writeFile(join(own, 'reminder.flow.yaml'), flow);
    await writeFile(join(own, 'calendars.yaml'), 'desk: { zone: Europe/Amsterdam }');
    await writeFile(join(own, 'notes.yaml'), 'none: of these');
    const { out } = await ended('lint', '--json', own, join(own, 'reminder.flow.yaml'));
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).file),
    ).toEqual([join(own, 'reminder.flow.yaml')]);
  });

  test('says so where its file or that of connectors cannot be read', async () => {
    expect((await ended('lint', at('none.yaml'))).code).toBe(2);
    await writeFile(at('no-connectors.yaml'), 'connectors: [a]');
    for (const path of ['missing.yaml', 'no-connectors.yaml']) {
      const { code, err } = await ended('lint', '--connectors', at(path), at('reminder.flow.yaml'));
      expect(code).toBe(2);
      expect(err).toContain('expected a file of connectors');
    }
  });

  test('reports valid parts that the author cannot mean, as JSON with --json', async () => {
    const { code, out } = await ended('lint', '--json', at('odd.flow.yaml'), at('reminder.flow.yaml'));
    expect(code).toBe(1);
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      {
        file: at('odd.flow.yaml'),
        findings: [
          {
            code: 'FailureUnhandled',
            line: 13,
            column: 5,
            path: 'states.reminded.invoke',
            what: 'seen',
          },
        ],
      },
      { file: at('reminder.flow.yaml'), findings: [] },
    ]);
  });
});

describe('flows', () => {
  test('prints the chart of a file as JSON: the file itself', async () => {
    const { out } = await ended('flows', at('reminder.flow.yaml'), '--chart', 'json');
    expect(JSON.parse(out)).toMatchObject({ name: 'Reminder', states: { over: { type: 'final' } } });
  });

  test('prints its meaning', async () => {
    const { out } = await ended('flows', at('reminder.flow.yaml'));
    expect(out).toContain('Reminds somebody once, unless it is called off.');
    // And how it is started.
    expect(out).toMatch(/--set request\.days= +\w+ +required/);
  });
});

test('what files say cannot move the cursor of a terminal', async () => {
  const sequence = '\\e[2J\\e]0;title\\a';
  await writeFile(at('escaping.flow.yaml'), `${flow}"${sequence}": 1\n`);
  await writeFile(
    at('escaping.stories.yaml'),
    `flow: reminder.flow.yaml\nstories:\n  - story: "It is so.${sequence}"\n    given: { input: { days: 1 } }\n    then: { state: "${sequence}" }\n`,
  );
  await writeFile(at('escaped.stories.yaml'), `flow: escaping.flow.yaml\nstories: []\n"${sequence}": 1\n`);
  await writeFile(at('named.stories.yaml'), `flow: escaping.flow.yaml\nstories: []\n`);
  onTestFinished(async () => {
    for (const name of ['escaping.flow', 'escaping.stories', 'escaped.stories', 'named.stories'])
      await rm(at(`${name}.yaml`));
  });
  const shown = await Promise.all([
    ended('lint', at('escaping.flow.yaml')),
    ...['escaping', 'escaped', 'named'].map((name) => ended('test', at(`${name}.stories.yaml`))),
  ]);
  const control = /[^\P{Cc}\n]/u;
  for (const { out, err } of shown) expect(`${out}${err}`).not.toMatch(control);
  expect(shown[1]?.out).toContain('WRONG It is so.');
});

describe('test', () => {
  const story = (days: number, sent: number) => `
flow: reminder.flow.yaml
stories:
  - story: It reminds after a day.
    given: { input: { days: ${days} } }
    steps:
      - when: { passes: P1D }
        then: { state: reminded, context: { sent: ${sent} }, open: [seen] }
      - when: { passes: P1D }
        then: { status: done }
`;
  const only = async (text: string, ...words: string[]) => {
    await writeFile(at('reminder.stories.yaml'), text);
    return await ended('test', ...words, folder);
  };

  test('ends with 0 when each story is as told', async () => {
    const { code, out } = await only(story(2, 2));
    expect(out).toMatch(
      /reminder\.stories\.yaml\n {2}ok {4}It reminds after a day\.\n1 story, 0 failed, \d+ ms\n$/,
    );
    expect(code).toBe(0);
  });

  test('refuses a start with what the file does not take', async () => {
    const { code, out } = await only(
      story(2, 2).replace('{ input: { days: 2 } }', '{ start: { deadlines: {} }, input: { days: 2 } }'),
    );
    expect(out).toContain('start: deadlines is not known; expected request, clock');
    expect(code).toBe(1);
  });

  test('plays a story that begins by an event, and says where the event does not fit', async () => {
    await writeFile(
      at('started.flow.yaml'),
      `
name: Started
meaning: Begins by an event.
input: { type: object, required: [days], properties: { days: { type: integer } } }
starts: { day.counted: { key: "day-\${event.data.number}", request: { days: "\${event.data.number}" } } }
initial: begun
states: { begun: { on: { over: over } }, over: { type: final } }
`,
    );
    const text = (number: string, then = '{ key: day-7, request: { days: 7 } }') => `
flow: started.flow.yaml
stories:
  - story: It begins.
    given: { event: day.counted, data: { number: ${number} } }
    then: ${then}
`;
    expect((await only(text('7'))).out).toContain('  ok    It begins.\n1 story, 0 failed');
    expect((await only(text('7', '{ key: day-8 }'))).out).toContain(
      '  WRONG It begins.\n          line 4:5: start (event day.counted): key: expected "day-8", but it is "day-7"\n',
    );
    expect((await only(text('seven'))).out).toContain(
      'line 4:5: start (event day.counted): request.days must be integer, not "seven"',
    );
    await rm(at('started.flow.yaml'));
  });

  test('names the step that fails, with the expected and the actual value, and ends with 1', async () => {
    const { code, out } = await only(story(2, 4));
    expect(out).toContain(
      '  WRONG It reminds after a day.\n          line 7:9: step 1 (passes P1D): context.sent: expected 4, but it is 2\n',
    );
    expect(code).toBe(1);
    expect((await only(story(2, 4), '--json')).out).toBe(
      `${JSON.stringify({
        file: at('reminder.stories.yaml'),
        stories: [
          {
            story: 'It reminds after a day.',
            problems: ['line 7:9: step 1 (passes P1D): context.sent: expected 4, but it is 2'],
          },
        ],
      })}\n`,
    );
  });

  test('says where a file of stories is wrong, and plays the others', async () => {
    await writeFile(at('other.stories.yaml'), story(2, 2));
    const { code, out } = await only(story(2, 2).replace('passes: P1D', 'pass: P1D'));
    expect(out).toContain('other.stories.yaml\n  ok    It reminds after a day.');
    expect(out).toContain('reminder.stories.yaml: its stories cannot be played\n');
    expect(out).toContain(
      '  line 7:17, stories.0.steps.0.when.pass: pass is not known; expected event, data, keepFor, done',
    );
    expect(out).toMatch(/1 story, 0 failed, 1 file invalid, \d+ ms\n$/);
    expect(code).toBe(1);
    await rm(at('other.stories.yaml'));
  });

  test('says where the flow file of stories is wrong, and plays the others', async () => {
    await writeFile(at('other.stories.yaml'), story(2, 2).replace('reminder.flow', 'wrong.flow'));
    await writeFile(at('wrong.flow.yaml'), 'name: Wrong\nmeaning: Has no states.');
    const { code, out } = await only(story(2, 2));
    expect(out).toContain('other.stories.yaml: its stories cannot be played\n  line 2:1: ');
    expect(out).toContain('FieldMissing: line 1:1: states is missing');
    expect(out).toContain('reminder.stories.yaml\n  ok    It reminds after a day.');
    expect(code).toBe(1);
    await Promise.all(['other.stories.yaml', 'wrong.flow.yaml'].map((name) => rm(at(name))));
  });

  test('knows what a copy of a built-in flow in the folder sends the file that invokes it', async () => {
    const copy = JSON.stringify({ ...fileOf(issue), name: 'Copy' });
    await writeFile(at('copy.flow.json'), copy);
    await writeFile(
      at('parent.flow.yaml'),
      `
name: Parent
meaning: Has a tool issued.
context: { in: null }
initial: issuing
states:
  issuing:
    invoke: { id: loan, src: Copy, input: { request: { toUserUid: anna } }, onDone: over, onError: over }
    on:
      loan.issue.ReadyForPickup: { actions: { type: assign, params: { in: "\${event.lockerName}" } } }
      loan.issue.*: over
  over: { type: final }
`,
    );
    const text = (event: string) => `
flow: parent.flow.yaml
stories:
  - story: It is in its locker.
    steps: [ { when: { event: loan.issue.${event} }, then: { context: { in: loan-locker } } } ]
`;
    expect((await only(text('ReadyForPickup'))).out).toContain('  ok    It is in its locker.');
    expect((await only(text('PickedUp'))).out).toContain(
      'Copy never sends loan.issue.PickedUp; it sends loan.issue.Registered, ',
    );
    await Promise.all(['copy.flow.json', 'parent.flow.yaml'].map((name) => rm(at(name))));
  });

  test('says of a flow file that it is none of stories', async () => {
    const { code, out } = await ended('test', at('reminder.flow.yaml'));
    expect(code).toBe(1);
    expect(out).toContain('it is a flow file, expected a file of stories, with flow and stories');
  });

  test('a folder without stories is wrong use', async () => {
    await rm(at('reminder.stories.yaml'));
    expect((await ended('test', folder)).code).toBe(2);
  });
});
