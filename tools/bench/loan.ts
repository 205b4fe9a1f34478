// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what the file holds.
// A process as the example DeviceLoan, whose calls are answered at once: lent by a flow, checked by a person, and a call when
// it comes back broken. Written by hand it is tools/bench/minimal-loan.ts.

/** The task queue of the worker that runs flows and flow files. */
export const FLOWS_TASK_QUEUE = 'flows';

export const loanFile = (meaning = 'A user borrows a device.') => ({
  name: 'BenchLoan',
  meaning,
  context: { reminders: 0, state: '' },
  initial: 'begun',
  states: {
    begun: { always: [{ guard: '${has(input.isWaiting)}', target: 'checked' }, { target: 'lent' }] },
    lent: {
      invoke: {
        id: 'loan',
        src: 'Issue',
        // Nothing is booked: as an expression it is not checked.
        input: '${{"request": {"shipmentUid": input.shipmentUid}}}',
        onDone: 'checked',
      },
      initial: 'waiting',
      states: {
        waiting: { on: { 'loan.issue.ReadyForPickup': 'withUser' } },
        withUser: {
          after: { P12D: { actions: { type: 'assign', params: { reminders: '${context.reminders + 1}' } } } },
          on: {
            'loan.issue.overdue': {
              actions: { type: 'assign', params: { reminders: '${context.reminders + 1}' } },
            },
          },
        },
      },
    },
    checked: {
      invoke: {
        id: 'check',
        src: 'ask',
        input: {
          of: 'desk',
          question: 'Is device ${input.shipmentUid} whole?',
          fields: { state: { choice: ['whole', 'broken'] } },
          within: 'P2D',
        },
        onDone: [
          {
            guard: "${event.output.state == 'broken'}",
            target: 'ticket',
            actions: { type: 'assign', params: { state: '${event.output.state}' } },
          },
          { target: 'over' },
        ],
        onError: 'over',
      },
    },
    ticket: {
      invoke: { src: 'GetPickUpPoints', input: { pageNo: 1, pageSize: 10 }, onDone: 'over', onError: 'over' },
    },
    over: { type: 'final' },
  },
  output: { reminders: '${context.reminders}', state: '${context.state}' },
});
