// The states of shipments that have not ended, for SQL.
import { sql } from 'kysely';
import { stateCodes } from '../../contract/index.ts';
import { isActive } from '../../contract/machines/chart.ts';

/** As literals, not parameters: Postgres uses the partial indexes of active shipments only when it can see them. */
export const activeStateCodes = sql.join(stateCodes.filter(isActive).map((stateCode) => sql.lit(stateCode)));
