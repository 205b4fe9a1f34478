// A locker whose item was left behind is free of it: somebody took it out (assumptions: Lockers and codes, an item left behind).
import type { Transaction } from 'kysely';
import type { Database } from '../storage/database.ts';

export async function emptied(transaction: Transaction<Database>, lockerId: number): Promise<void> {
  await transaction
    .updateTable('lockers')
    .set({ to_be_emptied: false })
    .where('locker_id', '=', lockerId)
    .where('to_be_emptied', '=', true)
    .execute();
}
