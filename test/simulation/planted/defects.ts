// Defects that the simulation must find: each is one change of the product's text, made while Node loads the file. Most have
// happened, or are what a rule of the design forbids.

export interface PlantedDefect {
  readonly name: string;
  /** What is wrong with it, for people. */
  readonly what: string;
  readonly file: string;
  /** It stands in the file exactly once. */
  readonly text: string;
  readonly becomes: string;
}

export const plantedDefects: readonly PlantedDefect[] = [
  {
    name: 'key-of-each-input',
    what: 'the Idempotency-Key differs from try to try',
    file: 'activities/booking/request.ts',
    text: 'idempotencyKey: headerKey(idempotencyKey),',
    becomes: 'idempotencyKey: headerKey(idempotencyKey + Date.now()),',
  },
  {
    name: 'key-ignored-by-doubt',
    what: 'a booking in doubt is repeated where nobody honours its key',
    file: 'activities/booking/unknown-outcome.ts',
    text: 'return !this.#attempts.honoursKey || Date.now()',
    becomes: 'return Date.now()',
  },
  {
    name: 'issued-stock-is-anothers',
    what: 'stock that was issued while its booking is in doubt is not looked for by its former case number',
    file: 'activities/booking/match.ts',
    text: '(hasNoReceiver && sought.stock.includes(role)) || ',
    becomes: '',
  },
  {
    name: 'holder-is-booker',
    what: 'a flow that holds a shipment counts as the one that has booked it',
    file: 'activities/booking/booker.ts',
    text: "if (ofOthers.length === 0 && takesOver.length === 0) return 'booked';",
    becomes: "return 'booked';",
  },
  {
    name: 'stuck-without-adoption',
    what: 'a person cannot say which shipment is which where undoing is stuck',
    file: 'workflows/shipments/chart.ts',
    text: `{ guard: { type: 'canResolve', params: ['adopt', 'setState'] }, actions: ['resolve', 'answer'] },
      { guard`,
    becomes: `{ guard: { type: 'canResolve', params: ['setState'] }, actions: ['resolve', 'answer'] },
      { guard`,
  },
  {
    name: 'listing-trusted-too-early',
    what: 'an empty listing counts while the service may still be at work on the request',
    file: 'activities/booking/unknown-outcome.ts',
    text: 'return this.#lastSentBefore + this.#attempts.pace.settleMs;',
    becomes: 'return 0;',
  },
  {
    name: 'server-repeats-bookings',
    what: 'an attempt whose worker was killed is repeated by the server as if nothing were in doubt',
    file: 'workflows/shipments/calls.ts',
    text: "nonRetryableErrorTypes: ['TemporalTimeout:StartToClose', 'TemporalTimeout:Heartbeat'],",
    becomes: '',
  },
  {
    name: 'lost-answer-is-refusal',
    what: 'a booking without an answer counts as refused',
    file: 'activities/booking/unknown-outcome.ts',
    text: "if (error.mayHaveReachedService === 'unknown') this.#doubt(startedAt);",
    becomes: "if (error.mayHaveReachedService === 'unknown') throw error;",
  },
  {
    name: 'early-callbacks-dropped',
    what: 'a callback that comes before the flow knows its shipments is forgotten',
    file: 'workflows/shipments/vocabulary.ts',
    text: "return { ...known, postponed: [...known.postponed, { type: 'shipmentStatus', payload: report }] };",
    becomes: 'return known;',
  },
  {
    name: 'stale-timer',
    what: 'a deadline that was extended still rings at its old time',
    file: 'driver/awaited.ts',
    text: 'if (this.#armed.get(key) !== timer) return false;',
    becomes: '',
  },
  {
    name: 'late-reports-win',
    what: 'an earlier state that comes late is applied',
    file: 'machines/observed.ts',
    text: "return isEarlier ? 'stale' : 'contradictory';",
    becomes: "return isEarlier ? 'next' : 'contradictory';",
  },
  {
    name: 'skipped-state-needs-person',
    what: 'a state that was skipped is not applied',
    file: 'machines/observed.ts',
    text: "isOneStep(from, stateCode) ? 'next' : 'skippedAhead'",
    becomes: "isOneStep(from, stateCode) ? 'next' : 'stale'",
  },
  {
    name: 'undo-first-only',
    what: 'undoing cancels the first shipment alone',
    file: 'activities/undo.ts',
    text: 'input.shipments.map((each)',
    becomes: 'input.shipments.slice(0, 1).map((each)',
  },
  {
    name: 'undo-believes-unanswered',
    what: 'a shipment whose cancellation failed counts as cancelled',
    file: 'activities/undo.ts',
    text: "undone: 'NotUndone', stateCode: null, error: failureType(error, means.peer)",
    becomes: "undone: 'Cancelled', stateCode: null, error: null",
  },
  {
    name: 'cancellation-drops-booking',
    what: 'a cancelled flow does not wait for the answer of its booking',
    file: 'workflows/shipments/calls.ts',
    text: 'cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,',
    becomes: 'cancellationType: ActivityCancellationType.TRY_CANCEL,',
  },
  {
    name: 'roles-by-position',
    what: 'the role of a shipment is guessed where several are possible',
    file: 'workflows/shipments/roles.ts',
    text: 'return others.every((each) => each[index] === role) ? role : null;',
    becomes: 'return role;',
  },
  {
    name: 'acknowledged-and-not-parked',
    what: 'a callback that no flow waits for is acknowledged and dropped',
    file: 'client/receiver/receive-callback.ts',
    text: "became: 'parked', workflowIds: [await parking.report(report)] };",
    becomes: "became: 'parked', workflowIds: [] };",
  },
  {
    name: 'closed-flow-takes-callbacks',
    what: 'a callback to a flow that has ended counts as taken by it',
    file: 'activities/routing/route-report.ts',
    text: 'if (error instanceof WorkflowNotFoundError) return false;',
    becomes: 'if (error instanceof WorkflowNotFoundError) return true;',
  },
  {
    name: 'callbacks-of-anybody',
    what: 'a callback without the key is taken',
    file: 'client/receiver/judge-callback.ts',
    text: 'if (distrusted) return',
    becomes: 'if (distrusted && false) return',
  },
  {
    name: 'timers-lost-in-continuation',
    what: 'a run that continues anew forgets its deadlines',
    file: 'driver/process.ts',
    text: 'for (const timer of this.#continued?.timers ?? []) {',
    becomes: 'for (const timer of (this.#continued?.timers ?? []).slice(0, 0)) {',
  },
  {
    name: 'continues-with-open-calls',
    what: 'a run continues anew while an activity of it is under way',
    file: 'driver/temporal/run.ts',
    text: 'process.calls.mayContinueAsNew &&',
    becomes: '',
  },
  {
    name: 'continues-with-full-inbox',
    what: 'a run continues anew with messages that it has not taken',
    file: 'driver/temporal/run.ts',
    text: `      process.isInboxEmpty &&
      process.cancellation === undefined`,
    becomes: '      process.cancellation === undefined',
  },
  {
    name: 'history-without-bound',
    what: 'a run never continues anew',
    file: 'driver/temporal/run.ts',
    text: 'if (this.#mayContinueAsNew()) await this.#continue();',
    becomes: '',
  },
  {
    name: 'replay-decides-otherwise',
    what: 'a decision depends on what a worker keeps between two runs',
    file: 'workflows/shipments/undoing.ts',
    text: 'shipments: shipmentsToUndo(flow, known).map((shipment) => ({',
    becomes:
      'shipments: ((globalThis as { odd?: boolean }).odd = !(globalThis as { odd?: boolean }).odd) ? shipmentsToUndo(flow, known).toReversed().map((shipment) => ({ shipmentUid: shipment.shipmentUid, stateCode: null, isIssuedFromStock: false })) : shipmentsToUndo(flow, known).map((shipment) => ({',
  },
  {
    name: 'deadline-from-booking',
    what: 'a deadline counts from the start of the flow, and not of its stage',
    file: 'workflows/shipments/deadlines.ts',
    text: 'return stageBegan(known, role) + duration;',
    becomes: 'return Date.parse(known.startedAt) + duration;',
  },
  {
    name: 'deadline-never',
    what: 'no deadline of a pick-up ever rings',
    file: 'workflows/shipments/deadlines.ts',
    text: "if (stage === 'pickUp' && shipmentWithRole(known, role)?.pickedUpAt) return null;",
    becomes: "if (stage === 'pickUp') return null;",
  },
];
