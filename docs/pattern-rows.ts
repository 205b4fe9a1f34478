// How the patterns and examples of others are written here, row by row: the tables of docs/patterns.md, which counts them.

/** What the page says of each is in patterns.ts. */
export type Support = 'directly' | 'workaround' | 'notYet' | 'refused';

export interface Row {
  /** In the catalogue. */
  readonly id: string;
  readonly name: string;
  readonly support: Support;
  /** Below docs/examples/patterns, without the ending: what runs. None where nothing does. */
  readonly file?: string;
  /** What is by hand, why it is refused, or what the row needs to be understood. */
  readonly note?: string;
}

export interface Yardstick {
  readonly title: string;
  readonly about: readonly string[];
  readonly rows: readonly Row[];
}

type RowTuple = readonly [id: string | number, name: string, support: Support, file?: string, note?: string];

const rowsOf = (prefix: string, tuples: readonly RowTuple[]): Row[] =>
  tuples.map(([id, name, support, file, note]) => ({
    id: `${prefix}${id}`,
    name,
    support,
    ...(file !== undefined && file !== '' && { file }),
    ...(note !== undefined && { note }),
  }));

const controlFlow: readonly RowTuple[] = [
  [1, 'Sequence', 'directly', 'steps/one-after-the-other'],
  [2, 'Parallel split', 'directly', 'steps/at-the-same-time'],
  [3, 'Synchronization', 'directly', 'steps/at-the-same-time'],
  [4, 'Exclusive choice', 'directly', 'steps/choose-one'],
  [5, 'Simple merge', 'directly', 'steps/choose-one'],
  [6, 'Multi-choice', 'directly', 'steps/choose-several'],
  [7, 'Structured synchronizing merge', 'directly', 'steps/choose-several'],
  [8, 'Multi-merge', 'directly', 'branches/each-goes-its-way', 'each branch is a flow of its own'],
  [9, 'Structured discriminator', 'directly', 'branches/first-goes-on'],
  [10, 'Arbitrary cycles', 'directly', 'steps/back-to-a-step'],
  [11, 'Implicit termination', 'directly', 'failing/ends-by-itself'],
  [12, 'Multiple instances without synchronization', 'directly', 'many/beside-the-rest'],
  [13, 'Multiple instances with a priori design-time knowledge', 'directly', 'many/known-beforehand'],
  [14, 'Multiple instances with a priori run-time knowledge', 'directly', 'many/batch-with-failures'],
  [
    ...[
      15,
      'Multiple instances without a priori run-time knowledge',
      'workaround',
      'many/one-more-meanwhile',
    ],
    'in rounds: what comes while one runs waits in the context for the next',
  ] as const,
  [16, 'Deferred choice', 'directly', 'waiting/whichever-comes-first'],
  [
    ...[17, 'Interleaved parallel routing', 'workaround', 'steps/in-any-order'],
    'what is done is kept in the context',
  ] as const,
  [18, 'Milestone', 'directly', 'steps/milestone'],
  [19, 'Cancel task', 'directly', 'failing/cancel-a-part'],
  [20, 'Cancel case', 'directly', 'failing/cancel-all'],
  [21, 'Structured loop', 'directly', 'steps/again-until-right'],
  [
    ...[22, 'Recursion', 'refused', 'steps/again-until-right'],
    'flows that start themselves start processes without end; a loop, or `each` over a list, does the same',
  ] as const,
  [23, 'Transient trigger', 'directly', 'events/now-or-never'],
  [24, 'Persistent trigger', 'directly', 'events/comes-early', '`keepFor`'],
  [25, 'Cancel region', 'directly', 'failing/cancel-a-part'],
  [26, 'Cancel multiple instance activity', 'directly', 'many/stop-or-close-a-batch'],
  [27, 'Complete multiple instance activity', 'directly', 'many/stop-or-close-a-batch'],
  [28, 'Blocking discriminator', 'directly', 'branches/round-by-round'],
  [29, 'Cancelling discriminator', 'directly', 'branches/first-wins'],
  [30, 'Structured partial join', 'directly', 'branches/two-of-three', '`<id>.done` of an `each`'],
  [31, 'Blocking partial join', 'directly', 'branches/round-by-round'],
  [32, 'Cancelling partial join', 'directly', 'many/quorum'],
  [33, 'Generalised AND-join', 'directly', 'branches/pair-by-pair', 'what comes too early waits: `keepFor`'],
  [34, 'Static partial join for multiple instances', 'directly', 'many/go-on-after-some'],
  [35, 'Cancelling partial join for multiple instances', 'directly', 'many/quorum'],
  [
    ...[36, 'Dynamic partial join for multiple instances', 'workaround', 'many/one-more-meanwhile'],
    'in rounds, as 15; without new items `enough` does it',
  ] as const,
  [37, 'Local synchronizing merge', 'directly', 'branches/join-only-what-began'],
  [38, 'General synchronizing merge', 'directly', 'branches/join-only-what-began'],
  [39, 'Critical section', 'directly', 'branches/take-turns', 'between branches of one process'],
  [40, 'Interleaved routing', 'directly', 'many/one-by-one'],
  [41, 'Thread merge', 'directly', 'many/split-and-merge'],
  [42, 'Thread split', 'directly', 'many/split-and-merge'],
  [43, 'Explicit termination', 'directly', 'failing/over-at-once'],
];

const inbox = 'an inbox stands for a role, a team or a person';
const byScope =
  'clients of the HTTP API have it for each inbox (scope inbox:<name>); people of the console have all inboxes';

const resources: readonly RowTuple[] = [
  [1, 'Direct allocation', 'directly', 'people/one-person-is-asked'],
  [2, 'Role-based allocation', 'directly', 'people/by-skill', inbox],
  [3, 'Deferred allocation', 'directly', 'people/by-skill'],
  [4, 'Authorization', 'workaround', 'people/by-skill', byScope],
  [5, 'Separation of duties', 'directly', 'people/four-eyes'],
  [6, 'Case handling', 'directly', 'people/the-same-person-again'],
  [7, 'Retain familiar', 'directly', 'people/the-same-person-again'],
  [8, 'Capability-based allocation', 'directly', 'people/by-skill'],
  [
    ...[9, 'History-based allocation', 'workaround', 'people/whom-the-directory-names'],
    'a system that knows who did what is asked',
  ] as const,
  [10, 'Organisational allocation', 'directly', 'people/whom-the-directory-names'],
  [11, 'Automatic execution', 'directly', 'steps/one-after-the-other'],
  [12, 'Distribution by offer to a single resource', 'directly', 'people/one-person-is-asked'],
  [13, 'Distribution by offer to multiple resources', 'directly', 'people/by-skill'],
  [14, 'Distribution by allocation to a single resource', 'directly', 'people/one-person-is-asked'],
  [
    ...[15, 'Random allocation', 'refused', 'people/in-turn'],
    'an expression has no chance in it: a process replays from its history; in turn is as fair',
  ] as const,
  [16, 'Round-robin allocation', 'workaround', 'people/in-turn', 'whoever starts it gives the number'],
  [
    ...[17, 'Shortest queue', 'workaround', 'people/whom-the-directory-names'],
    'a system that knows the queues is asked',
  ] as const,
  [18, 'Early distribution', 'notYet', '', 'nobody sees a task before it can be done'],
  [19, 'Distribution on enablement', 'directly', 'steps/one-after-the-other'],
  [20, 'Late distribution', 'notYet', '', 'a task is in its inbox as soon as it can be done'],
  [21, 'Resource-initiated allocation', 'directly', 'people/claim-and-hand-on'],
  [22, 'Resource-initiated execution of an allocated work item', 'directly', 'people/claim-and-hand-on'],
  [23, 'Resource-initiated execution of an offered work item', 'directly', 'people/by-skill'],
  [24, 'System-determined work queue content', 'directly', 'people/urgent-first'],
  [
    25,
    'Resource-determined work queue content',
    'workaround',
    'people/urgent-first',
    'a person narrows an inbox to a holder, and does not order it',
  ],
  [
    26,
    'Selection autonomy',
    'directly',
    'people/by-skill',
    'whoever has an inbox answers any of its questions',
  ],
  [27, 'Delegation', 'directly', 'people/claim-and-hand-on'],
  [28, 'Escalation', 'directly', 'people/approval-with-escalation'],
  [29, 'Deallocation', 'directly', 'people/claim-and-hand-on'],
  [
    30,
    'Stateful reallocation',
    'workaround',
    'people/claim-and-hand-on',
    'what was found before is in the context; half an answer is not kept',
  ],
  [31, 'Stateless reallocation', 'directly', 'people/claim-and-hand-on'],
  [32, 'Suspension and resumption', 'directly', 'people/pause-and-go-on'],
  [33, 'Skip', 'directly', 'people/skip-a-step'],
  [34, 'Redo', 'directly', 'steps/back-to-a-step'],
  [35, 'Pre-do', 'workaround', 'steps/in-any-order', 'where the order is open'],
  [36, 'Commencement on creation', 'directly', 'people/the-same-person-again'],
  [37, 'Commencement on allocation', 'directly', 'people/claim-and-hand-on'],
  [38, 'Piled execution', 'notYet', '', 'nobody gets all tasks of a kind at once'],
  [39, 'Chained execution', 'directly', 'people/the-same-person-again'],
  [40, 'Configurable unallocated work item visibility', 'workaround', 'people/by-skill', byScope],
  [41, 'Configurable allocated work item visibility', 'workaround', 'people/claim-and-hand-on', byScope],
  [
    42,
    'Simultaneous execution',
    'directly',
    'steps/at-the-same-time',
    'a person may hold any number of tasks',
  ],
  [43, 'Additional resources', 'directly', 'people/help-of-another'],
];

const byOperator =
  'the credentials are the connector’s, which the operator sets up: no secret goes through a process';
const elsewhere =
  'somebody else reads the channel and sends its messages as events: a process subscribes to no broker';

const serverless: readonly RowTuple[] = [
  ['', 'accumulate-room-readings', 'directly', 'failing/time-limit'],
  ['', 'authentication-bearer', 'directly', 'calls/read-one', byOperator],
  ['', 'authentication-bearer-uri-format', 'directly', 'calls/read-one', byOperator],
  ['', 'authentication-oauth2', 'directly', 'calls/read-one', byOperator],
  ['', 'authentication-oauth2-secret', 'directly', 'calls/read-one', byOperator],
  ['', 'authentication-oidc', 'directly', 'calls/read-one', byOperator],
  ['', 'authentication-oidc-secret', 'directly', 'calls/read-one', byOperator],
  ['', 'authentication-reusable', 'directly', 'calls/read-one', byOperator],
  ['', 'call-asyncapi-publish', 'workaround', 'calls/set-and-emit', 'over HTTP, signed; not to a broker'],
  ['', 'call-asyncapi-subscribe-consume-amount', 'workaround', 'waiting/until-enough', elsewhere],
  ['', 'call-asyncapi-subscribe-consume-forever-foreach', 'workaround', 'events/for-every-event', elsewhere],
  ['', 'call-asyncapi-subscribe-consume-until', 'workaround', 'waiting/until-enough', elsewhere],
  ['', 'call-asyncapi-subscribe-consume-while', 'workaround', 'waiting/until-enough', elsewhere],
  [
    '',
    'call-custom-function-cataloged',
    'directly',
    'flows/flow-in-a-flow',
    'a published flow is the function',
  ],
  ['', 'call-custom-function-inline', 'workaround', 'flows/flow-in-a-flow', 'in a file of its own'],
  ['', 'call-grpc', 'workaround', 'calls/read-one', 'by a gateway that speaks HTTP for the gRPC service'],
  ['', 'call-http-endpoint-interpolation', 'directly', 'calls/read-one'],
  ['', 'call-http-endpoint-interpolation-shorthand', 'directly', 'calls/read-one'],
  ['', 'call-http-query-headers-expressions', 'directly', 'calls/search'],
  ['', 'call-http-query-parameters', 'directly', 'calls/search'],
  [
    ...['', 'call-http-redirect', 'refused', 'calls/one-after-another'],
    'a redirect would lead to an address that the operator has not allowed; a call of the place it names does it',
  ] as const,
  [
    ...['', 'call-mcp', 'workaround', 'events/for-every-event'],
    'the chat is called over HTTP; no process starts a program on a worker',
  ] as const,
  [
    ...['', 'call-openapi', 'workaround', 'calls/read-one'],
    'the file gives method and path; no document is read',
  ] as const,
  [...['', 'call-openapi-redirect', 'refused', 'calls/one-after-another'], 'as call-http-redirect'] as const,
  ['', 'conditional-task', 'directly', 'failing/with-a-code'],
  ['', 'do-multiple', 'directly', 'failing/fallback'],
  ['', 'do-single', 'directly', 'calls/read-one'],
  ['', 'emit', 'directly', 'calls/set-and-emit'],
  [
    '',
    'for',
    'directly',
    'branches/each-goes-its-way',
    'what is done for each item is a flow, which waits for an event',
  ],
  ['', 'fork', 'directly', 'branches/first-wins'],
  ['', 'listen-to-all', 'directly', 'events/all-events'],
  ['', 'listen-to-all read-envelope', 'directly', 'events/all-events'],
  ['', 'listen-to-any', 'directly', 'waiting/whichever-comes-first'],
  ['', 'listen-to-any-filter', 'directly', 'waiting/until-enough'],
  ['', 'listen-to-any-forever-foreach', 'directly', 'events/for-every-event'],
  ['', 'listen-to-any-until-condition', 'directly', 'waiting/until-enough'],
  ['', 'listen-to-any-until-consumed', 'directly', 'waiting/until-enough'],
  ['', 'listen-to-one', 'directly', 'events/third-system'],
  [
    '',
    'mock-service-extension',
    'workaround',
    'calls/read-one',
    'stories say what a call gives; production has no mocks',
  ],
  ['', 'raise-inline', 'directly', 'failing/with-a-code'],
  ['', 'raise-reusable', 'workaround', 'failing/with-a-code', 'each file writes its own failure'],
  ['', 'run-subflow', 'directly', 'flows/flow-in-a-flow'],
  ['', 'schedule-cron', 'directly', 'waiting/monthly-report'],
  ['', 'schedule-event-driven', 'directly', 'events/started-by-an-event'],
  ['', 'set', 'directly', 'calls/set-and-emit'],
  ['', 'set-expression', 'directly', 'calls/set-and-emit'],
  ['', 'star-wars-homeworld', 'directly', 'calls/one-after-another'],
  ['', 'switch-then-string', 'directly', 'steps/choose-one'],
  ['', 'try-catch', 'directly', 'failing/fallback'],
  ['', 'try-catch-retry-inline', 'directly', 'failing/retry'],
  ['', 'try-catch-retry-reusable', 'workaround', 'failing/retry', 'each call has its own'],
  ['', 'try-catch-then', 'directly', 'failing/fallback'],
  ['', 'wait-duration-inline', 'directly', 'calls/wait-a-moment'],
  ['', 'wait-duration-iso8601', 'directly', 'calls/wait-a-moment'],
];

export const yardsticks: readonly Yardstick[] = [
  {
    title: 'Control-flow patterns',
    about: [
      'The [workflow control-flow patterns](http://www.workflowpatterns.com/patterns/control/) of Russell and others.',
    ],
    rows: rowsOf('WCP-', controlFlow),
  },
  {
    title: 'Resource patterns',
    about: [
      'The [workflow resource patterns](http://www.workflowpatterns.com/patterns/resource/) of Russell, ter Hofstede, Edmond and',
      'van der Aalst: who does the work of people.',
    ],
    rows: rowsOf('WRP-', resources),
  },
  {
    title: 'Serverless Workflow',
    about: [
      'The [examples of Serverless Workflow](https://github.com/serverlessworkflow/specification/tree/main/examples), without the',
      'twelve that run a script or a container, which a flow file never does.',
    ],
    rows: rowsOf('', serverless),
  },
];
