// The search attributes of flows, by which the Web UI and the callback receiver find them; Temporal must know them.

/** Name and Temporal's type of each. */
export const searchAttributes = {
  /** The case number that the flow's shipments carry. */
  LockerCase: 'Keyword',
  LockerPickUpPoint: 'Keyword',
  /** Open, Overdue or NeedsPerson. */
  LockerPhase: 'Keyword',
  /** `<flow>@<version of its definition>`; absent while the flow still books. */
  LockerFlowVersion: 'Keyword',
  LockerShipmentUids: 'KeywordList',
  /** Of whom a process of a flow file has asked something: the inboxes that it is in. */
  LockerInbox: 'KeywordList',
  /** When the flow came to know its shipments: by it, the receiver sees new ones before their callbacks come. */
  LockerBookedAt: 'Datetime',
} as const satisfies Record<string, 'Keyword' | 'KeywordList' | 'Datetime'>;

export type SearchAttributeName = keyof typeof searchAttributes;
