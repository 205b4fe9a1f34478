// The ways between the components of the cluster, by TCP ports. A proof of faults puts something of its own between two components.

export type ClusterConnection =
  | 'workers to services'
  | 'workers to Temporal'
  | 'receivers to Temporal'
  | 'services to Postgres'
  | 'services to receivers'
  | 'Temporal to Postgres'
  | `balancer to service ${number}`
  | `balancer to receiver ${number}`;

/** Gets the port where the target listens, and gives the port by which the other component reaches it. */
export type Between = (way: ClusterConnection, port: number) => Promise<number>;

export const nothingBetween: Between = async (_way, port) => port;
