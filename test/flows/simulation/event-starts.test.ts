// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of files.
// Stories that begin by an event: `starts` of the file gives the key and the request, as it does for whoever sends the event.
import { expect, test } from 'vitest';
import type { Json } from '../../../flows/language/flow-file.ts';
import { parsedText } from '../../../flows/language/reading/yaml.ts';
import { play } from '../../../flows/simulation/play-story.ts';
import { type Story, storyFileProblems } from '../../../flows/simulation/story-file.ts';
import { fileOf } from '../language/names.ts';

const repair = fileOf(`
name: Repair
meaning: A device is repaired.
input: { type: object, required: [device], properties: { device: { type: string }, desk: { type: string, default: front } } }
events: { ticket.made: { data: { type: object, required: [number] } } }
starts:
  repair.wanted: {}
  ticket.made: { key: "repair-\${event.data.number}", request: { device: "\${event.data.device}" } }
initial: waiting
states:
  waiting: { on: { repair.done: over, repair.wanted: over } }
  over: { type: final }
output: "\${flow.key} \${input.device}"
`);

const storyOf = (text: string) => parsedText(`story: It begins.\n${text}`).data as unknown as Story;
const problemsOf = (text: string) => play(repair, storyOf(text)).problems;

test.each([
  [
    'the key and the request follow from the event, and the story goes on from there',
    `
given: { event: ticket.made, data: { number: 7, device: laptop-7 } }
then: { state: waiting, key: repair-7, request: { device: laptop-7, desk: front } }
steps: [{ when: { event: repair.done }, then: { status: done, output: repair-7 laptop-7 } }]
`,
  ],
  [
    'without a key and a request the id and the data are these; the process does not hear the event itself',
    `
given: { event: repair.wanted, data: { device: laptop-7 }, id: scan-1, at: 2026-01-05T09:00:00Z }
then: { state: waiting, key: Repair.scan-1, request: { device: laptop-7 } }
`,
  ],
  [
    'the id is `event` unless given',
    '{ given: { event: repair.wanted, data: { device: a } }, then: { key: Repair.event } }',
  ],
  [
    'data that does not fit `input` is refused',
    '{ given: { event: repair.wanted, data: {} }, then: { refused: true } }',
  ],
  [
    'data that does not fit `events` is refused',
    '{ given: { event: ticket.made, data: { device: a } }, then: { refused: InvalidRequest } }',
  ],
  [
    'other stories compare key and request too',
    '{ given: { key: r-1, input: { device: a } }, then: { key: r-1, request: { device: a } } }',
  ],
])('%s', (_, text) => {
  const flat = text.startsWith('{') ? text.slice(1, -1).replace(', then:', '\nthen:').trim() : text;
  expect(problemsOf(flat)).toEqual([]);
});

test.each([
  [
    'given: { event: repair.wanted, data: { device: 7 } }',
    'start (event repair.wanted): request.device must be string, not 7',
  ],
  [
    'given: { event: ticket.made, data: { number: 7 } }',
    expect.stringContaining('start (event ticket.made): ExpressionFailed: starts.ticket.made.request.device'),
  ],
  [
    'given: { event: ticket.made, data: { number: 7, device: a } }\nthen: { key: repair-8 }',
    'start (event ticket.made): key: expected "repair-8", but it is "repair-7"',
  ],
  [
    'given: { event: ticket.made, data: { number: 7, device: a } }\nthen: { request: { device: b } }',
    'start (event ticket.made): request.device: expected "b", but it is "a"',
  ],
  [
    'given: { event: repair.wanted, data: { device: a } }\nthen: { refused: true }',
    'start (event repair.wanted): expected that it is refused, but the step was taken',
  ],
  // However it ends: what cannot begin is no refusal.
  [
    'given: { event: repair.wantd }\nthen: { refused: true }',
    'start (event repair.wantd): Repair does not start by it; expected repair.wanted, ticket.made',
  ],
])('%s: %s', (text, problem) => {
  expect(problemsOf(text)).toEqual([problem]);
});

test('what follows from the event is not given beside it', () => {
  const problems = (given: string) =>
    storyFileProblems(
      parsedText(`flow: a.flow.yaml\nstories: [{ story: It begins., given: ${given} }]`).data as Json,
    ).map(({ at, message }) => `${at.join('.')}: ${message}`);
  expect(problems('{ event: a, data: 1, id: b, at: 2026-01-05T09:00:00Z }')).toEqual([]);
  expect(problems('{ event: a, input: {}, key: b, start: {} }')).toEqual([
    'stories.0.given.input: input follows from the event; remove it',
    'stories.0.given.key: key follows from the event; remove it',
    'stories.0.given.start: start follows from the event; remove it',
  ]);
  expect(problems('{ data: {}, id: a }')).toEqual([
    'stories.0.given.data: data needs an event beside it',
    'stories.0.given.id: id needs an event beside it',
  ]);
});
