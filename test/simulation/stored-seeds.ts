// Seeds that have failed once, each with the commit on which it did: there it fails again, and on every later one it must pass. One
// whose defect was mended in the same step has the plant that brings the defect back.

export interface StoredSeed {
  readonly seed: string;
  readonly commit: string;
  /** A defect of planted/defects.ts, with which it fails. */
  readonly planted?: string;
  /** What was wrong, for people. */
  readonly found: string;
}

export const storedSeeds: readonly StoredSeed[] = [
  {
    ...{ seed: '38', commit: 'd178e930', planted: 'issued-stock-is-anothers' },
    found: 'stock that another flow issues while its booking is in doubt is booked again',
  },
  {
    ...{ seed: '49', commit: 'd419d1fc', planted: 'holder-is-booker' },
    found: 'a shipment that another flow has taken over counts as booked by that flow, and is booked again',
  },
  {
    ...{ seed: '214', commit: 'd178e930' },
    found:
      'a flow that is stuck in undoing says "adopt first" and takes no adoption, so an operator tries again for ever',
  },
  {
    ...{ seed: '550', commit: '71ef15cb' },
    found:
      'the same, without any fault: a flow of a bare vendor that is cancelled after its stock was issued',
  },
  {
    ...{ seed: '5471', commit: '7e127443' },
    found: 'the simulation: stock that was cancelled after it had waited for a receiver counted as not done',
  },
];
