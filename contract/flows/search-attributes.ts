// The search attributes of flows. The Web UI and the callback receiver find flows by them; they must be registered in
// Temporal.

/** The name of each, and its type in Temporal. */
export const searchAttributes = {
  /** The case number that the flow's shipments carry. */
  LockerCase: 'Keyword',
  LockerPickUpPoint: 'Keyword',
  /** Open, Overdue or NeedsPerson. */
  LockerPhase: 'Keyword',
  /** `<flow>@<version of its definition>`; absent while the flow still books. */
  LockerFlowVersion: 'Keyword',
  LockerShipmentUids: 'KeywordList',
  /** The inboxes that list a process of a flow file, because it has asked something there. */
  LockerInbox: 'KeywordList',
  /** When the flow came to know its shipments. The callback receiver finds new flows by it before their callbacks come. */
  LockerBookedAt: 'Datetime',
} as const satisfies Record<string, 'Keyword' | 'KeywordList' | 'Datetime'>;

/** The last value of a list that has more values than Temporal takes. */
export const MORE_VALUES = '…';

export type SearchAttributeName = keyof typeof searchAttributes;
