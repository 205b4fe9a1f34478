/** The service writes moments without an offset, and means UTC. */
export const inUtc = (moment: string): string => `${moment.replace(/Z$/, '')}Z`;
