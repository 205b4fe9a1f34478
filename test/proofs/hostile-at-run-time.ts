// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what the files hold.
// Files that any reader accepts, and that do all they can to a worker once they run: they end nowhere, grow without end, or
// ask Temporal for what it does not take. By what each is; made for one event, GO.

const long = 'x'.repeat(20_000);
const grown = { type: 'assign', params: { text: long } };
const heard = (state: object, more: object = {}) => ({
  initial: 'idle',
  states: {
    idle: { on: { GO: { target: 'there', actions: grown } } },
    there: state,
    over: { type: 'final' },
    ...more,
  },
});
const looking = { src: 'GetPickUpPoints', input: { pageNo: 1, pageSize: 1 } };
const asked = (of: string, more: object = {}) => ({ src: 'ask', input: { of, question: 'Is it?', ...more } });
const times = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));

const parts: Readonly<Record<string, object>> = {
  'calls without end': heard({ invoke: { ...looking, onDone: { target: 'there', reenter: true } } }),
  'timers without end': heard({ after: { 'PT0.001S': { target: 'there', reenter: true } } }),
  'a hundred timers at once': heard({
    entry: times(100, (index) => ({
      type: 'raise',
      params: { type: 'tick', id: `t${index}`, delay: 'PT0.01S' },
    })),
    on: { tick: { actions: { type: 'assign', params: { last: '${now}' } } } },
  }),
  'a question to two hundred inboxes': heard({
    invoke: times(200, (index) => ({ id: `q${index}`, ...asked(`${index}${'x'.repeat(76)}`) })),
  }),
  'two hundred calls at once': heard({ invoke: times(200, (index) => ({ id: `c${index}`, ...looking })) }),
  'an endless name of a question': heard({
    invoke: { id: 'x'.repeat(9_000), ...asked('desk', { within: 'P1D' }) },
  }),
  'an endless name of a flow': heard({
    invoke: { id: 'x'.repeat(9_000), src: 'Issue', input: '${{"request": {}}}' },
  }),
  'an endless name of a call': heard({ invoke: { id: 'x'.repeat(9_000), ...looking } }),
  'a name of a flow in another script': heard({
    invoke: { id: 'ß\u202e\u0000/../..', src: 'Issue', input: '${{"request": {}}}' },
  }),
  'a delay of many words': heard({ after: { [`\${later(now, "P1D")${' '.repeat(900)}}`]: 'over' } }),
  'an endless inbox': heard({ invoke: asked('${context.text}') }),
  'an endless question': heard({
    invoke: { src: 'ask', input: { of: 'desk', question: '${context.text}' } },
  }),
  'an output without end': heard(
    { always: 'full' },
    { full: { type: 'final', output: times(4_000, () => '${context.text}') } },
  ),
  'a request without end': heard({
    invoke: {
      src: 'call',
      input: { connector: 'hub', method: 'POST', path: '/', body: times(3_000, () => '${context.text}') },
    },
  }),
  'a flow with a request without end': heard({
    invoke: {
      src: 'Issue',
      input: {
        request: {
          pupUid: '${context.text}'.repeat(3_000),
          toUserUid: 'user-anna',
          allowLargerLockers: true,
          allowOverflowLockers: false,
          dimension: { height: 1, width: 1, length: 1 },
        },
      },
    },
  }),
  'a text without end': heard(
    { always: 'full' },
    { full: { type: 'final', output: '${context.text}'.repeat(3_000) } },
  ),
  'an event without end': heard({
    entry: { type: 'emit', params: { type: 'told', data: times(3_000, () => '${context.text}') } },
  }),
  'a log without end': heard({
    entry: { type: 'log', params: { message: times(3_000, () => '${context.text}') } },
  }),
  'raises within raises': heard({
    entry: times(150, () => ({ type: 'raise', params: { type: 'more' } })),
    on: { more: { actions: times(10, () => ({ type: 'raise', params: { type: 'more' } })) } },
  }),
  'a flow that is not a map': heard({ invoke: { src: 'Issue', input: '${context.text}' } }),
  'a call that is not a map': heard({ invoke: { src: 'GetPickUpPoints', input: '${[1, 2]}' } }),
  'endless words in all that people see': heard({
    tags: [long, 'b'],
    description: long,
    invoke: asked('desk'),
  }),
};

export const hostileAtRunTime: readonly { readonly what: string; readonly file: object }[] = Object.entries(
  parts,
).map(([what, file]) => ({
  what,
  file: { name: 'Hostile', meaning: `It means harm: ${what}.`, context: { text: '' }, ...file },
}));
