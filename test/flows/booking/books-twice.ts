// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what the file holds.
// A copy of a built-in flow that books a second time once its first booking is done.

export const booksTwice = (name: string): string => `
name: ${name}
meaning: Issues an item, and a second one.
context: { times: 0 }
initial: following
states:
  following:
    entry: { type: assign, params: { times: "\${context.times + 1}" } }
    invoke:
      id: shipments
      src: book
      input: { operation: CreateLocalShipmentAsIssue, isWhole: true }
      onDone: [ { guard: "\${context.times < 2}", target: following, reenter: true }, over ]
      onError: over
  over: { type: final }
`;
