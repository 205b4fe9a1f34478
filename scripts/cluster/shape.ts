// The shape of production on this machine: which processes there are, and how many of each. docker-compose.yml says the same
// shape; a test holds the two together.

/** The roles of Temporal's server, as it names them. */
export const temporalRoles = ['history', 'matching', 'frontend', 'worker'] as const;
export type TemporalRole = (typeof temporalRoles)[number];

export const shape = {
  temporal: { history: 2, matching: 1, frontend: 1, worker: 1 },
  service: 2,
  receiver: 2,
  worker: 3,
} as const satisfies { temporal: Record<TemporalRole, number> } & Record<string, unknown>;

/** Fixed for the life of a database: Temporal cannot change it later. */
export const HISTORY_SHARDS = 64;

/** What the workers of the cluster are called among Temporal's worker versions. */
export const BUILD_ID = 'cluster';
